// Converts user values: arguments, results and events are stored as JSON, converted by Boost.JSON
// (standard containers, Boost.Describe structs, or your own tag_invoke).
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "holdfast/errors.h"

namespace holdfast {

template <class T>
concept Storable = std::is_void_v<T> || std::same_as<T, std::monostate> || std::same_as<T, Json> ||
                   (boost::json::has_value_from<T>::value && boost::json::has_value_to<T>::value);

namespace flow {

// Replaces void in tuples and variants.
template <class T>
using Held = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

// String literals and the like: stored as a string, read back as a std::string.
template <class T>
concept Text = !Storable<T> && std::convertible_to<const T&, std::string_view>;

template <class T>
Json to_value(T&& value) {
    using Plain = std::remove_cvref_t<T>;
    static_assert(Storable<Plain> || Text<Plain>,
                  "holdfast stores this value as JSON: describe the type with "
                  "BOOST_DESCRIBE_STRUCT, or give it a tag_invoke for boost::json");
    if constexpr (std::same_as<Plain, std::monostate>)
        return nullptr;
    else if constexpr (Text<Plain>)
        return Json(std::string_view(value));
    else
        return boost::json::value_from(std::forward<T>(value));
}

// Throws Misuse: the stored value is of another type than the program reads.
[[noreturn]] void throw_unreadable(const std::string& where, const std::string& reason,
                                   const Json& value);

// `where` is called for error messages only: "flow 'checkout', step 'charge'".
template <class T, class Where>
Held<T> from_value(const Json& value, const Where& where) {
    static_assert(Storable<T>,
                  "holdfast stores this value as JSON: describe the type with "
                  "BOOST_DESCRIBE_STRUCT, or give it a tag_invoke for boost::json");
    if constexpr (std::same_as<Held<T>, std::monostate>) {
        return {};
    } else if constexpr (std::same_as<T, Json>) {
        return value;
    } else {
        auto read = boost::json::try_value_to<T>(value);
        if (read) return *std::move(read);
        throw_unreadable(where(), read.error().message(), value);
    }
}

// The arguments of a flow or a step, in order.
template <class... Ts>
Json to_array(Ts&&... values) {
    boost::json::array array;
    array.reserve(sizeof...(Ts));
    (array.push_back(to_value(std::forward<Ts>(values))), ...);
    return array;
}

}  // namespace flow
}  // namespace holdfast
