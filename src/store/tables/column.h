// How a member of a row is stored: what the descriptions of the tables (beside this file) are made
// of. A description names each column once; reading, writing and both dialects follow from it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/ids/digest.h"
#include "base/ids/uuid.h"
#include "base/json/document.h"
#include "base/time/moment.h"
#include "store/load_document.h"

namespace holdfast::tables {

// JSON that the database may look into.
struct JsonText {
    std::string text;
};

// Bytes that need not be text.
struct Bytes {
    std::string bytes;
};
struct BytesView {
    std::string_view bytes;
};

// A list of texts, as it was read; written as JSON.
struct TextList {
    std::optional<std::vector<std::string>> texts;  // absent: it is something else
};

template <class T>
inline constexpr bool is_id = false;
template <class Tag>
inline constexpr bool is_id<Id<Tag>> = true;

// The types that every dialect reads and writes as they are, beside text.
template <class T>
concept Plain =
    std::same_as<T, bool> || std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, Digest> || std::same_as<T, Moment> ||
    std::same_as<T, JsonText> || is_id<T>;

// `Column`: what is read. `to_column`: what is written. `from_column`: false if the column has no
// such value.
template <class T>
struct Stored;

template <Plain T>
struct Stored<T> {
    using Column = T;
    static const T& to_column(const T& member) { return member; }
    static const T& to_column(T&& member) = delete;
    static bool from_column(T column, T& member) {
        member = std::move(column);
        return true;
    }
};

template <>
struct Stored<std::string> {
    using Column = std::string;
    static std::string_view to_column(const std::string& member) { return member; }
    static bool from_column(std::string column, std::string& member) {
        member = std::move(column);
        return true;
    }
};

// By name; one that has no name of ours makes the row corrupt.
template <class Enum>
    requires std::is_enum_v<Enum>
struct Stored<Enum> {
    using Column = std::string;
    static std::string_view to_column(Enum member) { return name_of(member); }
    static bool from_column(const std::string& column, Enum& member) {
        const std::optional<Enum> known = parse_name(column, std::type_identity<Enum>{});
        if (known) member = *known;
        return known.has_value();
    }
};

template <>
struct Stored<json::Document> {
    using Column = std::string;
    static std::string_view to_column(const json::Document& member) { return member.text(); }
    static bool from_column(std::string column, json::Document& member) {
        const Digest checksum = sha256(column);
        member = json::Document::trusted(std::move(column), checksum);
        return true;
    }
};

template <>
struct Stored<std::chrono::microseconds> {
    using Column = std::int64_t;
    static std::int64_t to_column(std::chrono::microseconds member) { return member.count(); }
    static bool from_column(std::int64_t column, std::chrono::microseconds& member) {
        member = std::chrono::microseconds(column);
        return true;
    }
};

// Not copied: what is bound to a statement must outlive its execution.
template <Plain T>
struct Stored<std::optional<T>> {
    using Column = std::optional<T>;
    static const Column& to_column(const Column& member) { return member; }
    static const Column& to_column(Column&& member) = delete;
    static bool from_column(Column column, Column& member) {
        member = std::move(column);
        return true;
    }
};

template <class T>
struct Stored<std::optional<T>> {
    using Column = std::optional<typename Stored<T>::Column>;
    static auto to_column(const std::optional<T>& member) {
        using Written = std::remove_cvref_t<decltype(Stored<T>::to_column(*member))>;
        return member ? std::optional<Written>(Stored<T>::to_column(*member)) : std::nullopt;
    }
    static bool from_column(Column column, std::optional<T>& member) {
        member.reset();
        return !column || Stored<T>::from_column(*std::move(column), member.emplace());
    }
};

}  // namespace holdfast::tables
