#include "http/page/gunzip.h"

#include <zlib.h>

#include <array>

#include "base/assert.h"

namespace holdfast::http {

std::string gunzip(std::string_view bytes) {
    constexpr int gzip_window = 15 + 16;  // zlib's way to say: with a gzip header
    z_stream stream{};
    HF_ASSERT(inflateInit2(&stream, gzip_window) == Z_OK, "zlib can be set up");
    // zlib reads through a pointer to bytes that it does not change.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    std::array<char, 64 * 1024> part{};
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        text.append(part.data(), part.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    HF_ASSERT(status == Z_STREAM_END, "the files of the page are gzip");
    return text;
}

}  // namespace holdfast::http
