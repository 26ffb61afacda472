// Reads a row by the description of its table.
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include "store/tables/forms.h"

namespace holdfast::tables {

// Reads the columns of a table from a row of a dialect, which has `read_column` for the types
// above.
template <class Row>
class Decode {
public:
    explicit Decode(Row& row) : row_(row) {}

    template <class Member>
    void operator()(std::string_view name, Member&& member) {
        using Way = Stored<std::remove_cvref_t<Member>>;
        auto column = read_column(row_, std::type_identity<typename Way::Column>{});
        if (!Way::from_column(std::move(column), member)) unknown_ = name;
    }
    // A column whose value is none of ours. Empty: the row is sound.
    std::string_view unknown() const { return unknown_; }

private:
    Row& row_;
    std::string_view unknown_;
};

}  // namespace holdfast::tables
