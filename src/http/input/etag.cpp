#include "http/input/etag.h"

#include <charconv>
#include <limits>

namespace holdfast::http {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::string_view unquoted(std::string_view text) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        return text.substr(1, text.size() - 2);
    return text;
}

// The stores keep versions as signed integers.
constexpr Version largest_version = std::numeric_limits<std::int64_t>::max();

constexpr std::size_t digest_digits = 8;

// The version of `5-0f3a91c2`, or the whole text.
std::string_view without_digest(std::string_view text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos || text.size() - dash - 1 != digest_digits) return text;
    const std::string_view digest = text.substr(dash + 1);
    if (digest.find_first_not_of("0123456789abcdef") != std::string_view::npos) return text;
    return text.substr(0, dash);
}

// Digits without leading zeros.
std::optional<Version> parse_version(std::string_view text) {
    Version version = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, version);
    if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
    if (text.size() > 1 && text.front() == '0') return std::nullopt;
    if (version > largest_version) return std::nullopt;
    return version;
}

}  // namespace

std::string etag_of(Version version) { return '"' + std::to_string(version) + '"'; }

std::string etag_of(const Instance& instance, const std::optional<TaskId>& active_task) {
    const auto& checkpoint = instance.last_checkpoint;
    if (!instance.quarantined && !checkpoint && !active_task) return etag_of(instance.version);
    std::string shown = instance.quarantined ? "quarantined" : "";
    shown += '\n' + (active_task ? to_string(*active_task) : "") + '\n';
    if (checkpoint)
        shown += checkpoint->name + '\n' + std::to_string(checkpoint->version) + '\n' +
                 to_iso8601(checkpoint->at);
    return '"' + std::to_string(instance.version) + '-' +
           to_hex(sha256(shown)).substr(0, digest_digits) + '"';
}

Result<std::optional<IfMatch>> parse_if_match(const Headers& headers, Presence presence) {
    const auto header = headers.find("If-Match");
    if (!header) {
        if (presence == Presence::optional) return std::nullopt;
        return fail(
            ErrorCode::invalid_argument,
            "If-Match is required: send the version you last read, for example If-Match: \"3\"");
    }
    const std::string_view value = trimmed(*header);
    if (headers.count("If-Match") > 1 || value.find(',') != std::string_view::npos)
        return fail(ErrorCode::invalid_argument, "If-Match takes one version, not a list");
    if (value.starts_with("W/"))
        return fail(ErrorCode::invalid_argument,
                    "If-Match takes a strong ETag: send \"3\", not W/\"3\"");
    if (value == "*") return IfMatch{};
    const auto version = parse_version(without_digest(unquoted(value)));
    if (!version)
        return fail(ErrorCode::invalid_argument,
                    "If-Match must be a version in quotes, for example If-Match: \"3\"");
    return IfMatch{version};
}

bool none_match_names(const Headers& headers, std::string_view etag) {
    const auto header = headers.find("If-None-Match");
    if (!header) return false;
    std::string_view rest = *header;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        std::string_view tag = trimmed(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        if (tag == "*") return true;
        if (tag.starts_with("W/")) tag.remove_prefix(2);
        if (unquoted(tag) == unquoted(etag)) return true;
    }
    return false;
}

}  // namespace holdfast::http
