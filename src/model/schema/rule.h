// A compiled JSON Schema: a graph of rules in which a $ref is a pointer.
#pragma once

#include <re2/re2.h>

#include <boost/json/value.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::schema {

namespace bj = boost::json;

struct Rule;

// JSON types as a bit set. "number" in a schema is integer | fraction.
namespace kind {
constexpr std::uint8_t null = 1;
constexpr std::uint8_t boolean = 2;
constexpr std::uint8_t integer = 4;
constexpr std::uint8_t fraction = 8;
constexpr std::uint8_t string = 16;
constexpr std::uint8_t array = 32;
constexpr std::uint8_t object = 64;
constexpr std::uint8_t any = 127;
}  // namespace kind

struct NumberRule {
    std::optional<bj::value> minimum;
    std::optional<bj::value> maximum;
    std::optional<bj::value> above;  // exclusiveMinimum
    std::optional<bj::value> below;  // exclusiveMaximum
    std::optional<bj::value> multiple_of;
};

struct StringRule {
    std::optional<std::uint64_t> shortest;  // in code points
    std::optional<std::uint64_t> longest;
    const re2::RE2* pattern = nullptr;
};

enum class Repetition { allowed, forbidden };

struct ArrayRule {
    std::optional<std::uint64_t> fewest;
    std::optional<std::uint64_t> most;
    Repetition repetition = Repetition::allowed;
    std::vector<const Rule*> leading;  // one per element, if `items` is a list
    const Rule* others = nullptr;      // for the remaining elements
    const Rule* contains = nullptr;
};

struct ObjectRule {
    std::optional<std::uint64_t> fewest;
    std::optional<std::uint64_t> most;
    std::vector<std::string> required;
    std::map<std::string, const Rule*, std::less<>> members;
    std::vector<std::pair<const re2::RE2*, const Rule*>> by_pattern;
    const Rule* others = nullptr;  // for members that match neither a name nor a pattern
    const Rule* names = nullptr;
    std::vector<std::pair<std::string, std::vector<std::string>>> companions;  // dependencies
    std::vector<std::pair<std::string, const Rule*>> when_present;             // dependencies
};

// Rules for the same value.
struct CombinedRule {
    std::vector<const Rule*> all;
    std::vector<const Rule*> any;
    std::vector<const Rule*> one;
    const Rule* never = nullptr;
    const Rule* condition = nullptr;
    const Rule* consequence = nullptr;
    const Rule* alternative = nullptr;
};

// One schema. A group of keywords that is absent is null.
struct Rule {
    const Rule* reference = nullptr;              // $ref: all else is ignored (draft 7)
    std::uint8_t kinds = kind::any;               // 0: the schema `false`
    std::optional<std::set<std::string>> values;  // enum, as canonical JSON
    std::optional<std::string> constant;          // const, as canonical JSON
    std::unique_ptr<NumberRule> number;
    std::unique_ptr<StringRule> string;
    std::unique_ptr<ArrayRule> array;
    std::unique_ptr<ObjectRule> object;
    std::unique_ptr<CombinedRule> combined;
};

// Owns rules and patterns; their addresses are stable.
struct Program {
    std::deque<Rule> rules;
    std::deque<re2::RE2> patterns;
    const Rule* root = nullptr;
};

}  // namespace holdfast::schema
