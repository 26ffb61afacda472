// Converts user values: arguments, results and events are stored as JSON, converted as Boost.JSON
// does (standard containers, Boost.Describe structs, or your own tag_invoke).
#pragma once

#include <boost/describe/members.hpp>
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
namespace flow {

template <class T, class... Ts>
concept OneOf = (std::same_as<T, Ts> || ...);

// Converted by code that is compiled into the library, so that programs compile faster.
template <class T>
concept Basic = OneOf<T, bool, short, unsigned short, int, unsigned, long, unsigned long, long long,
                      unsigned long long, float, double, std::string>;

template <class T>
concept HasOwnConversion =
    requires(const Json& value) { tag_invoke(boost::json::value_to_tag<T>(), value); } ||
    requires(const Json& value) { tag_invoke(boost::json::try_value_to_tag<T>(), value); } ||
    requires(Json& value, const T& from) {
        tag_invoke(boost::json::value_from_tag(), value, from);
    };

// A BOOST_DESCRIBE_STRUCT, stored as an object.
template <class T>
concept Described = boost::json::is_described_class<T>::value && !HasOwnConversion<T>;

}  // namespace flow

template <class T>
concept Storable = std::is_void_v<T> || std::same_as<T, std::monostate> || std::same_as<T, Json> ||
                   flow::Basic<T> || flow::Described<T> ||
                   (boost::json::has_value_from<T>::value && boost::json::has_value_to<T>::value);

namespace flow {

// Replaces void in tuples and variants.
template <class T>
using Held = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

// String literals and the like: stored as a string, read back as a std::string.
template <class T>
concept Text = !Storable<T> && std::convertible_to<const T&, std::string_view>;

void put_member(Json& object, const char* name, Json value);

template <class T>
Json to_value(T&& value) {
    using Plain = std::remove_cvref_t<T>;
    static_assert(Storable<Plain> || Text<Plain>,
                  "holdfast stores this value as JSON: describe the type with "
                  "BOOST_DESCRIBE_STRUCT, or give it a tag_invoke for boost::json");
    if constexpr (std::same_as<Plain, std::monostate>) {
        return nullptr;
    } else if constexpr (std::same_as<Plain, std::string> || Text<Plain>) {
        return Json(std::string_view(value));
    } else if constexpr (Basic<Plain>) {
        return Json(value);
    } else if constexpr (Described<Plain>) {
        Json object(boost::json::object_kind);
        const auto put = [&]<template <class...> class List, class... Ms>(List<Ms...>) {
            (put_member(object, Ms::name, to_value(std::forward<T>(value).*Ms::pointer)), ...);
        };
        put(boost::describe::describe_members<Plain, boost::describe::mod_public>());
        return object;
    } else {
        return boost::json::value_from(std::forward<T>(value));
    }
}

// Each reads a stored value of the program's type: false and the reason if it is of another one.
template <Basic T>
bool read_value(const Json& value, T& into, std::string& reason);
template <Described T>
bool read_value(const Json& value, T& into, std::string& reason);
template <class T>
bool read_value(const Json& value, T& into, std::string& reason);

// Null and the reason: not an object of that many members, or it has no such member.
const Json* find_members(const Json& value, std::size_t count, std::string& reason);
const Json* find_member(const Json& object, const char* name, std::string& reason);
void name_member(std::string& reason, const char* name);

template <class T>
bool read_member(const Json& object, const char* name, T& into, std::string& reason) {
    const Json* value = find_member(object, name, reason);
    if (!value) return false;
    if (read_value(*value, into, reason)) return true;
    name_member(reason, name);
    return false;
}

template <Described T>
bool read_value(const Json& value, T& into, std::string& reason) {
    const auto read = [&]<template <class...> class List, class... Ms>(List<Ms...>) {
        const Json* object = find_members(value, sizeof...(Ms), reason);
        return object && (read_member(*object, Ms::name, into.*Ms::pointer, reason) && ...);
    };
    return read(boost::describe::describe_members<T, boost::describe::mod_public>());
}

template <class T>
bool read_value(const Json& value, T& into, std::string& reason) {
    auto read = boost::json::try_value_to<T>(value);
    if (!read) {
        reason = read.error().message();
        return false;
    }
    into = *std::move(read);
    return true;
}

// Where a value belongs, for error messages: "flow 'checkout', step 'charge'".
struct Place {
    virtual std::string text() const = 0;

protected:
    ~Place() = default;
};

// Throws Misuse: the stored value is of another type than the program reads.
[[noreturn]] void throw_unreadable(const Place& place, const std::string& reason,
                                   const Json& value);

template <class T>
Held<T> from_value(const Json& value, const Place& place) {
    static_assert(Storable<T>,
                  "holdfast stores this value as JSON: describe the type with "
                  "BOOST_DESCRIBE_STRUCT, or give it a tag_invoke for boost::json");
    if constexpr (std::same_as<Held<T>, std::monostate>) {
        return {};
    } else if constexpr (std::same_as<T, Json>) {
        return value;
    } else if constexpr (Basic<T> || Described<T>) {
        T read{};
        std::string reason;
        if (!read_value(value, read, reason)) throw_unreadable(place, reason, value);
        return read;
    } else {
        auto read = boost::json::try_value_to<T>(value);
        if (!read) throw_unreadable(place, read.error().message(), value);
        return *std::move(read);
    }
}

// The arguments of a flow or a step, in order.
template <class... Ts>
Json to_array(Ts&&... values) {
    Json list(boost::json::array_kind);
    list.get_array().reserve(sizeof...(Ts));
    (list.get_array().push_back(to_value(std::forward<Ts>(values))), ...);
    return list;
}

}  // namespace flow
}  // namespace holdfast
