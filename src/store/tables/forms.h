// Members that are stored in a form of their own.
#pragma once

#include <functional>

#include "store/tables/column.h"

namespace holdfast::tables {

// A text that is null if it is empty.
template <class Text>
struct OrNull {
    Text& text;
};
template <class Text>
OrNull<Text> or_null(Text& text) {
    return {text};
}
template <class Text>
struct Stored<OrNull<Text>> {
    using Column = std::optional<std::string>;
    static std::optional<std::string_view> to_column(const OrNull<Text>& member) {
        return member.text.empty() ? std::nullopt : std::optional<std::string_view>(member.text);
    }
    static bool from_column(Column column, const OrNull<Text>& member) {
        member.text = std::move(column).value_or("");
        return true;
    }
};

// A text whose bytes are stored as they are.
template <class Text>
struct AsBytes {
    Text& text;
};
template <class Text>
AsBytes<Text> bytes(Text& text) {
    return {text};
}
template <class Text>
struct Stored<AsBytes<Text>> {
    using Column = Bytes;
    static BytesView to_column(const AsBytes<Text>& member) { return {member.text}; }
    static bool from_column(Column column, const AsBytes<Text>& member) {
        member.text = std::move(column.bytes);
        return true;
    }
};

// A list of texts.
template <class List>
struct Texts {
    List& list;
};
template <class List>
Texts<List> texts(List& list) {
    return {list};
}
template <class List>
struct Stored<Texts<List>> {
    using Column = TextList;
    static JsonText to_column(const Texts<List>& member) { return {paths_to_json(member.list)}; }
    static bool from_column(Column column, const Texts<List>& member) {
        if (column.texts) member.list = *std::move(column.texts);
        return column.texts.has_value();
    }
};

// A member of a struct that may be absent: null without it.
template <class Whole, class Member>
struct PartOf {
    Whole& whole;
    Member member;
};
template <class Whole, class Member>
PartOf<Whole, Member> part_of(Whole& whole, Member member) {
    return {whole, member};
}
template <class Whole, class Member>
struct Stored<PartOf<Whole, Member>> {
    using Part = std::remove_cvref_t<std::invoke_result_t<Member, typename Whole::value_type&>>;
    using Column = std::optional<typename Stored<Part>::Column>;
    static auto to_column(const PartOf<Whole, Member>& part) {
        using Written =
            std::remove_cvref_t<decltype(Stored<Part>::to_column(std::declval<const Part&>()))>;
        std::optional<Written> value;
        if (part.whole) value = Stored<Part>::to_column(std::invoke(part.member, *part.whole));
        return value;
    }
    static bool from_column(Column column, const PartOf<Whole, Member>& part) {
        if (!column) return true;
        if (!part.whole) part.whole.emplace();
        return Stored<Part>::from_column(*std::move(column), std::invoke(part.member, *part.whole));
    }
};

}  // namespace holdfast::tables
