#include "http/wire/target.h"

#include <optional>

#include "base/utf8.h"
#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

constexpr std::size_t longest_target = 8 * 1024;

enum class Part { path, query };

std::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::invalid_argument, std::move(message));
}

// The byte that the `%xx` at the start of `text` encodes.
std::optional<char> unescape(std::string_view text) {
    if (text.size() < 3) return std::nullopt;
    const int high = hex_value(text[1]);
    const int low = hex_value(text[2]);
    if (high < 0 || low < 0) return std::nullopt;
    return static_cast<char>(high * 16 + low);
}

Result<std::string> decode(std::string_view text, Part part) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const auto byte = unescape(text.substr(i));
            if (!byte) return refuse("the request target has an invalid percent escape");
            if (part == Part::path && *byte == '/')
                return refuse("the path must not have an encoded slash");
            c = *byte;
            i += 2;
        } else if (c == '+' && part == Part::query) {
            c = ' ';
        }
        if (is_control(c)) return refuse("the request target must not have a control character");
        if (part == Part::path && c == '\\') return refuse("the path must not have a backslash");
        decoded += c;
    }
    if (!is_utf8(decoded)) return refuse("the request target must be UTF-8");
    return decoded;
}

Result<std::string> decode_segment(std::string_view raw) {
    if (raw.empty()) return refuse("the path must not have an empty segment");
    if (raw.contains(';')) return refuse("the path must not have a ';'");
    auto segment = decode(raw, Part::path);
    if (segment && (*segment == "." || *segment == ".."))
        return refuse("the path must not have a '.' or '..' segment");
    return segment;
}

Result<std::vector<std::string>> parse_path(std::string_view path) {
    std::vector<std::string> segments;
    if (!path.starts_with('/')) return refuse("the request target must begin with '/'");
    if (path == "/") return segments;
    if (path.ends_with('/') && !path.ends_with("//"))
        return fail(ErrorCode::not_found, "no such route; remove the trailing slash");
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find('/'), path.size());
        auto segment = decode_segment(path.substr(0, end));
        if (!segment) return std::unexpected(std::move(segment.error()));
        segments.push_back(std::move(*segment));
        path.remove_prefix(end);
    }
    return segments;
}

Result<std::vector<std::pair<std::string, std::string>>> parse_query(std::string_view query) {
    std::vector<std::pair<std::string, std::string>> pairs;
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        if (pair.empty()) continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        auto name = decode(pair.substr(0, equals), Part::query);
        if (!name) return std::unexpected(std::move(name.error()));
        auto value = decode(pair.substr(std::min(equals + 1, pair.size())), Part::query);
        if (!value) return std::unexpected(std::move(value.error()));
        pairs.emplace_back(std::move(*name), std::move(*value));
    }
    return pairs;
}

}  // namespace

Result<Target> parse_target(std::string_view target) {
    if (target.size() > longest_target)
        return refuse("the request target must not be longer than 8 KiB");
    if (target.contains('#')) return refuse("the request target must not have a fragment");
    const std::size_t mark = std::min(target.find('?'), target.size());
    auto path = parse_path(target.substr(0, mark));
    if (!path) return std::unexpected(std::move(path.error()));
    auto query = parse_query(target.substr(std::min(mark + 1, target.size())));
    if (!query) return std::unexpected(std::move(query.error()));
    return Target{.path = std::move(*path), .query = std::move(*query)};
}

}  // namespace holdfast::http
