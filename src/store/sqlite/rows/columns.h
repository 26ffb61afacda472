// Reads and binds the columns of described tables.
#pragma once

#include <deque>

#include "store/sqlite/database.h"
#include "store/tables/decode.h"

namespace holdfast::sqlite {

inline bool read_column(Statement& row, std::type_identity<bool>) { return row.flag(); }
template <std::integral T>
T read_column(Statement& row, std::type_identity<T>) {
    return static_cast<T>(row.integer());
}
inline std::string read_column(Statement& row, std::type_identity<std::string>) {
    return row.text();
}
inline tables::Bytes read_column(Statement& row, std::type_identity<tables::Bytes>) {
    return {row.bytes()};
}
inline Digest read_column(Statement& row, std::type_identity<Digest>) { return row.digest(); }
inline Moment read_column(Statement& row, std::type_identity<Moment>) { return row.moment(); }
template <class Tag>
Id<Tag> read_column(Statement& row, std::type_identity<Id<Tag>>) {
    return row.id<Id<Tag>>();
}
inline tables::JsonText read_column(Statement& row, std::type_identity<tables::JsonText>) {
    return {row.text()};
}
inline tables::TextList read_column(Statement& row, std::type_identity<tables::TextList>) {
    return {paths_from_json(row.view())};
}
template <class T>
std::optional<T> read_column(Statement& row, std::type_identity<std::optional<T>>) {
    return row.optional(
        [](Statement& column) { return read_column(column, std::type_identity<T>{}); });
}

// Reads the columns of `Table`. One that has no value of ours makes the statement fail as corrupt.
template <class Table>
void read_columns(Statement& row, typename Table::Row& into) {
    tables::Decode decode(row);
    Table::columns(decode, into);
    if (!decode.unknown().empty()) row.mark_corrupt(Table::name, decode.unknown());
}
template <class Table>
typename Table::Row read_row(Statement& row) {
    typename Table::Row read;
    read_columns<Table>(row, read);
    return read;
}

// Ids and digests are not copied by a statement.
template <class T>
inline constexpr bool is_bound_in_place = tables::is_id<T> || std::same_as<T, Digest>;
template <class T>
inline constexpr bool is_bound_in_place<std::optional<T>> = is_bound_in_place<T>;

// Binds the columns of `Table` to the parameters after those that are bound.
template <class Table>
class BoundColumns {
public:
    BoundColumns(Statement& statement, const typename Table::Row& row) : statement_(statement) {
        Table::columns(*this, row);
    }
    BoundColumns(const BoundColumns&) = delete;
    BoundColumns& operator=(const BoundColumns&) = delete;

    template <class Member>
    void operator()(std::string_view, const Member& member) {
        using Written = decltype(tables::Stored<Member>::to_column(member));
        static_assert(std::is_reference_v<Written> || !is_bound_in_place<Written>,
                      "the value would be gone before the statement runs");
        bind(tables::Stored<Member>::to_column(member));
    }

private:
    template <class T>
    void bind(const T& value) {
        statement_.bind_next(value);
    }
    void bind(const Digest* value) {
        value ? statement_.bind_next(*value) : statement_.bind_next(std::nullopt);
    }
    void bind(tables::BytesView value) { statement_.bind_next(Bytes{value.bytes}); }
    // The text is made here and must outlive the execution.
    void bind(const tables::JsonText& value) { statement_.bind_next(kept(value.text)); }
    void bind(const std::optional<tables::JsonText>& value) {
        value ? bind(*value) : statement_.bind_next(std::nullopt);
    }
    void bind(const std::optional<std::string>& value) {
        value ? statement_.bind_next(kept(*value)) : statement_.bind_next(std::nullopt);
    }
    std::string_view kept(std::string text) { return texts_.emplace_back(std::move(text)); }

    Statement& statement_;
    std::deque<std::string> texts_;
};

}  // namespace holdfast::sqlite
