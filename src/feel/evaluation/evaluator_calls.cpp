#include <algorithm>

#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"
#include "feel/evaluation/evaluator.h"

namespace holdfast::feel {
namespace {

bool suits(const Value& value, Want want) {
    switch (want) {
        case Want::anything: return true;
        case Want::value: return !value.is_null();
        case Want::boolean: return value.kind() == Kind::boolean;
        case Want::number: return value.kind() == Kind::number;
        case Want::string: return value.kind() == Kind::string;
        case Want::list: return value.kind() == Kind::list;
        case Want::context: return value.kind() == Kind::context;
        case Want::range: return value.kind() == Kind::range;
        case Want::function: return value.kind() == Kind::function;
        case Want::duration: return value.kind() == Kind::seconds;
        case Want::date_or_time:
            return value.kind() == Kind::date || value.kind() == Kind::date_time;
    }
    return false;
}

// Converts the argument to what the parameter wants. False: it cannot be converted.
bool fit(Value& value, const Parameter& parameter) {
    if (suits(value, parameter.want)) return true;
    if (value.is_null()) return parameter.given == Given::maybe;
    if (parameter.want == Want::list) {
        value = List({value});
        return true;
    }
    const auto* list = value.get<List>();
    if (!list || list->size() != 1 || !suits((*list)[0], parameter.want)) return false;
    Value item = (*list)[0];
    value = std::move(item);
    return true;
}

// The arguments in the order of the row's parameters. Absent: the row has other names.
std::optional<std::vector<Value>> in_order(const Builtin& row, std::span<const Value> values,
                                           std::span<const Argument> names) {
    std::vector<Value> ordered(row.parameters.size());
    std::vector<bool> given(row.parameters.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto* found = std::ranges::find(row.parameters, names[i].name, &Parameter::name);
        const auto place = static_cast<std::size_t>(found - row.parameters.begin());
        if (found == row.parameters.end() || given[place]) return std::nullopt;
        ordered[place] = values[i];
        given[place] = true;
    }
    return ordered;
}

const Parameter& parameter_at(const Builtin& row, std::size_t index) {
    return row.parameters[std::min(index, row.parameters.size() - 1)];
}

// The first parameter whose argument does not fit; null if all fit.
const Parameter* first_unfit(const Builtin& row, std::vector<Value>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (!fit(arguments[i], parameter_at(row, i))) return &parameter_at(row, i);
    return nullptr;
}

}  // namespace

Value Call::make(std::string_view text) {
    if (text.size() > Text::inside && !meter().allocate(text.size())) return Null{};
    return Text(text);
}

Value Call::make(std::vector<Value> items) {
    Value value{List(std::move(items))};
    if (!meter().check_height(value)) return Null{};
    return value;
}

Value Call::make(std::vector<Entry> entries) {
    Value value{Context(std::move(entries))};
    if (!meter().check_height(value)) return Null{};
    return value;
}

Value Evaluator::on(const FunctionNode& node) {
    Function function{.program = frame_->program, .definition = &node};
    if (!meter_.allocate(sizeof(Function) + node.captures.size() * sizeof(Value))) return Null{};
    for (const FunctionNode::Capture& capture : node.captures) {
        function.captures.push_back(frame_->slots[capture.from]);
        function.height = std::max(function.height, function.captures.back().height() + 1);
    }
    Value value(FunctionPointer(std::make_shared<const Function>(std::move(function))));
    if (!meter_.check_height(value)) return Null{};
    return value;
}

std::vector<Value> Evaluator::evaluated(std::span<const Argument> arguments) {
    std::vector<Value> values;
    values.reserve(arguments.size());
    for (const Argument& argument : arguments) values.push_back(evaluate(*argument.value));
    return values;
}

Value Evaluator::on(const BuiltinCallNode& node) {
    const std::size_t offset = meter_.offset();
    std::vector<Value> values = evaluated(node.arguments);
    meter_.at(offset);
    if (meter_.stopped()) return Null{};
    const bool by_name = !node.arguments.empty() && !node.arguments.front().name.empty();
    return call_builtin(node.builtins, std::move(values),
                        by_name ? std::span(node.arguments) : std::span<const Argument>());
}

Value Evaluator::call_builtin(std::span<const Builtin> rows, std::vector<Value> arguments,
                              std::span<const Argument> names) {
    const Parameter* unfit = nullptr;
    for (const Builtin& row : rows) {
        std::optional<std::vector<Value>> ordered;
        // NOLINTBEGIN(bugprone-use-after-move): moved in the last iteration only
        if (!names.empty()) {
            ordered = in_order(row, arguments, names);
        } else if (row.takes(arguments.size())) {
            ordered = &row == &rows.back() ? std::move(arguments) : arguments;
        }
        // NOLINTEND(bugprone-use-after-move)
        if (!ordered) continue;
        unfit = first_unfit(row, *ordered);
        if (unfit) continue;
        Call call(*this, *ordered);
        return row.run(call);
    }
    const std::string_view name = rows.front().name;
    if (unfit)
        return meter_.fail({"'", unfit->name, "' of ", name, "() must be ", name_of(unfit->want)});
    if (names.empty()) return meter_.fail({"wrong number of arguments for ", name, "()"});
    return meter_.fail({name, "() has no parameters with these names"});
}

// Arguments by name are put into the order of the definition.
Value Evaluator::on(const CallNode& node) {
    const std::size_t offset = meter_.offset();
    const Value callee = evaluate(*node.callee);
    std::vector<Value> values = evaluated(node.arguments);
    meter_.at(offset);
    if (meter_.stopped()) return Null{};
    const auto* function = callee.get<FunctionPointer>();
    if (!function) return meter_.fail({"cannot call a ", name_of(callee.kind())});
    const bool by_name = !node.arguments.empty() && !node.arguments.front().name.empty();
    if (!(*function)->definition)
        return call_builtin((*function)->builtins, std::move(values),
                            by_name ? std::span(node.arguments) : std::span<const Argument>());
    if (!by_name) return call_definition(**function, std::move(values), *function);
    const auto& parameters = (*function)->definition->parameters;
    std::vector<Value> ordered(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto found =
            std::ranges::find(parameters, node.arguments[i].name, &FunctionNode::Parameter::name);
        const auto place = static_cast<std::size_t>(found - parameters.begin());
        if (place >= ordered.size())
            return meter_.fail({"the function has no parameter '", node.arguments[i].name, "'"});
        ordered[place] = values[i];
    }
    return call_definition(**function, std::move(ordered), *function);
}

Value Evaluator::call(const Function& function, std::vector<Value> arguments) {
    if (!function.definition) return call_builtin(function.builtins, std::move(arguments), {});
    return call_definition(function, std::move(arguments), nullptr);
}

Value Evaluator::call_definition(const Function& function, std::vector<Value> arguments,
                                 const FunctionPointer& self) {
    const FunctionNode& node = *function.definition;
    if (arguments.size() != node.parameters.size())
        return meter_.fail("wrong number of arguments for the function");
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& parameter = node.parameters[i];
        if (!parameter.type) continue;
        auto fitting = coerced(arguments[i], *parameter.type);
        if (!fitting)
            return meter_.fail({"'", parameter.name, "' does not have its declared type"});
        arguments[i] = *std::move(fitting);
    }
    Frame frame{std::move(arguments), function.program};
    frame.slots.resize(node.frame_size);
    for (std::size_t i = 0; i < node.captures.size(); ++i)
        frame.slots[node.captures[i].to] = function.captures[i];
    if (node.self)
        frame.slots[*node.self] = self ? self : std::make_shared<const Function>(function);
    Frame* caller = std::exchange(frame_, &frame);
    Value value = evaluate(*node.body);
    frame_ = caller;
    return value;
}

}  // namespace holdfast::feel
