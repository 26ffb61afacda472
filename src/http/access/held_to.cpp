#include "http/access/held_to.h"

#include "http/responses/problem.h"
#include "http/router.h"

namespace holdfast::http {
namespace {

std::string names_of(Roles roles) {
    std::string names;
    for (const Role role : all_roles)
        if (roles.has(role)) names.append(names.empty() ? "" : " or ").append(name_of(role));
    return names;
}

std::string list_of(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list.append(list.empty() ? "" : ", ").append(text);
    return list;
}

Response not_allowed(const std::string& detail) {
    return problem(403, "not-allowed", "Not allowed", detail);
}

Response unknown_definition(std::string_view key) {
    return problem(404, "unknown-definition", "Not found",
                   "there is no definition '" + std::string(key) + "'");
}

std::optional<Response> narrow_list(Request& head) {
    const auto& definitions = head.identity.definitions;
    const auto wanted = head.query_value("definition");
    if (wanted && !head.identity.reaches(*wanted)) return unknown_definition(*wanted);
    if (wanted) return std::nullopt;
    if (definitions.size() > 1)
        return not_allowed("the credential is for certain definitions: say which one with " +
                           std::string("?definition=; it is for ") + list_of(definitions));
    head.query.emplace_back("definition", definitions.front());
    return std::nullopt;
}

bool is_path_of_task(const Request& request) {
    return request.route->description.rule.reach == Within::task;
}

}  // namespace

std::optional<Response> refusal_by_rule(const Rule& rule, Request& head) {
    if (head.identity.roles.among(rule.roles).empty())
        return not_allowed("this needs the role " + names_of(rule.roles));
    if (!head.identity.is_restricted()) return std::nullopt;
    if (rule.reach == Within::store)
        return not_allowed("the credential is for certain definitions, and this is about all: " +
                           list_of(head.identity.definitions));
    if (rule.reach == Within::definition && !head.identity.reaches(head.param("key")))
        return unknown_definition(head.param("key"));
    if (rule.reach == Within::filter) return narrow_list(head);
    return std::nullopt;
}

bool needs_look_up(const Request& request) {
    if (is_path_of_task(request) && is_for_own_tasks(request)) return true;
    const Within reach = request.route->description.rule.reach;
    return request.identity.is_restricted() && (reach == Within::workflow || reach == Within::task);
}

bool is_for_own_tasks(const Request& request) {
    const Roles useful = request.identity.roles.among(request.route->description.rule.roles);
    return useful == Roles{Role::participant};
}

bool is_own_task(const HumanTask& task, const Caller& caller) {
    return task.holder == caller.user || may_claim(task, caller);
}

}  // namespace holdfast::http
