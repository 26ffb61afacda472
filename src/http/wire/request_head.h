// Parses the head of a request, strictly by RFC 9112: input that two parsers could read differently
// is refused, because it enables request smuggling.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "http/wire/message.h"

namespace holdfast::http {

struct HeadLimits {
    std::size_t block = 16 * 1024;  // the whole head, in bytes
    std::size_t fields = 100;
    std::size_t target = 8 * 1024;
};

enum class Version { http_1_0, http_1_1 };
enum class Framing { none, length, chunked };  // how the body is delimited
enum class Persistence { keep_alive, close };
enum class Expectation { none, to_continue };

struct RequestHead {
    Request request;  // method, undecoded target, headers
    Version version = Version::http_1_1;
    Framing framing = Framing::none;
    std::uint64_t content_length = 0;
    Persistence persistence = Persistence::keep_alive;
    Expectation expectation = Expectation::none;
    std::size_t size = 0;  // in bytes, with the empty line
};

// Reads one head that arrives in pieces.
class HeadReader {
public:
    explicit HeadReader(const HeadLimits& limits) : limits_(limits) {}

    // `bytes` are all received so far, from the first byte of this head. Absent: more are needed.
    // The refusal is 400, 414, 417, 431 or 505, and the connection must close, because the start of
    // the next request is unknown.
    std::expected<std::optional<RequestHead>, Response> read(std::string_view bytes);

private:
    HeadLimits limits_;
    std::size_t scanned_ = 0;     // everything before was checked for line ends
    std::size_t line_start_ = 0;  // of the line being received
    std::size_t lines_ = 0;       // complete ones
};

}  // namespace holdfast::http
