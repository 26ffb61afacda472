#include "http/wire/request_body.h"

#include <algorithm>

#include "http/responses/problem.h"
#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

constexpr std::size_t longest_line = 1024;
constexpr std::size_t most_trailer_bytes = 8 * 1024;
constexpr std::size_t most_size_digits = 8;  // 4 GiB, far above any limit

std::unexpected<Response> malformed_body(std::string_view detail) {
    return std::unexpected(malformed(detail));
}

std::unexpected<Response> too_large(std::size_t limit) {
    return std::unexpected(problem(413, "body-too-large", "Body too large",
                                   "the body exceeds " + std::to_string(limit) + " bytes",
                                   {{"limit", limit}}));
}

}  // namespace

BodyReader::BodyReader(Framing framing, std::uint64_t content_length, std::size_t limit)
    : step_(framing == Framing::chunked  ? Step::size_line
            : framing == Framing::length ? Step::data
                                         : Step::done),
      remaining_(content_length),
      limit_(limit) {}

std::expected<std::size_t, Response> BodyReader::read(std::string_view bytes, std::string& body) {
    if (step_ == Step::data && remaining_ > limit_) return too_large(limit_);
    std::size_t used = 0;
    while (used < bytes.size() && !is_done()) {
        const bool in_data = step_ == Step::data || step_ == Step::data_of_chunk;
        const std::string_view rest = bytes.substr(used);
        const auto taken = in_data ? take_data(rest, body) : take_line(rest, body);
        if (!taken) return taken;
        used += *taken;
    }
    return used;
}

std::expected<std::size_t, Response> BodyReader::take_data(std::string_view bytes,
                                                           std::string& body) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(remaining_, bytes.size()));
    body.append(bytes.substr(0, size));
    remaining_ -= size;
    if (remaining_ == 0) step_ = step_ == Step::data ? Step::done : Step::end_of_chunk;
    return size;
}

std::expected<std::size_t, Response> BodyReader::take_line(std::string_view bytes,
                                                           const std::string& body) {
    const std::size_t newline = bytes.find('\n');
    const bool complete = newline != std::string_view::npos;
    const std::size_t size = complete ? newline + 1 : bytes.size();
    if (line_.size() + size > longest_line)
        return malformed_body("a line of the chunked body is too long");
    line_.append(bytes.substr(0, size));
    if (!complete) return size;

    if (!line_.ends_with("\r\n"))
        return malformed_body("a line of the chunked body ends with LF alone");
    line_.resize(line_.size() - 2);
    if (std::ranges::any_of(line_, [](char c) { return is_control(c) && c != '\t'; }))
        return malformed_body("a line of the chunked body has a control character");
    if (auto ended = end_line(body); !ended) return std::unexpected(std::move(ended.error()));
    line_.clear();
    return size;
}

std::expected<void, Response> BodyReader::end_line(const std::string& body) {
    if (step_ == Step::size_line) return begin_chunk(body);
    if (step_ == Step::end_of_chunk) {
        if (!line_.empty()) return malformed_body("a chunk is longer than its size");
        step_ = Step::size_line;
        return {};
    }
    trailer_bytes_ += line_.size();
    if (trailer_bytes_ > most_trailer_bytes) return malformed_body("the trailers are too long");
    if (line_.empty()) step_ = Step::done;
    return {};
}

std::expected<void, Response> BodyReader::begin_chunk(const std::string& body) {
    const std::string_view digits = std::string_view(line_).substr(0, line_.find_first_of("; \t"));
    if (digits.empty() || digits.size() > most_size_digits)
        return malformed_body("a chunk has no valid size");
    remaining_ = 0;
    for (const char digit : digits) {
        if (hex_value(digit) < 0) return malformed_body("a chunk has no valid size");
        remaining_ = remaining_ * 16 + static_cast<std::uint64_t>(hex_value(digit));
    }
    const std::string_view extension = trimmed(std::string_view(line_).substr(digits.size()));
    if (!extension.empty() && !extension.starts_with(';'))
        return malformed_body("a chunk size is followed by neither CRLF nor an extension");
    if (remaining_ > limit_ - body.size()) return too_large(limit_);
    step_ = remaining_ == 0 ? Step::trailer : Step::data_of_chunk;
    return {};
}

}  // namespace holdfast::http
