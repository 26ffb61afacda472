// Names of enumerators, in one table per enum.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace holdfast {

template <class Enum>
struct Named {
    Enum value;
    std::string_view name;
};

template <class Enum, std::size_t size>
constexpr std::string_view name_in(const Named<Enum> (&table)[size], Enum value) {
    for (const auto& row : table)
        if (row.value == value) return row.name;
    return {};
}

template <class Enum, std::size_t size>
constexpr std::optional<Enum> find_in(const Named<Enum> (&table)[size], std::string_view name) {
    for (const auto& row : table)
        if (row.name == name) return row.value;
    return std::nullopt;
}

}  // namespace holdfast
