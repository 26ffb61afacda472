#include <algorithm>

#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"
#include "feel/evaluation/compare.h"

namespace holdfast::feel {
namespace {

std::vector<Value> copied(const List& list) { return {list.begin(), list.end()}; }

// Index from 0; a negative position counts from the end. Absent: outside a list of this size.
std::optional<std::size_t> place(const Decimal& position, std::size_t size) {
    const auto number = position.truncated();
    const auto count = static_cast<std::int64_t>(size);
    if (!number || *number == 0 || *number > count || *number < -count) return std::nullopt;
    return static_cast<std::size_t>(*number > 0 ? *number - 1 : count + *number);
}

Value no_place(Call& call) { return call.fail("the position is outside the list"); }

Value sublist(Call& call) {
    const List& list = call.list(0);
    const auto start = place(call.number(1), list.size());
    if (!start) return no_place(call);
    std::size_t length = list.size() - *start;
    if (call.has(2)) {
        const auto wanted = call.number(2).truncated();
        if (!wanted || *wanted < 0) return call.fail("the length is negative or out of range");
        length = std::min(length, static_cast<std::size_t>(*wanted));
    }
    if (!call.prepare(length)) return Null{};
    const Value* begin = list.begin() + *start;
    return call.make(std::vector<Value>(begin, begin + length));
}

Value append(Call& call) {
    if (!call.prepare(call.list(0).size() + call.arguments().size())) return Null{};
    std::vector<Value> items;
    items.reserve(call.list(0).size() + call.arguments().size());
    items.assign(call.list(0).begin(), call.list(0).end());
    const auto more = call.arguments().subspan(1);
    items.insert(items.end(), more.begin(), more.end());
    return call.make(std::move(items));
}

Value concatenate(Call& call) {
    std::size_t size = 0;
    for (const Value& argument : call.arguments()) size += argument.get<List>()->size();
    if (!call.prepare(size)) return Null{};
    std::vector<Value> items;
    items.reserve(size);
    for (const Value& argument : call.arguments()) {
        const auto& list = *argument.get<List>();
        items.insert(items.end(), list.begin(), list.end());
    }
    return call.make(std::move(items));
}

Value insert_before(Call& call) {
    const List& list = call.list(0);
    const auto at = place(call.number(1), list.size());
    if (!at) return no_place(call);
    if (!call.prepare(list.size() + 1)) return Null{};
    std::vector<Value> items;
    items.reserve(list.size() + 1);
    items.assign(list.begin(), list.end());
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(*at), call[2]);
    return call.make(std::move(items));
}

Value remove(Call& call) {
    const List& list = call.list(0);
    const auto at = place(call.number(1), list.size());
    if (!at) return no_place(call);
    if (!call.prepare(list.size())) return Null{};
    std::vector<Value> items = copied(list);
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(*at));
    return call.make(std::move(items));
}

Value replace_at(Call& call) {
    const List& list = call.list(0);
    const auto at = place(call.number(1), list.size());
    if (!at) return no_place(call);
    if (!call.prepare(list.size())) return Null{};
    std::vector<Value> items = copied(list);
    items[*at] = call[2];
    return call.make(std::move(items));
}

Value replace_matching(Call& call) {
    const Function& match = call.function(1);
    if (!accepts(match, 2))
        return call.fail("the match function must take two parameters: the item and the new item");
    if (!call.prepare(call.list(0).size())) return Null{};
    std::vector<Value> items = copied(call.list(0));
    for (Value& item : items) {
        const Value result = call.evaluator().call(match, {item, call[2]});
        if (call.meter().stopped()) return Null{};
        const auto* truth = result.get<bool>();
        if (!truth) return call.fail("the match function must return a boolean");
        if (*truth) item = call[2];
    }
    return call.make(std::move(items));
}

Value reverse(Call& call) {
    if (!call.prepare(call.list(0).size())) return Null{};
    std::vector<Value> items = copied(call.list(0));
    std::ranges::reverse(items);
    return call.make(std::move(items));
}

// Adds the items that equal none added before.
bool add_distinct(Call& call, Items& items, const List& list) {
    for (const Value& item : list) {
        const auto known = [&](const Value& other) {
            return equal(other, item, call.meter()).value_or(false);
        };
        if (!std::ranges::any_of(items.list(), known) && !items.add(item)) return false;
    }
    return !call.meter().stopped();
}

Value distinct(Call& call) {
    Items items(call.meter());
    if (!add_distinct(call, items, call.list(0))) return Null{};
    return call.make(items.take());
}

Value unite(Call& call) {
    Items items(call.meter());
    for (const Value& argument : call.arguments())
        if (!add_distinct(call, items, *argument.get<List>())) return Null{};
    return call.make(items.take());
}

bool add_flat(Items& items, const List& list, Meter& meter) {
    for (const Value& item : list) {
        const auto* inner = item.get<List>();
        if (!meter.step()) return false;
        if (inner ? !add_flat(items, *inner, meter) : !items.add(item)) return false;
    }
    return true;
}

Value flatten(Call& call) {
    Items items(call.meter());
    if (!add_flat(items, call.list(0), call.meter())) return Null{};
    return call.make(items.take());
}

// Whether `b` must come before `a`, by the given function or by natural order.
bool precedes(Call& call, const Value& b, const Value& a) {
    if (!call.meter().step()) return false;
    if (call.has(1)) return call.evaluator().call(call.function(1), {b, a}).is_true();
    const auto found = order(b, a);
    if (!found) call.fail("sort() without a function needs values that can be ordered");
    return found && *found < 0;
}

// Not std::sort: it requires a consistent order, and the comparison is user code.
Value sort(Call& call) {
    if (!call.prepare(call.list(0).size() * 2)) return Null{};
    std::vector<Value> items = copied(call.list(0));
    std::vector<Value> merged(items.size());
    for (std::size_t width = 1; width < items.size(); width *= 2) {
        for (std::size_t begin = 0; begin < items.size(); begin += 2 * width) {
            const std::size_t middle = std::min(begin + width, items.size());
            const std::size_t end = std::min(begin + 2 * width, items.size());
            std::size_t left = begin;
            std::size_t right = middle;
            for (std::size_t to = begin; to < end; ++to) {
                const bool take_right =
                    left == middle || (right < end && precedes(call, items[right], items[left]));
                merged[to] = std::move(items[take_right ? right++ : left++]);
            }
        }
        std::swap(items, merged);
        if (call.meter().stopped()) return Null{};
    }
    return call.make(std::move(items));
}

constexpr Parameter position = {"position", Want::number};

constexpr Builtin list_change_rows[] = {
    {"sublist",
     {list_parameter, {"start position", Want::number}, {"length", Want::number, Given::maybe}},
     sublist,
     "Items from a position on; the first is 1, the last -1",
     "sublist([4, 5, 6], 1, 2)"},
    {"append",
     {list_parameter, {"item"}},
     append,
     "The list with items appended",
     "append([1], 2, 3)",
     Repeat::last},
    {"concatenate",
     {list_parameter},
     concatenate,
     "The lists concatenated",
     "concatenate([1, 2], [3])",
     Repeat::last},
    {"insert before",
     {list_parameter, position, {"newItem"}},
     insert_before,
     "The list with an item before a position",
     "insert before([1, 3], 2, 2)"},
    {"remove",
     {list_parameter, position},
     remove,
     "The list without one item",
     "remove([1, 2, 3], 2)"},
    {"list replace",
     {list_parameter, position, {"newItem"}},
     replace_at,
     "The list with one item replaced",
     "list replace([2, 4, 7], 3, 6)"},
    {"list replace",
     {list_parameter, {"match", Want::function}, {"newItem"}},
     replace_matching,
     "The list with every item replaced for which a function returns true",
     "list replace([2, 4, 7], function(item, newItem) item < newItem, 5)"},
    {"reverse", {list_parameter}, reverse, "The items in reverse order", "reverse([1, 2, 3])"},
    {"union",
     {list_parameter},
     unite,
     "The lists concatenated, without duplicates",
     "union([1, 2], [2, 3])",
     Repeat::last},
    {"distinct values",
     {list_parameter},
     distinct,
     "The list without duplicates",
     "distinct values([1, 2, 1])"},
    {"flatten",
     {list_parameter},
     flatten,
     "The items of nested lists in one list",
     "flatten([[1, 2], [[3]], 4])"},
    {"sort",
     {list_parameter, {"precedes", Want::function, Given::maybe}},
     sort,
     "Sorted by a function that returns whether one item comes before another",
     "sort([3, 1, 2], function(x, y) x > y)"},
};

}  // namespace

std::span<const Builtin> list_change_builtins() { return list_change_rows; }

}  // namespace holdfast::feel
