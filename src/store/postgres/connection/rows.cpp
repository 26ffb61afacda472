#include "store/postgres/connection/rows.h"

#include <libpq-fe.h>

#include <cstring>

#include "base/assert.h"
#include "store/postgres/connection/epoch.h"

namespace holdfast::postgres {
namespace {

constexpr const char* fits = "the columns of a statement match its reader";

template <class Integer>
Integer big_endian(std::string_view bytes) {
    HF_ASSERT(bytes.size() >= sizeof(Integer), fits);
    Integer value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i)
        value = static_cast<Integer>(value << 8 | static_cast<std::uint8_t>(bytes[i]));
    return value;
}

// The elements of a one-dimensional array without nulls.
std::vector<std::string_view> elements(std::string_view array) {
    std::vector<std::string_view> found;
    if (big_endian<std::uint32_t>(array) == 0) return found;
    const auto size = big_endian<std::uint32_t>(array.substr(12));
    array.remove_prefix(20);
    for (std::uint32_t i = 0; i < size; ++i) {
        const auto length = big_endian<std::uint32_t>(array);
        HF_ASSERT(array.size() - 4 >= length, fits);
        found.push_back(array.substr(4, length));
        array.remove_prefix(4 + length);
    }
    return found;
}

Uuid uuid_of(std::string_view bytes) {
    Uuid id;
    HF_ASSERT(bytes.size() == id.bytes.size(), fits);
    std::memcpy(id.bytes.data(), bytes.data(), bytes.size());
    return id;
}

}  // namespace

std::string_view Row::bytes() {
    HF_ASSERT(column_ < PQnfields(result_), fits);
    HF_ASSERT(PQgetisnull(result_, row_, column_) == 0, "a column read as present is not null");
    const auto size = static_cast<std::size_t>(PQgetlength(result_, row_, column_));
    return {PQgetvalue(result_, row_, column_++), size};
}

std::string_view Row::bytes(std::size_t size) {
    const std::string_view value = bytes();
    HF_ASSERT(value.size() == size, fits);
    return value;
}

bool Row::null() {
    HF_ASSERT(column_ < PQnfields(result_), fits);
    const bool is_null = PQgetisnull(result_, row_, column_) != 0;
    if (is_null) ++column_;
    return is_null;
}

std::uint32_t Row::int4() { return big_endian<std::uint32_t>(bytes(4)); }
std::uint64_t Row::int8() { return big_endian<std::uint64_t>(bytes(8)); }
Uuid Row::uuid() { return uuid_of(bytes()); }

std::string_view Row::jsonb() {
    std::string_view value = bytes();
    HF_ASSERT(!value.empty() && value.front() == 1, "jsonb has format version 1");
    value.remove_prefix(1);
    return value;
}

Digest Row::digest() {
    Digest digest;
    // A damaged row may have any length here. Zeros match no document, so it is found corrupt.
    const std::string_view value = bytes();
    if (value.size() == digest.bytes.size())
        std::memcpy(digest.bytes.data(), value.data(), value.size());
    return digest;
}

Moment Row::moment() {
    return server_epoch + std::chrono::microseconds(static_cast<std::int64_t>(int8()));
}

std::vector<Uuid> Row::uuids() {
    std::vector<Uuid> ids;
    for (const std::string_view element : elements(bytes())) ids.push_back(uuid_of(element));
    return ids;
}

std::vector<std::string> Row::texts() {
    std::vector<std::string> texts;
    for (const std::string_view element : elements(bytes())) texts.emplace_back(element);
    return texts;
}

std::size_t Rows::size() const {
    return single_.size() + static_cast<std::size_t>(PQntuples(result_.get()));
}

std::size_t Rows::bytes_of(const pg_result* row) {
    std::size_t bytes = 0;
    for (int column = 0; column < PQnfields(row); ++column)
        bytes += static_cast<std::size_t>(PQgetlength(row, 0, column));
    return bytes;
}

std::string_view Rows::tag() const { return PQcmdStatus(result_.get()); }

void Rows::clear(pg_result* result) { PQclear(result); }

void Row::mark_corrupt(std::string_view table, std::string_view column) {
    HF_ASSERT(damage_, "rows with columns of ours come from an exchange");
    *damage_ = std::string(table) + " has a row with an unknown " + std::string(column);
}

}  // namespace holdfast::postgres
