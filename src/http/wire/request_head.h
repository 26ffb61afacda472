// Reads the head of a request from bytes, strictly by RFC 9112: what two parsers could read
// differently is refused, because that is how requests are smuggled.
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
enum class Framing { none, length, chunked };  // how the end of the body is known
enum class Persistence { keep_alive, close };
enum class Expectation { none, to_continue };

struct RequestHead {
    Request request;  // method, target as it came, headers
    Version version = Version::http_1_1;
    Framing framing = Framing::none;
    std::uint64_t content_length = 0;
    Persistence persistence = Persistence::keep_alive;
    Expectation expectation = Expectation::none;
    std::size_t size = 0;  // bytes it took, with the empty line
};

// Reads one head that arrives in pieces.
class HeadReader {
public:
    explicit HeadReader(const HeadLimits& limits) : limits_(limits) {}

    // `bytes` are all received so far, from the first of this head. Absent: more are needed. The
    // refusal is 400, 414, 417, 431 or 505, and the connection must close: where the next request
    // begins is not known.
    std::expected<std::optional<RequestHead>, Response> read(std::string_view bytes);

private:
    HeadLimits limits_;
    std::size_t scanned_ = 0;     // before it no line is left to look at
    std::size_t line_start_ = 0;  // of the line being received
    std::size_t lines_ = 0;       // complete ones
};

}  // namespace holdfast::http
