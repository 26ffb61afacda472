// Three-way merge of JSON documents: what two writers changed against a common base.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <variant>
#include <vector>

namespace holdfast::json {

namespace bj = boost::json;

// JSON Pointers of the members that differ between the two, outermost first, sorted; arrays and
// scalars are compared whole ("" is the root). Nothing differs: empty.
std::vector<std::string> changed_paths(const bj::value& before, const bj::value& after);

struct Overlap {
    std::vector<std::string> paths;  // where both changed, differently
};

// Objects merge member by member, also when both sides added them; equal changes on both sides
// agree; arrays and scalars are one piece.
std::variant<bj::value, Overlap> merge(const bj::value& base, const bj::value& ours,
                                       const bj::value& theirs);

}  // namespace holdfast::json
