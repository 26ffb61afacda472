#include "feel/evaluation/compare.h"

namespace holdfast::feel {
namespace {

using Ordering = std::optional<std::strong_ordering>;

bool equal_items(const List& a, const List& b, Meter& meter) {
    if (a.size() != b.size()) return false;
    if (a.is(b)) return true;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!equal(a[i], b[i], meter).value_or(false)) return false;
    return true;
}

bool equal_entries(const Context& a, const Context& b, Meter& meter) {
    if (a.size() != b.size()) return false;
    if (a.is(b)) return true;
    for (const Entry& entry : a) {
        const Value* other = b.find(entry.name.view());
        if (!other || !equal(entry.value, *other, meter).value_or(false)) return false;
    }
    return true;
}

bool equal_ranges(const Range& a, const Range& b, Meter& meter) {
    return a.form == b.form && a.low_included == b.low_included &&
           a.high_included == b.high_included && equal(a.low, b.low, meter).value_or(false) &&
           equal(a.high, b.high, meter).value_or(false);
}

// Two values of one kind.
struct SameKind {
    const Value& b;
    Meter& meter;

    std::optional<bool> operator()(const Null&) const { return true; }
    std::optional<bool> operator()(const List& a) const {
        return equal_items(a, *b.get<List>(), meter);
    }
    std::optional<bool> operator()(const Context& a) const {
        return equal_entries(a, *b.get<Context>(), meter);
    }
    std::optional<bool> operator()(const RangePointer& a) const {
        return equal_ranges(*a, **b.get<RangePointer>(), meter);
    }
    std::optional<bool> operator()(const Time& a) const { return by_order(a); }
    std::optional<bool> operator()(const DateTime& a) const { return by_order(a); }
    template <class Simple>
    std::optional<bool> operator()(const Simple& a) const {
        return a == *b.get<Simple>();
    }

private:
    template <class Moment>
    std::optional<bool> by_order(const Moment& a) const {
        const Ordering found = order(a, *b.get<Moment>());
        if (!found) return std::nullopt;
        return *found == 0;
    }
};

struct SameKindOrder {
    const Value& b;

    Ordering operator()(const Decimal& a) const { return a <=> *b.get<Decimal>(); }
    Ordering operator()(const Text& a) const { return a <=> *b.get<Text>(); }
    Ordering operator()(const Date& a) const { return a <=> *b.get<Date>(); }
    Ordering operator()(const Time& a) const { return order(a, *b.get<Time>()); }
    Ordering operator()(const DateTime& a) const { return order(a, *b.get<DateTime>()); }
    Ordering operator()(const Months& a) const { return a <=> *b.get<Months>(); }
    Ordering operator()(const Seconds& a) const { return a <=> *b.get<Seconds>(); }
    template <class Unordered>
    Ordering operator()(const Unordered&) const {
        return std::nullopt;
    }
};

std::optional<bool> inside(const Range& range, const Value& value) {
    const Ordering low = order(value, range.low);
    const Ordering high = order(value, range.high);
    if (!low || !high) return std::nullopt;
    return (*low > 0 || (*low == 0 && range.low_included)) &&
           (*high < 0 || (*high == 0 && range.high_included));
}

}  // namespace

std::optional<bool> equal(const Value& a, const Value& b, Meter& meter) {
    if (a.kind() != b.kind()) {
        if (a.is_null() || b.is_null()) return false;
        return std::nullopt;
    }
    if (!meter.step()) return std::nullopt;
    return std::visit(SameKind{b, meter}, a.form());
}

std::optional<std::strong_ordering> order(const Value& a, const Value& b) {
    if (a.kind() != b.kind()) return std::nullopt;
    return std::visit(SameKindOrder{b}, a.form());
}

std::optional<bool> includes(const Range& range, const Value& value, Meter& meter) {
    if (range.form == Range::Form::interval) return inside(range, value);
    const auto same = [&] { return equal(value, range.low, meter); };
    if (range.form == Range::Form::equal) return same();
    if (range.form == Range::Form::unequal) {
        const auto found = same();
        return found ? std::optional(!*found) : std::nullopt;
    }
    const bool upward = range.form == Range::Form::greater || range.form == Range::Form::at_least;
    const Ordering found = order(value, upward ? range.low : range.high);
    if (!found) return std::nullopt;
    const bool included = upward ? range.low_included : range.high_included;
    return (upward ? *found > 0 : *found < 0) || (*found == 0 && included);
}

std::optional<bool> is_member(const Value& value, const Value& test, Meter& meter) {
    if (const auto* range = test.get<RangePointer>(); range && value.kind() != Kind::range)
        return includes(**range, value, meter);
    if (const auto* list = test.get<List>()) {
        if (equal(value, test, meter).value_or(false)) return true;
        for (const Value& item : *list) {
            if (!meter.step()) return std::nullopt;
            const auto* range = item.get<RangePointer>();
            const auto found = range && value.kind() != Kind::range
                                   ? includes(**range, value, meter)
                                   : equal(value, item, meter);
            if (found.value_or(false)) return true;
        }
        return false;
    }
    return equal(value, test, meter);
}

bool is_same(const Value& a, const Value& b, Meter& meter) {
    if (a.kind() != b.kind()) return false;
    if (const auto* time = a.get<Time>()) return *time == *b.get<Time>();
    if (const auto* moment = a.get<DateTime>()) return *moment == *b.get<DateTime>();
    return equal(a, b, meter).value_or(false);
}

}  // namespace holdfast::feel
