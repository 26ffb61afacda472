#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"
#include "feel/evaluation/compare.h"

namespace holdfast::feel {
namespace {

// A range, or a point as a range of one value.
struct Span {
    const Value& low;
    const Value& high;
    bool low_included = true;
    bool high_included = true;
    bool is_point = false;
};

Span span_of(const Value& value) {
    if (const auto* range = value.get<RangePointer>())
        return {(*range)->low, (*range)->high, (*range)->low_included, (*range)->high_included};
    return {value, value, true, true, true};
}

// An end of a span. Two ends are compared only if their values have an order.
struct Bound {
    const Value& value;
    bool included;
};

Bound low_of(const Span& span) { return {span.low, span.low_included}; }
Bound high_of(const Span& span) { return {span.high, span.high_included}; }

// Records whether a comparison was impossible; the result is then null.
class Comparer {
public:
    int order_of(const Value& a, const Value& b) {
        const auto found = order(a, b);
        if (!found) {
            unknown_ = true;
            return 0;
        }
        return *found < 0 ? -1 : *found > 0 ? 1 : 0;
    }
    bool unknown() const { return unknown_; }

    // The end `a` of one span does not reach the start `b` of another.
    bool ends_before(Bound a, Bound b) {
        const int found = order_of(a.value, b.value);
        return found < 0 || (found == 0 && !(a.included && b.included));
    }
    // The start `a` is before the start `b`, or equal to it and included if `b` is.
    bool starts_no_later(Bound a, Bound b) {
        const int found = order_of(a.value, b.value);
        return found < 0 || (found == 0 && (a.included || !b.included));
    }
    bool starts_earlier(Bound a, Bound b) {
        const int found = order_of(a.value, b.value);
        return found < 0 || (found == 0 && a.included && !b.included);
    }
    bool ends_no_earlier(Bound a, Bound b) {
        const int found = order_of(a.value, b.value);
        return found > 0 || (found == 0 && (a.included || !b.included));
    }
    bool is_same(Bound a, Bound b) {
        return order_of(a.value, b.value) == 0 && a.included == b.included;
    }

private:
    bool unknown_ = false;
};

using Test = bool (*)(Comparer& compare, const Span& a, const Span& b);

template <Test test>
Value compare_spans(Call& call) {
    Comparer compare;
    const bool truth = test(compare, span_of(call[0]), span_of(call[1]));
    if (compare.unknown()) return call.fail("the ends of the ranges cannot be compared");
    return truth;
}

// The test with its arguments swapped.
template <Test test>
bool swapped(Comparer& compare, const Span& a, const Span& b) {
    return test(compare, b, a);
}

bool before(Comparer& compare, const Span& a, const Span& b) {
    return compare.ends_before(high_of(a), low_of(b));
}

bool meets(Comparer& compare, const Span& a, const Span& b) {
    return compare.order_of(a.high, b.low) == 0 && a.high_included && b.low_included;
}

bool overlaps(Comparer& compare, const Span& a, const Span& b) {
    return !compare.ends_before(high_of(a), low_of(b)) &&
           !compare.ends_before(high_of(b), low_of(a));
}

bool overlaps_before(Comparer& compare, const Span& a, const Span& b) {
    return compare.starts_earlier(low_of(a), low_of(b)) &&
           !compare.ends_before(high_of(a), low_of(b)) &&
           compare.ends_no_earlier(high_of(b), high_of(a));
}

bool finishes(Comparer& compare, const Span& a, const Span& b) {
    return compare.is_same(high_of(a), high_of(b)) &&
           (a.is_point || compare.starts_no_later(low_of(b), low_of(a)));
}

bool starts(Comparer& compare, const Span& a, const Span& b) {
    return compare.is_same(low_of(a), low_of(b)) &&
           (a.is_point || compare.ends_no_earlier(high_of(b), high_of(a)));
}

bool includes(Comparer& compare, const Span& a, const Span& b) {
    return compare.starts_no_later(low_of(a), low_of(b)) &&
           compare.ends_no_earlier(high_of(a), high_of(b));
}

bool coincides(Comparer& compare, const Span& a, const Span& b) {
    return compare.is_same(low_of(a), low_of(b)) && compare.is_same(high_of(a), high_of(b));
}

constexpr Parameter first = {"range1", Want::range};
constexpr Parameter second = {"range2", Want::range};
constexpr Parameter range = {"range", Want::range};
constexpr Parameter either1 = {"value1", Want::value};
constexpr Parameter either2 = {"value2", Want::value};

constexpr Builtin range_rows[] = {
    {"before",
     {either1, either2},
     compare_spans<before>,
     "All of the first lies before the second",
     "before([1..5], 8)"},
    {"after",
     {either1, either2},
     compare_spans<swapped<before>>,
     "All of the first lies after the second",
     "after([6..9], [1..5])"},
    {"meets",
     {first, second},
     compare_spans<meets>,
     "The first ends at the value where the second begins",
     "meets([1..5], [5..10])"},
    {"met by",
     {first, second},
     compare_spans<swapped<meets>>,
     "The first begins at the value where the second ends",
     "met by([5..10], [1..5])"},
    {"overlaps",
     {first, second},
     compare_spans<overlaps>,
     "They have values in common",
     "overlaps([1..5], [3..8])"},
    {"overlaps before",
     {first, second},
     compare_spans<overlaps_before>,
     "They overlap and the first begins earlier",
     "overlaps before([1..5], [3..8])"},
    {"overlaps after",
     {first, second},
     compare_spans<swapped<overlaps_before>>,
     "They overlap and the first begins later",
     "overlaps after([3..8], [1..5])"},
    {"finishes",
     {{"value", Want::value}, range},
     compare_spans<finishes>,
     "The first begins inside the range and ends with it",
     "finishes(10, [1..10])"},
    {"finished by",
     {range, {"value", Want::value}},
     compare_spans<swapped<finishes>>,
     "The second begins inside the range and ends with it",
     "finished by([1..10], [5..10])"},
    {"includes",
     {range, {"value", Want::value}},
     compare_spans<includes>,
     "All of the second lies in the range",
     "includes([1..10], [4..6])"},
    {"during",
     {{"value", Want::value}, range},
     compare_spans<swapped<includes>>,
     "All of the first lies in the range",
     "during(5, [1..10])"},
    {"starts",
     {{"value", Want::value}, range},
     compare_spans<starts>,
     "The first begins with the range and ends inside it",
     "starts([1..5], [1..10])"},
    {"started by",
     {range, {"value", Want::value}},
     compare_spans<swapped<starts>>,
     "The second begins with the range and ends inside it",
     "started by([1..10], 1)"},
    {"coincides",
     {either1, either2},
     compare_spans<coincides>,
     "Both are the same",
     "coincides([1..5], [1..5])"},
};

}  // namespace

std::span<const Builtin> range_builtins() { return range_rows; }

}  // namespace holdfast::feel
