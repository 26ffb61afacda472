#include "http/input/trace_context.h"

#include <algorithm>

namespace holdfast::http {
namespace {

bool is_hex(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_id(std::string_view text) {
    return is_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

constexpr std::size_t size_of_version_0 = 55;

}  // namespace

std::optional<TraceContext> parse_traceparent(std::string_view text) {
    if (text.size() < size_of_version_0) return std::nullopt;
    const auto version = text.substr(0, 2);
    const auto trace = text.substr(3, 32);
    const auto span = text.substr(36, 16);
    const auto flags = text.substr(53, 2);
    if (text[2] != '-' || text[35] != '-' || text[52] != '-') return std::nullopt;
    if (!is_hex(version) || version == "ff" || !is_id(trace) || !is_id(span) || !is_hex(flags))
        return std::nullopt;
    const bool has_more = text.size() > size_of_version_0;
    if (has_more && (version == "00" || text[size_of_version_0] != '-')) return std::nullopt;
    const char last = flags[1];
    const int low = last <= '9' ? last - '0' : last - 'a' + 10;
    return TraceContext{std::string(trace), std::string(span), (low & 1) != 0};
}

}  // namespace holdfast::http
