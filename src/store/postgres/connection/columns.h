// Reads and encodes the columns of described tables.
#pragma once

#include "store/postgres/connection/binary.h"
#include "store/postgres/connection/rows.h"
#include "store/tables/decode.h"

namespace holdfast::postgres {

inline bool read_column(Row& row, std::type_identity<bool>) { return row.boolean(); }
inline std::uint32_t read_column(Row& row, std::type_identity<std::uint32_t>) { return row.int4(); }
inline std::uint64_t read_column(Row& row, std::type_identity<std::uint64_t>) { return row.int8(); }
inline std::int64_t read_column(Row& row, std::type_identity<std::int64_t>) {
    return static_cast<std::int64_t>(row.int8());
}
inline std::string read_column(Row& row, std::type_identity<std::string>) { return row.text(); }
inline tables::Bytes read_column(Row& row, std::type_identity<tables::Bytes>) {
    return {row.text()};
}
inline Digest read_column(Row& row, std::type_identity<Digest>) { return row.digest(); }
inline Moment read_column(Row& row, std::type_identity<Moment>) { return row.moment(); }
template <class Tag>
Id<Tag> read_column(Row& row, std::type_identity<Id<Tag>>) {
    return row.id<Id<Tag>>();
}
inline tables::JsonText read_column(Row& row, std::type_identity<tables::JsonText>) {
    return {std::string(row.jsonb())};
}
inline tables::TextList read_column(Row& row, std::type_identity<tables::TextList>) {
    return {row.texts()};
}
template <class T>
std::optional<T> read_column(Row& row, std::type_identity<std::optional<T>>) {
    if (row.null()) return std::nullopt;
    return read_column(row, std::type_identity<T>{});
}

// Reads the columns of `Table`. One that has no value of ours makes the exchange corrupt.
template <class Table>
typename Table::Row read_row(Row& row) {
    typename Table::Row read;
    tables::Decode decode(row);
    Table::columns(decode, read);
    if (!decode.unknown().empty()) row.mark_corrupt(Table::name, decode.unknown());
    return read;
}

// One array for each column of `Table`, with the values of all rows.
class ColumnArrays {
public:
    explicit ColumnArrays(std::size_t rows) : rows_(rows) {}

    template <class Table>
    void add(const typename Table::Row& row) {
        column_ = 0;
        Table::columns(*this, row);
    }
    template <class Member>
    void operator()(std::string_view, const Member& member) {
        const auto& value = on_wire(tables::Stored<Member>::to_column(member));
        using Value = std::remove_cvref_t<decltype(value)>;
        if (column_ == arrays_.size()) arrays_.emplace_back(WireTypeOf<Value>::type, rows_);
        arrays_[column_++].add(value);
    }
    std::vector<ArrayBytes> take() && { return std::move(arrays_); }

private:
    template <class T>
    static T on_wire(const T& value) {
        return value;
    }
    static std::optional<Digest> on_wire(const Digest* value) {
        return value ? std::optional(*value) : std::nullopt;
    }
    static Bytea on_wire(tables::BytesView value) { return {value.bytes}; }
    static Jsonb on_wire(const tables::JsonText& value) { return {value.text}; }
    static std::optional<Jsonb> on_wire(const std::optional<tables::JsonText>& value) {
        return value ? std::optional(on_wire(*value)) : std::nullopt;
    }

    const std::size_t rows_;
    std::vector<ArrayBytes> arrays_;
    std::size_t column_ = 0;
};

// The rows of items that are pointers, or entries of a map.
inline constexpr auto row_at = [](const auto* row) -> const auto& { return *row; };
inline constexpr auto value_of = [](const auto& pair) -> const auto& { return pair.second; };

// Adds the arrays of `Table`; `row_of` gives the row of an item.
template <class Table, class Items, class RowOf>
void add_columns(Parameters& parameters, const Items& items, RowOf row_of) {
    ColumnArrays columns(items.size());
    for (const auto& item : items) columns.add<Table>(row_of(item));
    for (ArrayBytes& array : std::move(columns).take()) parameters.add_array(std::move(array));
}

}  // namespace holdfast::postgres
