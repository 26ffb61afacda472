// Walks the tree of an expression. One evaluation, one thread; built-ins call back into it.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "feel/builtins/pattern.h"
#include "feel/evaluate.h"
#include "feel/evaluation/budget.h"
#include "feel/syntax/node.h"
#include "feel/temporal/temporal_text.h"
#include "feel/values/function.h"

namespace holdfast::feel {

class Evaluator {
public:
    Evaluator(const Scope& scope, const Settings& settings)
        : scope_(scope), settings_(settings), meter_(settings.budget) {}

    Evaluated run(const std::shared_ptr<const Program>& program, std::span<const Value> inputs);

    Meter& meter() { return meter_; }
    ZoneCache& zones() { return zones_; }
    PatternCache& patterns() { return patterns_; }
    std::optional<Moment> now() const { return settings_.now; }
    Value evaluate(const Node& node);
    // By position.
    Value call(const Function& function, std::vector<Value> arguments);

private:
    // The locals of a running function or of the whole expression.
    struct Frame {
        std::vector<Value> slots;
        std::shared_ptr<const Program> program;
    };
    // Visits the values of nested iterators until `visit` returns false.
    template <class Visit>
    bool iterate(std::span<const Iterator> iterators, const Visit& visit);
    template <class Visit>
    bool iterate_range(const Range& range, Slot slot, const Visit& visit);

    // evaluator.cpp
    Value on(const Literal& node) const { return node.value; }
    Value on(const LocalName& node) const { return frame_->slots[node.slot]; }
    Value on(const OuterName& node);
    Value on(const VariablePath& node);
    Value on(const OperationNode& node);
    Value on(const LogicNode& node);
    Value on(const PathNode& node);
    Value on(const FilterNode& node);
    Value on(const NegationNode& node);
    Value on(const BetweenNode& node);
    Value on(const MembershipNode& node);
    Value on(const ComparisonNode& node);
    Value on(const ConditionalNode& node);
    Value on(const ListNode& node);
    Value on(const ContextNode& node);
    Value on(const RangeNode& node);
    Value on(const InstanceNode& node);
    Value on(const TestsNode& node);
    // evaluator_loops.cpp
    Value on(const IterationNode& node);
    Value on(const QuantifiedNode& node);
    Value filtered(std::span<const Value> items, const FilterNode& node);
    // evaluator_calls.cpp
    Value on(const FunctionNode& node);
    Value on(const CallNode& node);
    Value on(const BuiltinCallNode& node);
    Value call_builtin(std::span<const Builtin> rows, std::vector<Value> arguments,
                       std::span<const Argument> names);
    Value call_definition(const Function& function, std::vector<Value> arguments,
                          const FunctionPointer& self);
    std::vector<Value> evaluated(std::span<const Argument> arguments);

    // Returns a literal or local without a copy; evaluates anything else into `storage`.
    const Value& operand(const Node& node, Value& storage);
    Value compared(Operator sign, const Value& left, const Value& right);
    // null if the value is nested too deep.
    Value made(List list);
    Value made(Context context);

    const Scope& scope_;
    const Settings& settings_;
    Meter meter_;
    ZoneCache zones_;
    PatternCache patterns_;
    Frame* frame_ = nullptr;
    std::uint32_t depth_ = 0;
    // Lists and contexts from the scope, converted once.
    std::vector<std::pair<std::string_view, Value>> converted_;
};

// A range value; null, with the reason recorded, if its ends do not fit together.
Value make_range(const Value& low, const Value& high, const RangeNode& node, Meter& meter);

}  // namespace holdfast::feel
