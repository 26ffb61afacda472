// Canonical JSON: RFC 8785, with integers in the 64-bit range kept as integers. The form in which
// documents are stored and hashed.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::json {

namespace bj = boost::json;

// Keys in UTF-16 order, no whitespace, numbers as ECMAScript prints them. Equal values have equal
// texts.
std::string canonical(const bj::value& value);
void append_canonical(std::string& text, const bj::value& value);
void append_canonical_string(std::string& text, std::string_view string);

// Puts the members of all objects into the order of the canonical text.
void sort_members(bj::value& value);

// For display: the members of the outermost object in insertion order, everything inside canonical.
std::string readable(const bj::value& value);

// The scalar as PostgreSQL's ->> shows it: strings bare, numbers in plain decimal notation (no
// exponent), true and false. Absent for objects, arrays and null.
std::optional<std::string> scalar_text(const bj::value& value);

}  // namespace holdfast::json
