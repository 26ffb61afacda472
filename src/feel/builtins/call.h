// The call of a built-in function: arguments of the kinds that its row wants, and the meter.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feel/evaluation/evaluator.h"

namespace holdfast::feel {

// A list under construction whose size is not known in advance; counts its memory.
class Items {
public:
    explicit Items(Meter& meter) : meter_(meter) {}

    // False: the budget is exceeded.
    bool add(Value value) {
        if (list_.size() == list_.capacity()) {
            const std::size_t more = std::max<std::size_t>(4, list_.size() * 2);
            if (!meter_.allocate(more * sizeof(Value))) return false;
            list_.reserve(more);
        }
        list_.push_back(std::move(value));
        return meter_.step();
    }
    const std::vector<Value>& list() const { return list_; }
    std::vector<Value> take() { return std::move(list_); }

private:
    Meter& meter_;
    std::vector<Value> list_;
};

class Call {
public:
    Call(Evaluator& evaluator, std::span<const Value> arguments)
        : evaluator_(evaluator), arguments_(arguments) {}

    Meter& meter() { return evaluator_.meter(); }
    ZoneCache& zones() { return evaluator_.zones(); }
    std::optional<Moment> now() const { return evaluator_.now(); }
    Evaluator& evaluator() { return evaluator_; }

    std::span<const Value> arguments() const { return arguments_; }
    const Value& operator[](std::size_t index) const { return arguments_[index]; }
    // Given and not null.
    bool has(std::size_t index) const {
        return index < arguments_.size() && !arguments_[index].is_null();
    }
    const Decimal& number(std::size_t index) const { return *arguments_[index].get<Decimal>(); }
    std::string_view text(std::size_t index) const { return arguments_[index].get<Text>()->view(); }
    const List& list(std::size_t index) const { return *arguments_[index].get<List>(); }
    const Context& context(std::size_t index) const { return *arguments_[index].get<Context>(); }
    const Range& range(std::size_t index) const { return **arguments_[index].get<RangePointer>(); }
    const Function& function(std::size_t index) const {
        return **arguments_[index].get<FunctionPointer>();
    }

    Null fail(std::string_view message) { return meter().fail(message); }
    Null fail(std::initializer_list<std::string_view> message) { return meter().fail(message); }

    // Count the memory of the new value; null if the budget is exceeded.
    Value make(std::string_view text);
    Value make(std::vector<Value> items);
    Value make(std::vector<Entry> entries);
    // Charges for `count` values in advance. False: the budget is exceeded.
    bool prepare(std::size_t count) {
        return meter().step(count) && meter().allocate(count * sizeof(Value));
    }

private:
    Evaluator& evaluator_;
    std::span<const Value> arguments_;
};

// Null, with the reason, if the arithmetic had no result.
inline Value or_null(Call& call, const std::optional<Decimal>& result) {
    if (!result) return call.fail("the result is out of range");
    return *result;
}

}  // namespace holdfast::feel
