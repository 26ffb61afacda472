#include "engine/process_state.h"

namespace holdfast::engine {
namespace {

constexpr const char* variables_member = "variables";
constexpr const char* step_member = "currentStep";

bj::object members_of(const Document& document) {
    bj::value value = document.value();
    return value.is_object() ? std::move(value.get_object()) : bj::object{};
}

// Null and absent are different: somebody wrote the null.
std::optional<bj::value> named_member(const bj::object& object, const char* name) {
    const bj::value* found = object.if_contains(name);
    return found ? std::optional(*found) : std::nullopt;
}

}  // namespace

bj::object variables_of(const Document& state) {
    bj::object object = members_of(state);
    bj::value* variables = object.if_contains(variables_member);
    return variables && variables->is_object() ? std::move(variables->get_object()) : bj::object{};
}

Document state_with(const Document& state, const bj::object& variables,
                    const std::optional<std::string>& current_step) {
    bj::object object = members_of(state);
    if (!variables.empty() || object.contains(variables_member))
        object[variables_member] = variables;
    if (current_step)
        object[step_member] = *current_step;
    else
        object.erase(step_member);
    return Document::of(std::move(object));
}

std::vector<SchemaViolation> check_process_state(const Document& current, const Document& wanted) {
    std::vector<SchemaViolation> violations;
    const bj::object object = members_of(wanted);
    const auto variables = named_member(object, variables_member);
    if (variables && !variables->is_object())
        violations.push_back({"/variables", "the variables of a process must be an object"});
    const auto step = named_member(members_of(current), step_member);
    if (named_member(object, step_member) != step)
        violations.push_back(
            {"/currentStep", "the engine alone writes it: leave it as it is" +
                                 (step ? ", " + bj::serialize(*step) : std::string(", absent"))});
    return violations;
}

Document with_current_step(const Document& current, Document wanted) {
    bj::object object = members_of(wanted);
    const auto step = named_member(members_of(current), step_member);
    if (named_member(object, step_member) == step) return wanted;
    if (step)
        object[step_member] = *step;
    else
        object.erase(step_member);
    return Document::of(std::move(object));
}

}  // namespace holdfast::engine
