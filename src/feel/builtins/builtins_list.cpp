#include <algorithm>

#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"
#include "feel/evaluation/compare.h"

namespace holdfast::feel {
namespace {

using Values = std::span<const Value>;

Values items(Call& call) { return call.list(0).items(); }

// Run one function on a list, or on the arguments.
template <Value (*run)(Call&, Values)>
Value of_list(Call& call) {
    return run(call, items(call));
}
template <Value (*run)(Call&, Values)>
Value of_items(Call& call) {
    return run(call, call.arguments());
}

// Absent, with the reason recorded: not all are numbers.
std::optional<std::vector<Decimal>> numbers(Call& call, Values items) {
    std::vector<Decimal> list;
    if (!call.prepare(items.size())) return std::nullopt;
    list.reserve(items.size());
    for (const Value& item : items) {
        const auto* number = item.get<Decimal>();
        if (!number) {
            call.fail("expected a list of numbers");
            return std::nullopt;
        }
        list.push_back(*number);
    }
    return list;
}

Value list_contains(Call& call) {
    for (const Value& item : items(call)) {
        if (!call.meter().step()) return Null{};
        if (equal(item, call[1], call.meter()).value_or(false)) return true;
    }
    return false;
}

Value count(Call& call) { return Decimal(static_cast<std::int64_t>(items(call).size())); }

template <bool smallest>
Value extreme(Call& call, Values items) {
    if (items.empty()) return call.fail("the list is empty");
    const Value* best = &items[0];
    for (const Value& item : items) {
        if (!call.meter().step()) return Null{};
        const auto found = order(item, *best);
        if (!found) return call.fail("expected values that can be ordered");
        if (smallest ? *found < 0 : *found > 0) best = &item;
    }
    return *best;
}

std::optional<Decimal> total(const std::vector<Decimal>& list) {
    std::optional<Decimal> sum = Decimal(0);
    for (const Decimal& number : list)
        if (sum) sum = add(*sum, number);
    return sum;
}

Value sum(Call& call, Values items) {
    if (items.empty()) return call.fail("the list is empty");
    const auto list = numbers(call, items);
    if (!list) return Null{};
    return or_null(call, total(*list));
}

std::optional<Decimal> mean_of(const std::vector<Decimal>& list) {
    const auto sum = total(list);
    return sum ? divide(*sum, Decimal(static_cast<std::int64_t>(list.size()))) : std::nullopt;
}

Value mean(Call& call, Values items) {
    if (items.empty()) return call.fail("the list is empty");
    const auto list = numbers(call, items);
    if (!list) return Null{};
    return or_null(call, mean_of(*list));
}

Value product(Call& call, Values items) {
    if (items.empty()) return call.fail("the list is empty");
    const auto list = numbers(call, items);
    if (!list) return Null{};
    std::optional<Decimal> result = Decimal(1);
    for (const Decimal& number : *list)
        if (result) result = multiply(*result, number);
    return or_null(call, result);
}

Value median(Call& call, Values items) {
    auto list = numbers(call, items);
    if (!list || list->empty()) return Null{};
    std::ranges::sort(*list);
    const std::size_t half = list->size() / 2;
    if (list->size() % 2 == 1) return (*list)[half];
    const auto sum = add((*list)[half - 1], (*list)[half]);
    return or_null(call, sum ? divide(*sum, Decimal(2)) : std::nullopt);
}

// Sample standard deviation: divides by the count minus one.
Value deviation(Call& call, Values items) {
    const auto list = numbers(call, items);
    if (!list) return Null{};
    if (list->size() < 2) return call.fail("stddev() needs at least two numbers");
    const auto mean = mean_of(*list);
    std::optional<Decimal> squares = Decimal(0);
    for (const Decimal& number : *list) {
        const auto distance = mean ? subtract(number, *mean) : std::nullopt;
        const auto square = distance ? multiply(*distance, *distance) : std::nullopt;
        squares = squares && square ? add(*squares, *square) : std::nullopt;
    }
    const Decimal count(static_cast<std::int64_t>(list->size()) - 1);
    const auto variance = squares ? divide(*squares, count) : std::nullopt;
    return or_null(call, variance ? square_root(*variance) : std::nullopt);
}

Value mode(Call& call, Values items) {
    auto list = numbers(call, items);
    if (!list) return Null{};
    std::ranges::sort(*list);
    std::vector<Value> found;
    std::size_t most = 0;
    for (std::size_t i = 0; i < list->size();) {
        const std::size_t begin = i;
        while (i < list->size() && (*list)[i] == (*list)[begin]) ++i;
        if (i - begin > most) found.clear();
        most = std::max(most, i - begin);
        if (i - begin == most) found.emplace_back((*list)[begin]);
    }
    return call.make(std::move(found));
}

Value index_of(Call& call) {
    Items places(call.meter());
    const Values list = items(call);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!call.meter().step()) return Null{};
        if (!equal(list[i], call[1], call.meter()).value_or(false)) continue;
        if (!places.add(Decimal(static_cast<std::int64_t>(i) + 1))) return Null{};
    }
    return call.make(places.take());
}

constexpr Parameter values = {"values", Want::anything};

constexpr Builtin list_rows[] = {
    {"list contains",
     {list_parameter, {"element"}},
     list_contains,
     "Whether an item equals the element",
     "list contains([1, 2, 3], 2)"},
    {"count", {list_parameter}, count, "The number of items", "count([1, 2, 3])"},
    {"min", {list_parameter}, of_list<extreme<true>>, "The smallest item", "min([3, 1, 2])"},
    {"min",
     {values},
     of_items<extreme<true>>,
     "The smallest argument",
     "min(\"b\", \"a\")",
     Repeat::last},
    {"max", {list_parameter}, of_list<extreme<false>>, "The largest item", "max([3, 1, 2])"},
    {"max",
     {values},
     of_items<extreme<false>>,
     "The largest argument",
     "max(@\"2024-01-01\", @\"2023-01-01\")",
     Repeat::last},
    {"sum",
     {list_parameter},
     of_list<sum>,
     "The sum of numbers; null for none",
     "sum([1, 2, 3.5])"},
    {"sum", {values}, of_items<sum>, "The sum of its arguments", "sum(1, 2, 3)", Repeat::last},
    {"mean", {list_parameter}, of_list<mean>, "The average of numbers", "mean([1, 2, 3])"},
    {"mean", {values}, of_items<mean>, "The average of its arguments", "mean(1, 2)", Repeat::last},
    {"product", {list_parameter}, of_list<product>, "All numbers multiplied", "product([2, 3, 4])"},
    {"product",
     {values},
     of_items<product>,
     "All arguments multiplied",
     "product(2, 3)",
     Repeat::last},
    {"median",
     {list_parameter},
     of_list<median>,
     "The number in the middle",
     "median([8, 2, 5, 3, 4])"},
    {"median",
     {values},
     of_items<median>,
     "The argument in the middle",
     "median(6, 1, 2, 3)",
     Repeat::last},
    {"stddev",
     {list_parameter},
     of_list<deviation>,
     "The standard deviation of a sample",
     "stddev([2, 4, 6, 8])"},
    {"stddev",
     {values},
     of_items<deviation>,
     "The same for its arguments",
     "stddev(47, 47)",
     Repeat::last},
    {"mode",
     {list_parameter},
     of_list<mode>,
     "The most frequent numbers, sorted",
     "mode([6, 3, 9, 6, 3])"},
    {"mode",
     {values},
     of_items<mode>,
     "The same for its arguments",
     "mode(6, 3, 9, 6)",
     Repeat::last},
    {"index of",
     {list_parameter, {"match"}},
     index_of,
     "The positions of the items that equal the match",
     "index of([1, 2, 3, 2], 2)"},
};

}  // namespace

std::span<const Builtin> list_builtins() { return list_rows; }

}  // namespace holdfast::feel
