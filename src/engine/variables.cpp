// Variables of a run: scopes, mappings' targets, and expressions over them.
#include "engine/run.h"
#include "feel/values/json.h"
#include "feel/values/show.h"

namespace holdfast::engine {

bj::object Run::visible(const Around& from) {
    std::vector<const bj::object*> scopes;
    for (const Live* live = find(from); live; live = find(live->parent))
        if (live->variables) scopes.push_back(&*live->variables);
    bj::object all = root_;
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
        for (const auto& member : **scope) all.insert_or_assign(member.key(), member.value());
    return all;
}

bj::value Run::read(const Around& from, std::string_view name) {
    for (const Live* live = find(from); live; live = find(live->parent))
        if (live->variables && live->variables->contains(name)) return live->variables->at(name);
    const bj::value* value = root_.if_contains(name);
    return value ? *value : bj::value(nullptr);
}

void Run::write(const Around& from, const std::string& name, bj::value value) {
    for (Live* live = find(from); live; live = find(live->parent)) {
        if (!live->variables || !live->variables->contains(name)) continue;
        live->variables->insert_or_assign(name, std::move(value));
        return;
    }
    root_.insert_or_assign(name, std::move(value));
}

void Run::assign(const Around& from, const std::string& target, bj::value value) {
    const std::size_t dot = target.find('.');
    if (dot == target.npos) return write(from, target, std::move(value));
    const std::string name = target.substr(0, dot);
    bj::value whole = read(from, name);
    bj::value* place = &whole;
    for (std::size_t at = dot; at != target.npos;) {
        const std::size_t next = target.find('.', at + 1);
        if (!place->is_object()) *place = bj::object{};
        place = &place->get_object()[target.substr(at + 1, next - at - 1)];
        at = next;
    }
    *place = std::move(value);
    write(from, name, std::move(whole));
}

void Run::write_all(const Around& from, const bj::object& values) {
    for (const auto& member : values) write(from, std::string(member.key()), member.value());
}

Result<feel::Value> Run::evaluate(const feel::Expression& expression, const Around& from,
                                  const bj::object& also) {
    bj::object variables = visible(from);
    for (const auto& member : also) variables.insert_or_assign(member.key(), member.value());
    feel::Budget budget;
    if (steps_ >= most_steps)
        return fail(ErrorCode::refused, "the expressions of one reaction may take " +
                                            std::to_string(most_steps) + " steps together");
    budget.steps = std::min(budget.steps, most_steps - steps_);
    feel::Evaluated evaluated =
        feel::evaluate(expression, feel::Scope(variables), {.budget = budget, .now = now_});
    // The variables are copied for each.
    steps_ += evaluated.steps + instance_.state.text().size() / 64;
    if (evaluated.trouble && evaluated.trouble->is_budget())
        return fail(ErrorCode::refused, evaluated.trouble->message);
    return std::move(evaluated.value);
}

Result<bj::value> Run::evaluate_json(const feel::Expression& expression, const Around& from,
                                     const bj::object& also) {
    HF_TRY(const feel::Value value, evaluate(expression, from, also));
    return feel::to_json(value);
}

Result<bool> Run::check(const feel::Expression& expression, const Around& from,
                        const bj::object& also) {
    HF_TRY(const feel::Value value, evaluate(expression, from, also));
    if (const bool* is = value.get<bool>()) return *is;
    return fail(ErrorCode::refused, "the condition '" + expression.text() + "' is " +
                                        feel::shown(value) + ", not true or false");
}

Run::Saved Run::save(const Around& from) {
    Saved saved{.root = root_, .scopes = {}};
    for (const Live* live = find(from); live; live = find(live->parent))
        if (live->variables) saved.scopes.emplace_back(live->id, *live->variables);
    return saved;
}

void Run::restore(Saved saved) {
    root_ = std::move(saved.root);
    for (auto& [id, variables] : saved.scopes)
        if (Live* live = find(id)) live->variables = std::move(variables);
}

std::string Run::text(const bpmn::TextOrExpression& text, const Around& from) {
    if (const auto* fixed = std::get_if<std::string>(&text)) return *fixed;
    const auto value = evaluate(std::get<feel::Expression>(text), from);
    return value && !value->is_null() ? feel::shown(*value) : "";
}

}  // namespace holdfast::engine
