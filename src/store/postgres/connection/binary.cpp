#include "store/postgres/connection/binary.h"

#include "store/postgres/connection/epoch.h"

namespace holdfast::postgres {
namespace {

template <class Integer>
void append_big_endian(std::string& bytes, Integer value) {
    for (int shift = 8 * (int{sizeof value} - 1); shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift);
}

void overwrite_big_endian(std::string& bytes, std::size_t at, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> (24 - 8 * i));
}

constexpr char jsonb_version = 1;
constexpr std::size_t has_nulls_at = 4;

}  // namespace

void encode(std::string& bytes, bool value) { bytes += static_cast<char>(value); }
void encode(std::string& bytes, std::uint32_t value) { append_big_endian(bytes, value); }
void encode(std::string& bytes, std::uint64_t value) { append_big_endian(bytes, value); }
void encode(std::string& bytes, std::int64_t value) {
    append_big_endian(bytes, static_cast<std::uint64_t>(value));
}
void encode(std::string& bytes, std::string_view value) { bytes += value; }
void encode(std::string& bytes, const Digest& value) {
    bytes.append(reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size());
}
void encode(std::string& bytes, Moment value) {
    encode(bytes, std::int64_t{(value - server_epoch).count()});
}
void encode(std::string& bytes, const Uuid& value) {
    bytes.append(reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size());
}
void encode(std::string& bytes, const Jsonb& value) {
    bytes += jsonb_version;
    bytes += value.text;
}

ArrayBytes::ArrayBytes(WireType type, std::size_t size) {
    const bool empty = size == 0;
    bytes_.reserve(20 + size * 20);
    append_big_endian(bytes_, std::uint32_t{empty ? 0U : 1U});  // dimensions
    append_big_endian(bytes_, std::uint32_t{0});                // no nulls so far
    append_big_endian(bytes_, static_cast<std::uint32_t>(type));
    if (empty) return;
    append_big_endian(bytes_, static_cast<std::uint32_t>(size));
    append_big_endian(bytes_, std::uint32_t{1});  // lower bound
}

std::size_t ArrayBytes::open_element() {
    append_big_endian(bytes_, std::uint32_t{0});
    return bytes_.size();
}

void ArrayBytes::close_element(std::size_t start) {
    overwrite_big_endian(bytes_, start - 4, static_cast<std::uint32_t>(bytes_.size() - start));
}

void ArrayBytes::add_null() {
    overwrite_big_endian(bytes_, has_nulls_at, 1);
    append_big_endian(bytes_, ~std::uint32_t{0});
}

Parameters& Parameters::push(std::optional<std::string> value) {
    values_.push_back(std::move(value));
    return *this;
}

}  // namespace holdfast::postgres
