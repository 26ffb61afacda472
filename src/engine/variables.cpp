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
    feel::Evaluated evaluated =
        feel::evaluate(expression, feel::Scope(variables), {.budget = {}, .now = now_});
    if (evaluated.trouble && evaluated.trouble->is_budget())
        return fail(ErrorCode::refused, evaluated.trouble->message);
    return std::move(evaluated.value);
}

Result<bj::value> Run::evaluate_json(const feel::Expression& expression, const Around& from,
                                     const bj::object& also) {
    HF_TRY(const feel::Value value, evaluate(expression, from, also));
    return feel::to_json(value);
}

bool Run::is_true(const feel::Expression& expression, const Around& from, const bj::object& also) {
    const auto value = evaluate(expression, from, also);
    return value && value->is_true();
}

std::string Run::text(const bpmn::TextOrExpression& text, const Around& from) {
    if (const auto* fixed = std::get_if<std::string>(&text)) return *fixed;
    const auto value = evaluate(std::get<feel::Expression>(text), from);
    return value && !value->is_null() ? feel::shown(*value) : "";
}

}  // namespace holdfast::engine
