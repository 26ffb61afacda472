#include "feel/builtins/call.h"
#include "feel/evaluation/compare.h"
#include "feel/evaluation/evaluator.h"

namespace holdfast::feel {

template <class Visit>
bool Evaluator::iterate(std::span<const Iterator> iterators, const Visit& visit) {
    if (iterators.empty()) return visit();
    const Iterator& first = iterators.front();
    const auto inner = [&] { return iterate(iterators.subspan(1), visit); };
    const Value domain = evaluate(*first.domain);
    if (first.end) {
        const Range bare{.low = domain, .high = evaluate(*first.end)};
        return iterate_range(bare, first.slot, inner);
    }
    if (const auto* range = domain.get<RangePointer>())
        return iterate_range(**range, first.slot, inner);
    if (const auto* list = domain.get<List>()) {
        for (const Value& item : *list) {
            if (!meter_.step()) return false;
            frame_->slots[first.slot] = item;
            if (!inner()) return false;
        }
        return true;
    }
    if (domain.is_null()) {
        meter_.fail("cannot iterate over null");
        return false;
    }
    frame_->slots[first.slot] = domain;
    return inner();
}

namespace {

// A whole number, or the number of a day. Absent: neither.
std::optional<std::int64_t> counted(const Value& value) {
    if (const auto* date = value.get<Date>()) return date->number();
    const auto* number = value.get<Decimal>();
    return number ? number->whole() : std::nullopt;
}

}  // namespace

// Without brackets `3..1` counts down; a range never does.
template <class Visit>
bool Evaluator::iterate_range(const Range& range, Slot slot, const Visit& visit) {
    const auto low = counted(range.low);
    const auto high = counted(range.high);
    if (!low || !high || range.low.kind() != range.high.kind()) {
        meter_.fail("can only iterate over ranges of whole numbers or dates");
        return false;
    }
    const bool down = *low > *high;
    const std::uint64_t distance =
        down ? static_cast<std::uint64_t>(*low) - *high : static_cast<std::uint64_t>(*high) - *low;
    if (distance >= settings_.budget.range_length) return meter_.stop(Trouble::Kind::range_length);
    const auto count = static_cast<std::int64_t>(distance);
    const std::int64_t last = range.high_included ? count : count - 1;
    for (std::int64_t i = range.low_included ? 0 : 1; i <= last; ++i) {
        if (!meter_.step()) return false;
        const std::int64_t number = down ? *low - i : *low + i;
        const bool dates = range.low.kind() == Kind::date;
        frame_->slots[slot] = dates ? Value(*Date::of_day(number)) : Value(Decimal(number));
        if (!visit()) return false;
    }
    return true;
}

Value Evaluator::on(const IterationNode& node) {
    GrowingList results;
    const bool whole = iterate(node.iterators, [&] {
        if (node.partial) frame_->slots[*node.partial] = results.list();
        Value value = evaluate(*node.body);
        if (node.partial) frame_->slots[*node.partial] = Null{};
        const bool copies = results.is_shared();
        const std::size_t before = results.capacity();
        if (copies && !meter_.step(results.size())) return false;
        if (copies && !meter_.allocate(before * sizeof(Value))) return false;
        results.add(std::move(value));
        if (results.capacity() != before) meter_.allocate(results.capacity() * sizeof(Value));
        return meter_.check_height(results.list());
    });
    if (!whole) return Null{};
    return results.list();
}

// One true decides `some`, one false decides `every`. Otherwise a result that is no boolean makes
// it null.
Value Evaluator::on(const QuantifiedNode& node) {
    const bool decisive = node.form == QuantifiedNode::Form::some;
    bool decided = false;
    bool unknown = false;
    const bool whole = iterate(node.iterators, [&] {
        const Value result = evaluate(*node.condition);
        const auto* truth = result.get<bool>();
        decided = truth && *truth == decisive;
        unknown = unknown || !truth;
        return !decided && !meter_.stopped();
    });
    if (decided) return decisive;
    if (!whole || unknown) return Null{};
    return !decisive;
}

// A number selects one item, negative from the end. A boolean keeps or drops each item.
Value Evaluator::filtered(std::span<const Value> items, const FilterNode& node) {
    Items kept(meter_);
    const std::size_t tries = std::max<std::size_t>(items.size(), 1);
    for (std::size_t i = 0; i < tries; ++i) {
        if (!meter_.step()) return Null{};
        frame_->slots[node.item] = i < items.size() ? items[i] : Value();
        const Value result = evaluate(*node.condition);
        if (const auto* place = i == 0 ? result.get<Decimal>() : nullptr) {
            const auto number = place->truncated();
            const auto size = static_cast<std::int64_t>(items.size());
            if (!number || *number == 0 || *number > size || *number < -size)
                return meter_.fail("the index is outside the list");
            return items[static_cast<std::size_t>(*number > 0 ? *number - 1 : size + *number)];
        }
        if (result.is_true() && i < items.size() && !kept.add(items[i])) return Null{};
    }
    frame_->slots[node.item] = Null{};
    return List(kept.take());
}

}  // namespace holdfast::feel
