// Statement parameters in PostgreSQL's binary format: scalars, and one array per column of rows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/ids/digest.h"
#include "base/ids/uuid.h"
#include "base/time/moment.h"

namespace holdfast::postgres {

// Projections for the columns of a map's entries.
inline constexpr auto key_of = [](const auto& pair) -> const auto& { return pair.first; };

// JSON text for a jsonb column.
struct Jsonb {
    std::string text;
};

// Bytes for a bytea column; they must outlive the call.
struct Bytea {
    std::string_view bytes;
};

// Type OIDs of the server's catalog; fixed for built-in types.
enum class WireType : std::uint32_t {
    boolean = 16,
    bytea = 17,
    int8 = 20,
    int4 = 23,
    text = 25,
    timestamptz = 1184,
    uuid = 2950,
    jsonb = 3802,
};

template <class T>
struct WireTypeOf;
template <>
struct WireTypeOf<bool> {
    static constexpr auto type = WireType::boolean;
};
template <>
struct WireTypeOf<Digest> {
    static constexpr auto type = WireType::bytea;
};
template <>
struct WireTypeOf<std::int64_t> {
    static constexpr auto type = WireType::int8;
};
template <>
struct WireTypeOf<std::uint64_t> {
    static constexpr auto type = WireType::int8;
};
template <>
struct WireTypeOf<std::uint32_t> {
    static constexpr auto type = WireType::int4;
};
template <>
struct WireTypeOf<std::string> {
    static constexpr auto type = WireType::text;
};
template <>
struct WireTypeOf<std::string_view> {
    static constexpr auto type = WireType::text;
};
template <>
struct WireTypeOf<Moment> {
    static constexpr auto type = WireType::timestamptz;
};
template <>
struct WireTypeOf<Uuid> {
    static constexpr auto type = WireType::uuid;
};
template <>
struct WireTypeOf<Jsonb> {
    static constexpr auto type = WireType::jsonb;
};
template <>
struct WireTypeOf<Bytea> {
    static constexpr auto type = WireType::bytea;
};
template <class Tag>
struct WireTypeOf<Id<Tag>> {
    static constexpr auto type = WireType::uuid;
};
template <class T>
struct WireTypeOf<std::optional<T>> : WireTypeOf<T> {};

// Appends the bytes of one value, without its length.
void encode(std::string& bytes, bool value);
void encode(std::string& bytes, std::uint32_t value);
void encode(std::string& bytes, std::int64_t value);
void encode(std::string& bytes, std::uint64_t value);
void encode(std::string& bytes, std::string_view value);
void encode(std::string& bytes, const Digest& value);
void encode(std::string& bytes, Moment value);
void encode(std::string& bytes, const Uuid& value);
void encode(std::string& bytes, const Jsonb& value);
inline void encode(std::string& bytes, const Bytea& value) { bytes += value.bytes; }
template <class Tag>
void encode(std::string& bytes, const Id<Tag>& value) {
    encode(bytes, value.value);
}

// A one-dimensional array under construction; an element may be null.
class ArrayBytes {
public:
    ArrayBytes(WireType type, std::size_t size);

    template <class T>
    void add(const T& value) {
        const std::size_t start = open_element();
        encode(bytes_, value);
        close_element(start);
    }
    template <class T>
    void add(const std::optional<T>& value) {
        if (value) return add(*value);
        add_null();
    }
    std::string take() && { return std::move(bytes_); }

private:
    std::size_t open_element();
    void close_element(std::size_t start);
    void add_null();

    std::string bytes_;
};

class Parameters {
public:
    template <class T>
    Parameters& add(const T& value) {
        std::string bytes;
        encode(bytes, value);
        return push(std::move(bytes));
    }
    Parameters& add(const char* text) { return add(std::string_view(text)); }
    template <class T>
    Parameters& add(const std::optional<T>& value) {
        return value ? add(*value) : push(std::nullopt);
    }
    Parameters& null() { return push(std::nullopt); }

    // One array with `column(row)` of every row.
    template <class Rows, class Column>
    Parameters& array(const Rows& rows, Column column) {
        using Value = std::remove_cvref_t<std::invoke_result_t<Column, decltype(*rows.begin())>>;
        ArrayBytes values(WireTypeOf<Value>::type, rows.size());
        for (const auto& row : rows) values.add(std::invoke(column, row));
        return push(std::move(values).take());
    }
    Parameters& add_array(ArrayBytes array) { return push(std::move(array).take()); }
    // The values themselves as an array.
    template <class Rows>
    Parameters& array(const Rows& rows) {
        return array(rows, [](const auto& value) -> const auto& { return value; });
    }

    std::size_t size() const { return values_.size(); }
    std::span<const std::optional<std::string>> values() const { return values_; }

private:
    Parameters& push(std::optional<std::string> value);

    std::vector<std::optional<std::string>> values_;
};

}  // namespace holdfast::postgres
