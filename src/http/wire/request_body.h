// Reads a request's body, delimited by length or by chunks.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "http/wire/request_head.h"

namespace holdfast::http {

class BodyReader {
public:
    BodyReader() = default;  // no body: done
    BodyReader(Framing framing, std::uint64_t content_length, std::size_t limit);

    // Appends to `body` and returns how many of `bytes` were consumed; bytes after the body are
    // not consumed. The refusal is 400 or 413, and the connection must close. Trailers and chunk
    // extensions are dropped.
    std::expected<std::size_t, Response> read(std::string_view bytes, std::string& body);

    bool is_done() const { return step_ == Step::done; }

private:
    enum class Step { data, size_line, data_of_chunk, end_of_chunk, trailer, done };

    std::expected<std::size_t, Response> take_data(std::string_view bytes, std::string& body);
    std::expected<std::size_t, Response> take_line(std::string_view bytes, const std::string& body);
    std::expected<void, Response> end_line(const std::string& body);
    std::expected<void, Response> begin_chunk(const std::string& body);

    Step step_ = Step::done;
    std::uint64_t remaining_ = 0;  // of the body, or of this chunk
    std::size_t limit_ = 0;
    std::string line_;  // the size line, chunk end or trailer being received
    std::size_t trailer_bytes_ = 0;
};

}  // namespace holdfast::http
