#include "http/input/cursor.h"

#include "base/ids/byte_text.h"
#include "base/ids/digest.h"

namespace holdfast::http {
namespace {

constexpr std::size_t seal_size = 6;

std::string seal(std::string_view filters) {
    const Digest digest = sha256(filters);
    return {reinterpret_cast<const char*>(digest.bytes.data()), seal_size};
}

}  // namespace

std::string make_cursor(std::string_view position, std::string_view filters) {
    return to_base64url(seal(filters) + std::string(position));
}

Result<std::string> read_cursor(std::string_view cursor, std::string_view filters) {
    const auto bytes = from_base64url(cursor);
    if (!bytes || bytes->size() <= seal_size)
        return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    if (bytes->substr(0, seal_size) != seal(filters))
        return fail(ErrorCode::invalid_argument,
                    "the cursor belongs to other filters; repeat the query that returned it, or "
                    "start without a cursor");
    return bytes->substr(seal_size);
}

}  // namespace holdfast::http
