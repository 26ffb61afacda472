// Three-way merge of JSON documents: two sets of changes against a common base.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <variant>
#include <vector>

namespace holdfast::json {

namespace bj = boost::json;

// JSON Pointers of the members that differ, sorted; arrays and scalars are compared as a whole (""
// is the root). Empty: no difference.
std::vector<std::string> changed_paths(const bj::value& before, const bj::value& after);

struct Overlap {
    std::vector<std::string> paths;  // changed differently on both sides
};

// Objects merge member by member, even if both sides added them. Equal changes on both sides do not
// overlap. Arrays and scalars are compared as a whole.
std::variant<bj::value, Overlap> merge(const bj::value& base, const bj::value& ours,
                                       const bj::value& theirs);

}  // namespace holdfast::json
