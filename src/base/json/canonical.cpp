#include "base/json/canonical.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include "base/json/number.h"

namespace holdfast::json {

namespace {

// UTF-8 bytes order like UTF-16 units except that the lead bytes of four-byte characters, which
// UTF-16 writes as surrogates, come before those of U+E000 to U+FFFF (0xee and 0xef).
unsigned utf16_rank(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0xee || byte == 0xef ? byte + 0x10u : byte;
}

bool key_before(bj::string_view a, bj::string_view b) {
    const auto [at, bt] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at == a.end() || bt == b.end()) return bt != b.end();
    return utf16_rank(*at) < utf16_rank(*bt);
}

bool member_before(const bj::key_value_pair& a, const bj::key_value_pair& b) {
    return key_before(a.key(), b.key());
}

void append_member(std::string& text, const bj::key_value_pair& member) {
    if (text.back() != '{') text += ',';
    append_canonical_string(text, {member.key().data(), member.key().size()});
    text += ':';
    append_canonical(text, member.value());
}

template <class Member, class Object>
std::vector<Member*> sorted(Object& object) {
    std::vector<Member*> members;
    members.reserve(object.size());
    for (auto& member : object) members.push_back(&member);
    std::ranges::sort(members, [](auto* a, auto* b) { return member_before(*a, *b); });
    return members;
}

bool is_sorted(const bj::object& object) {
    return std::is_sorted(object.begin(), object.end(), member_before);
}

void append_object(std::string& text, const bj::object& object) {
    text += '{';
    if (is_sorted(object)) {
        for (const auto& member : object) append_member(text, member);
    } else {
        for (const auto* member : sorted<const bj::key_value_pair>(object))
            append_member(text, *member);
    }
    text += '}';
}

void append_array(std::string& text, const bj::array& array) {
    text += '[';
    for (const bj::value& element : array) {
        if (text.back() != '[') text += ',';
        append_canonical(text, element);
    }
    text += ']';
}

void append_whole(std::string& text, const Whole& whole) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), whole.magnitude);
    if (whole.negative) text += '-';
    text.append(digits.begin(), end.ptr);
}

// Digits with the decimal point after the first `point` of them, padded with zeros.
void append_plain(std::string& text, std::string_view digits, std::int64_t point) {
    const auto size = static_cast<std::int64_t>(digits.size());
    if (point <= 0) {
        text.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
    } else if (point >= size) {
        text.append(digits).append(static_cast<std::size_t>(point - size), '0');
    } else {
        const auto whole = static_cast<std::size_t>(point);
        text.append(digits.substr(0, whole)).append(".").append(digits.substr(whole));
    }
}

void append_scientific(std::string& text, std::string_view digits, std::int64_t exponent) {
    text += digits[0];
    if (digits.size() > 1) text.append(".").append(digits.substr(1));
    text += exponent < 0 ? "e" : "e+";
    text += std::to_string(exponent);
}

enum class Notation { ecmascript, plain };

void append_double(std::string& text, double number, Notation notation) {
    const Decimal decimal = shortest_decimal(number);
    const std::int64_t point = decimal.size + decimal.exponent;
    if (decimal.negative) text += '-';
    if (notation == Notation::plain || (point > -6 && point <= 21)) {
        append_plain(text, decimal.text(), point);
    } else {
        append_scientific(text, decimal.text(), point - 1);
    }
}

// A double that is a 64-bit integer prints as one, so that equal values have equal texts.
void append_number(std::string& text, const bj::value& number, Notation notation) {
    if (const auto whole = whole_of(number)) return append_whole(text, *whole);
    append_double(text, number.get_double(), notation);
}

// The character after the backslash in the escape of `c`; 0: no escape needed, 'u': \u00XX.
constexpr std::array<char, 256> escapes = [] {
    std::array<char, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c) table[c] = 'u';
    table['\b'] = 'b';
    table['\t'] = 't';
    table['\n'] = 'n';
    table['\f'] = 'f';
    table['\r'] = 'r';
    table['"'] = '"';
    table['\\'] = '\\';
    return table;
}();

char escape_of(char c) { return escapes[static_cast<unsigned char>(c)]; }

void append_escape(std::string& text, char c) {
    text += '\\';
    text += escape_of(c);
    if (escape_of(c) != 'u') return;
    text += c < 0x10 ? "000" : "001";
    text += "0123456789abcdef"[c & 0xf];
}

// Copies in one go: nearly all strings need no escapes, and this is the hot path.
void append_quoted(std::string& text, std::string_view plain) {
    const std::size_t begin = text.size();
    const std::size_t end = begin + plain.size() + 2;
    // libstdc++ 12 passes the capacity to the callback, not the requested size.
    text.resize_and_overwrite(end, [&](char* chars, std::size_t) {
        chars[begin] = '"';
        std::ranges::copy(plain, chars + begin + 1);
        chars[end - 1] = '"';
        return end;
    });
}

}  // namespace

std::string canonical(const bj::value& value) {
    std::string text;
    if (value.is_structured()) text.reserve(512);
    append_canonical(text, value);
    text.shrink_to_fit();
    return text;
}

void sort_members(bj::value& value) {
    if (bj::array* array = value.if_array())
        for (bj::value& element : *array) sort_members(element);
    bj::object* object = value.if_object();
    if (!object) return;
    for (auto& member : *object) sort_members(member.value());
    if (is_sorted(*object)) return;
    bj::object in_order(object->storage());
    in_order.reserve(object->size());
    for (auto* member : sorted<bj::key_value_pair>(*object))
        in_order.emplace(member->key(), std::move(member->value()));
    *object = std::move(in_order);
}

std::string readable(const bj::value& value) {
    if (!value.is_object()) return canonical(value);
    std::string text = "{";
    for (const auto& member : value.get_object()) append_member(text, member);
    text += '}';
    return text;
}

void append_canonical(std::string& text, const bj::value& value) {
    switch (value.kind()) {
        case bj::kind::null: text += "null"; return;
        case bj::kind::bool_: text += value.get_bool() ? "true" : "false"; return;
        case bj::kind::int64:
        case bj::kind::uint64:
        case bj::kind::double_: return append_number(text, value, Notation::ecmascript);
        case bj::kind::string:
            return append_canonical_string(text,
                                           {value.get_string().data(), value.get_string().size()});
        case bj::kind::array: return append_array(text, value.get_array());
        case bj::kind::object: return append_object(text, value.get_object());
    }
}

void append_canonical_string(std::string& text, std::string_view string) {
    if (std::ranges::none_of(string, escape_of)) return append_quoted(text, string);
    text += '"';
    for (const char c : string) {
        if (escape_of(c)) {
            append_escape(text, c);
        } else {
            text += c;
        }
    }
    text += '"';
}

std::optional<std::string> scalar_text(const bj::value& value) {
    if (const bj::string* string = value.if_string()) return std::string(*string);
    if (const bool* truth = value.if_bool()) return *truth ? "true" : "false";
    if (!value.is_number()) return std::nullopt;
    std::string text;
    append_number(text, value, Notation::plain);
    return text;
}

}  // namespace holdfast::json
