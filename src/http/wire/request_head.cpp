#include "http/wire/request_head.h"

#include <algorithm>
#include <charconv>

#include "http/responses/problem.h"
#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

using Refusal = std::optional<Response>;  // absent: accepted

constexpr std::size_t request_line_around_target = 32;  // a long method, two spaces, the version

Response too_large() {
    return problem(431, "headers-too-large", "Headers too large",
                   "the request has too many headers, or they are too long");
}

Response target_too_long() {
    return problem(414, "target-too-long", "Target too long", "the request target is too long");
}

// Removes the bytes up to and including `mark` from the front of `text` and returns those before
// it; absent: there is no mark.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view mark) {
    const std::size_t end = text.find(mark);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(end + mark.size());
    return taken;
}

Method method_of(std::string_view name) {
    using enum Method;
    for (const Method method : {get, post, put, patch, del, head})
        if (name == name_of(method)) return method;
    return other;
}

Refusal read_version(std::string_view version, RequestHead& head) {
    if (version == "HTTP/1.1") return std::nullopt;
    if (version == "HTTP/1.0") {
        head.version = Version::http_1_0;
        head.persistence = Persistence::close;
        return std::nullopt;
    }
    const bool other_version = version.size() == 8 && version.starts_with("HTTP/") &&
                               is_digit(version[5]) && version[6] == '.' && is_digit(version[7]);
    if (!other_version) return malformed("the request line must end with an HTTP version");
    return problem(505, "http-version", "HTTP version not supported", "send HTTP/1.1");
}

Refusal read_request_line(std::string_view line, const HeadLimits& limits, RequestHead& head) {
    const auto method = take_until(line, " ");
    if (!method || !is_token(*method)) return malformed("the request line has no valid method");
    const auto target = take_until(line, " ");
    if (!target || target->empty() || std::ranges::any_of(*target, is_control))
        return malformed("the request line has no valid target");
    if (target->size() > limits.target) return target_too_long();
    head.request.method = method_of(*method);
    head.request.target = *target;
    return read_version(line, head);
}

Refusal read_field(std::string_view line, Headers& headers) {
    if (line.starts_with(' ') || line.starts_with('\t'))
        return malformed("a header must not be folded over several lines");
    const auto name = take_until(line, ":");
    if (!name || !is_token(*name)) return malformed("a header has no valid name");
    const std::string_view value = trimmed(line);
    if (std::ranges::any_of(value, [](char c) { return is_control(c) && c != '\t'; }))
        return malformed("a header has a control character");
    headers.add(std::string(*name), std::string(value));
    return std::nullopt;
}

Refusal read_content_length(std::string_view value, RequestHead& head) {
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), head.content_length);
    if (value.empty() || !std::ranges::all_of(value, is_digit) || error != std::errc{})
        return malformed("Content-Length must be a number");
    if (head.content_length > 0) head.framing = Framing::length;
    return std::nullopt;
}

Refusal read_framing(RequestHead& head) {
    const Headers& headers = head.request.headers;
    const std::size_t lengths = headers.count("Content-Length");
    const std::size_t codings = headers.count("Transfer-Encoding");
    if (lengths > 1) return malformed("send Content-Length only once");
    if (lengths > 0 && codings > 0)
        return malformed("send Content-Length or Transfer-Encoding, not both");
    if (lengths == 1) return read_content_length(*headers.find("Content-Length"), head);
    if (codings == 0) return std::nullopt;
    const bool chunked = same_ignoring_case(*headers.find("Transfer-Encoding"), "chunked");
    if (codings > 1 || !chunked || head.version == Version::http_1_0)
        return malformed("the only supported Transfer-Encoding is chunked, once, in HTTP/1.1");
    head.framing = Framing::chunked;
    return std::nullopt;
}

void read_connection(RequestHead& head) {
    for (const auto& [name, value] : head.request.headers.fields()) {
        if (!same_ignoring_case(name, "Connection")) continue;
        std::string_view rest = value;
        while (!rest.empty()) {
            const std::string_view option = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(option.size() + 1, rest.size()));
            if (same_ignoring_case(trimmed(option), "close")) {
                head.persistence = Persistence::close;
                return;
            }
            if (same_ignoring_case(trimmed(option), "keep-alive"))
                head.persistence = Persistence::keep_alive;
        }
    }
}

Refusal read_expectation(RequestHead& head) {
    const auto expect = head.request.headers.find("Expect");
    if (!expect || head.version == Version::http_1_0) return std::nullopt;
    if (!same_ignoring_case(*expect, "100-continue"))
        return problem(417, "expectation-failed", "Expectation failed",
                       "the only supported Expect value is 100-continue");
    if (head.framing != Framing::none) head.expectation = Expectation::to_continue;
    return std::nullopt;
}

Refusal read_fields(std::string_view lines, Headers& headers) {
    while (!lines.empty()) {
        const auto line = take_until(lines, "\r\n");
        if (!line) return malformed("a header line does not end with CRLF");
        if (auto refusal = read_field(*line, headers)) return refusal;
    }
    return std::nullopt;
}

// `block` is the head without its empty line; every line ends with CRLF.
std::expected<std::optional<RequestHead>, Response> parse(std::string_view block,
                                                          const HeadLimits& limits) {
    RequestHead head;
    const auto request_line = take_until(block, "\r\n");
    if (!request_line) return std::unexpected(malformed("the request line is missing"));
    if (auto refusal = read_request_line(*request_line, limits, head))
        return std::unexpected(std::move(*refusal));
    if (auto refusal = read_fields(block, head.request.headers))
        return std::unexpected(std::move(*refusal));
    if (auto refusal = read_framing(head)) return std::unexpected(std::move(*refusal));
    read_connection(head);
    if (auto refusal = read_expectation(head)) return std::unexpected(std::move(*refusal));
    return head;
}

}  // namespace

std::expected<std::optional<RequestHead>, Response> HeadReader::read(std::string_view bytes) {
    for (;;) {
        const std::size_t newline = bytes.find('\n', scanned_);
        const std::size_t size = std::min(newline, bytes.size());
        if (lines_ == 0 && size > limits_.target + request_line_around_target)
            return std::unexpected(target_too_long());
        if (size >= limits_.block) return std::unexpected(too_large());
        if (newline == std::string_view::npos) break;

        if (newline == line_start_ || bytes[newline - 1] != '\r')
            return std::unexpected(malformed("a line ends with LF alone"));
        const bool empty = newline == line_start_ + 1;
        scanned_ = newline + 1;
        if (empty) {
            auto head = parse(bytes.substr(0, line_start_), limits_);
            if (head) (*head)->size = scanned_;
            return head;
        }
        if (lines_ > limits_.fields) return std::unexpected(too_large());
        ++lines_;
        line_start_ = scanned_;
    }
    scanned_ = bytes.size();
    return std::nullopt;
}

}  // namespace holdfast::http
