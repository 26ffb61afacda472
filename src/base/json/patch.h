// RFC 6902 JSON Patch and RFC 7396 JSON Merge Patch as pure functions.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/effort.h"
#include "base/result.h"

namespace holdfast::json {

namespace bj = boost::json;

// A reference token list (RFC 6901), decoded. invalid_argument: not a JSON Pointer.
Result<std::vector<std::string>> parse_pointer(std::string_view text);
std::string to_pointer(const std::vector<std::string>& tokens);

enum class PatchVerb { add, remove, replace, move, copy, test };

struct PatchStep {
    PatchVerb verb;
    std::vector<std::string> path;
    std::vector<std::string> from;  // move and copy
    bj::value value;                // add, replace and test
};

using Patch = std::vector<PatchStep>;

// invalid_argument: not an RFC 6902 document; the context has `step`.
Result<Patch> parse_patch(const bj::value& document);

// Why a patch did not apply. A failed `test` is a conflict; any other failure is a bad patch.
struct PatchFailure {
    enum class Kind { test_failed, not_applicable } kind;
    std::size_t step;
    std::string message;
};

// All steps or none. Numbers compare by value, objects regardless of member order. Also not
// applicable: a patch that nests values deeper than the default Limits or copies more than 1 MiB.
std::variant<bj::value, PatchFailure> apply_patch(bj::value target, const Patch& patch);
// The same within a limit of effort; if it is exhausted, the patch is not applicable.
std::variant<bj::value, PatchFailure> apply_patch(bj::value target, const Patch& patch,
                                                  Effort& effort);

bj::value apply_merge_patch(bj::value target, const bj::value& patch);

// Equal as JSON: 1 equals 1.0, member order does not matter.
bool equal(const bj::value& a, const bj::value& b);

}  // namespace holdfast::json
