#include "feel/evaluation/evaluator.h"

#include "feel/evaluation/arithmetic.h"
#include "feel/evaluation/compare.h"
#include "feel/evaluation/path.h"
#include "feel/values/show.h"

namespace holdfast::feel {
namespace {

Value truth_value(std::optional<bool> truth) {
    if (!truth) return Null{};
    return *truth;
}

}  // namespace

Evaluated Evaluator::run(const std::shared_ptr<const Program>& program,
                         std::span<const Value> inputs) {
    Frame frame{{}, program};
    frame.slots.resize(program->frame_size);
    std::ranges::copy(inputs, frame.slots.begin());
    frame_ = &frame;
    Value value = evaluate(*program->root);
    frame_ = nullptr;
    const std::uint64_t most = settings_.budget.output_size;
    if (!meter_.stopped() && value.height() > 0 && !shown_within(value, most))
        meter_.stop(Trouble::Kind::output_size);
    const auto* text = value.get<Text>();
    if (text && text->size() > most) meter_.stop(Trouble::Kind::output_size);
    if (meter_.stopped()) value = Null{};
    return {std::move(value), meter_.trouble(), meter_.steps(), meter_.memory()};
}

Value Evaluator::evaluate(const Node& node) {
    if (!meter_.step()) return Null{};
    if (depth_ >= settings_.budget.depth) {
        meter_.at(node.offset);
        meter_.stop(Trouble::Kind::depth);
        return Null{};
    }
    ++depth_;
    Value value = std::visit(
        [&](const auto& form) {
            if constexpr (!std::is_same_v<decltype(form), const Literal&>) meter_.at(node.offset);
            return on(form);
        },
        node.form);
    --depth_;
    return value;
}

const Value& Evaluator::operand(const Node& node, Value& storage) {
    if (const auto* literal = std::get_if<Literal>(&node.form)) {
        meter_.step();
        return literal->value;
    }
    if (const auto* local = std::get_if<LocalName>(&node.form)) {
        meter_.step();
        return frame_->slots[local->slot];
    }
    storage = evaluate(node);
    return storage;
}

Value Evaluator::on(const OuterName& node) {
    for (const Slot item : node.items) {
        const auto* context = frame_->slots[item].get<Context>();
        const Value* member = context ? context->find(node.name) : nullptr;
        if (member) return *member;
    }
    if (node.local) return frame_->slots[*node.local];
    for (const auto& [name, value] : converted_)
        if (name == node.name) return value;
    if (auto value = scope_.find(node.name, meter_)) {
        if (value->height() > 0) converted_.emplace_back(node.name, *value);
        return *std::move(value);
    }
    if (node.builtins.empty()) return meter_.fail({"unknown name '", node.name, "'"});
    return std::make_shared<const Function>(Function{.builtins = node.builtins});
}

Value Evaluator::on(const VariablePath& node) {
    if (auto value = scope_.find(node.name, node.members, meter_)) return *std::move(value);
    return meter_.fail({"unknown name '", node.name, "'"});
}

Value Evaluator::compared(Operator sign, const Value& left, const Value& right) {
    if (sign == Operator::equal || sign == Operator::unequal) {
        const auto same = equal(left, right, meter_);
        if (same) return *same == (sign == Operator::equal);
    } else if (const auto found = order(left, right)) {
        switch (sign) {
            case Operator::less: return *found < 0;
            case Operator::at_most: return *found <= 0;
            case Operator::greater: return *found > 0;
            default: return *found >= 0;
        }
    }
    return meter_.fail(
        {"cannot compare a ", name_of(left.kind()), " with a ", name_of(right.kind())});
}

Value Evaluator::on(const OperationNode& node) {
    Value left_storage;
    Value right_storage;
    const Value& left = operand(*node.left, left_storage);
    const Value& right = operand(*node.right, right_storage);
    if (node.sign >= Operator::equal) return compared(node.sign, left, right);
    return computed(node.sign, left, right, meter_);
}

// false decides `and`, true decides `or`. Otherwise an operand that is no boolean makes it null.
Value Evaluator::on(const LogicNode& node) {
    const bool decisive = node.form == LogicNode::Form::disjunction;
    const Value left = evaluate(*node.left);
    const auto* first = left.get<bool>();
    if (first && *first == decisive) return decisive;
    const Value right = evaluate(*node.right);
    const auto* second = right.get<bool>();
    if (second && *second == decisive) return decisive;
    if (first != nullptr && second != nullptr) return !decisive;
    return Null{};
}

Value Evaluator::on(const PathNode& node) {
    Value storage;
    return member_of(operand(*node.base, storage), node.member, meter_);
}

Value Evaluator::on(const FilterNode& node) {
    Value storage;
    const Value& base = operand(*node.base, storage);
    if (const auto* list = base.get<List>()) {
        const List held = *list;  // the condition may overwrite the slot it came from
        return filtered(held.items(), node);
    }
    if (base.is_null()) return filtered({}, node);
    const Value held = base;
    return filtered(std::span(&held, 1), node);
}

Value Evaluator::on(const NegationNode& node) {
    Value storage;
    return negated(operand(*node.operand, storage), meter_);
}

Value Evaluator::on(const BetweenNode& node) {
    const Value value = evaluate(*node.value);
    const Value low = evaluate(*node.low);
    const Value high = evaluate(*node.high);
    const auto above = order(value, low);
    const auto below = order(value, high);
    if (!above || !below) return meter_.fail("'between' needs values that can be ordered");
    return *above >= 0 && *below <= 0;
}

Value Evaluator::on(const MembershipNode& node) {
    const Value value = evaluate(*node.value);
    bool unknown = false;
    for (const NodePointer& test : node.tests) {
        const auto found = is_member(value, evaluate(*test), meter_);
        if (found.value_or(false)) return true;
        unknown = unknown || !found;
    }
    if (!unknown) return false;
    return meter_.fail("'in' needs values of the same kind");
}

Value Evaluator::on(const ComparisonNode& node) {
    const Value value = evaluate(*node.operand);
    Range range{.form = node.form, .low_included = false, .high_included = false};
    switch (node.form) {
        case Range::Form::at_most: range.high_included = true; [[fallthrough]];
        case Range::Form::less: range.high = value; break;
        case Range::Form::at_least: range.low_included = true; [[fallthrough]];
        case Range::Form::greater: range.low = value; break;
        case Range::Form::equal:
            range.low_included = true;
            range.high_included = true;
            [[fallthrough]];
        default: range.low = value; range.high = value;
    }
    meter_.allocate(sizeof(Range));
    return std::make_shared<const Range>(std::move(range));
}

Value Evaluator::on(const ConditionalNode& node) {
    const Value condition = evaluate(*node.condition);
    return evaluate(condition.is_true() ? *node.yes : *node.no);
}

Value Evaluator::made(List list) {
    Value value(std::move(list));
    if (!meter_.check_height(value)) return Null{};
    return value;
}

Value Evaluator::made(Context context) {
    Value value(std::move(context));
    if (!meter_.check_height(value)) return Null{};
    return value;
}

Value Evaluator::on(const ListNode& node) {
    std::vector<Value> items;
    if (!meter_.allocate(node.items.size() * sizeof(Value))) return Null{};
    items.reserve(node.items.size());
    for (const NodePointer& item : node.items) items.push_back(evaluate(*item));
    return made(List(std::move(items)));
}

Value Evaluator::on(const ContextNode& node) {
    std::vector<Entry> entries;
    if (!meter_.allocate(node.items.size() * sizeof(Entry))) return Null{};
    entries.reserve(node.items.size());
    for (const ContextNode::Item& item : node.items) {
        entries.push_back({item.name, evaluate(*item.value)});
        frame_->slots[item.slot] = entries.back().value;
    }
    return made(Context(std::move(entries)));
}

Value make_range(const Value& low, const Value& high, const RangeNode& node, Meter& meter) {
    if (!low.is_null() && !high.is_null()) {
        const auto found = order(low, high);
        if (!found) return meter.fail("the ends of the range cannot be compared");
        if (*found > 0) return meter.fail("the range starts after its end");
    }
    meter.allocate(sizeof(Range));
    return std::make_shared<const Range>(Range{.low = low,
                                               .high = high,
                                               .low_included = node.low_included,
                                               .high_included = node.high_included});
}

Value Evaluator::on(const RangeNode& node) {
    const Value low = evaluate(*node.low);
    const Value high = evaluate(*node.high);
    return make_range(low, high, node, meter_);
}

Value Evaluator::on(const InstanceNode& node) {
    return is_instance(evaluate(*node.operand), node.type);
}

Value Evaluator::on(const TestsNode& node) {
    const Value input = frame_->slots[0];
    bool unknown = false;
    for (const TestsNode::Test& test : node.tests) {
        const Value value = evaluate(*test.expression);
        const bool is_condition =
            test.mentions_input || (value.is_true() && input.kind() != Kind::boolean);
        const auto found =
            is_condition ? std::optional(value.is_true()) : is_member(input, value, meter_);
        if (found.value_or(false)) return !node.negated;
        unknown = unknown || !found;
    }
    if (unknown) return Null{};
    return truth_value(node.negated);
}

Evaluated evaluate(const Expression& expression, const Scope& scope, const Settings& settings) {
    return Evaluator(scope, settings).run(expression.program(), {});
}

Evaluated evaluate_tests(const Expression& tests, const Value& input, const Scope& scope,
                         const Settings& settings) {
    return Evaluator(scope, settings).run(tests.program(), std::span(&input, 1));
}

}  // namespace holdfast::feel
