#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"
#include "feel/evaluation/compare.h"

namespace holdfast::feel {
namespace {

Value negation(Call& call) {
    if (const auto* truth = call[0].get<bool>()) return !*truth;
    if (call[0].is_null()) return Null{};
    return call.fail("not() needs a boolean");
}

// One item equal to `decisive` decides the result; an item that is neither boolean nor null fails.
Value quantified(Call& call, std::span<const Value> items, const bool decisive) {
    bool unknown = false;
    for (const Value& item : items) {
        if (!call.meter().step()) return Null{};
        const auto* truth = item.get<bool>();
        if (!truth && !item.is_null()) return call.fail("expected a list of booleans");
        if (truth && *truth == decisive) return decisive;
        unknown = unknown || !truth;
    }
    if (unknown) return Null{};
    return !decisive;
}

// A single positional argument is null here: the list row takes every other value.
Value quantified_items(Call& call, const bool decisive) {
    if (call.arguments().size() == 1) return call.fail("expected a list of booleans");
    return quantified(call, call.arguments(), decisive);
}

Value all_of_list(Call& call) { return quantified(call, call.list(0).items(), false); }
Value all_of_items(Call& call) { return quantified_items(call, false); }
Value any_of_list(Call& call) { return quantified(call, call.list(0).items(), true); }
Value any_of_items(Call& call) { return quantified_items(call, true); }
Value same(Call& call) { return is_same(call[0], call[1], call.meter()); }

constexpr Builtin boolean_rows[] = {
    {"not", {{"negand"}}, negation, "The opposite; null stays null", "not(1 > 2)"},
    {"all",
     {{"list", Want::list}},
     all_of_list,
     "false if any item is false, null if one is null, else true",
     "all([true, null])"},
    {"all",
     {{"items"}},
     all_of_items,
     "The same for its arguments",
     "all(true, 1 < 2)",
     Repeat::last},
    {"any",
     {{"list", Want::list}},
     any_of_list,
     "true if any item is true, null if one is null, else false",
     "any([false, true])"},
    {"any",
     {{"items"}},
     any_of_items,
     "The same for its arguments",
     "any(false, 1 > 2)",
     Repeat::last},
    {"is",
     {{"value1"}, {"value2"}},
     same,
     "Whether both are identical, time zones and offsets included",
     "is(@\"23:00:50Z\", @\"23:00:50+01:00\")"},
};

}  // namespace

std::span<const Builtin> boolean_builtins() { return boolean_rows; }

}  // namespace holdfast::feel
