#include "feel/values/range_text.h"

#include "feel/builtins/builtins.h"
#include "feel/evaluation/compare.h"

namespace holdfast::feel {
namespace {

bool is_literal(const Node& node) {
    const auto* literal = std::get_if<Literal>(&node.form);
    return literal && !literal->value.is_null();
}

bool is_end(const Node& node) {
    const auto* call = std::get_if<BuiltinCallNode>(&node.form);
    if (!call) return is_literal(node);
    const std::string_view name = call->builtins.front().name;
    const bool converts =
        name == "date" || name == "time" || name == "date and time" || name == "duration";
    return converts && call->arguments.size() == 1 && is_literal(*call->arguments[0].value);
}

}  // namespace

Value range_of_text(std::string_view text, Evaluator& evaluator) {
    Meter& meter = evaluator.meter();
    if (!meter.step(500) || !meter.read(text.size() * 64)) return Null{};
    const auto parsed = parse(text, {.most_bytes = 1000});
    if (!parsed) return meter.fail({"not a range: ", parsed.error().message});
    const auto* range = std::get_if<RangeNode>(&parsed->program()->root->form);
    if (!range || !is_end(*range->low) || !is_end(*range->high))
        return meter.fail("a range must be written with literals, such as [1..10]");
    const Value low = evaluator.evaluate(*range->low);
    const Value high = evaluator.evaluate(*range->high);
    if (low.is_null() || high.is_null()) return Null{};
    return make_range(low, high, *range, meter);
}

}  // namespace holdfast::feel
