// POST /api/v1/workflows/{id}/modify: variables and tokens of a running process, by hand
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/etag.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

constexpr std::size_t most_steps = 100;

Result<std::optional<ActivityInstanceId>> read_activity(const bj::object& step, const char* name) {
    HF_TRY(const auto text, read_text(step, name));
    if (!text) return std::nullopt;
    const auto id = parse_id<ActivityInstanceId>(*text);
    if (!id)
        return fail(ErrorCode::invalid_argument,
                    "'" + std::string(name) + "' must be the id of an activity (a UUID)");
    return id;
}

// Besides `do`. What a step has for another member would be lost: a retry with a misspelt activity
// would retry everything.
Result<void> check_members(const bj::object& step, std::string_view what) {
    const auto allowed = [&](std::string_view name) {
        if (name == "do") return true;
        if (name == "activity") return what != "enter";
        if (name == "variables") return what == "setVariables";
        if (name == "element" || name == "inside") return what == "enter";
        return name == "value" && what == "trigger";
    };
    for (const auto& member : step)
        if (!allowed(member.key()))
            return fail(ErrorCode::invalid_argument, "a step {\"do\": \"" + std::string(what) +
                                                         "\"} has no member '" +
                                                         std::string(member.key()) + "'");
    return {};
}

Result<Modification> read_step(const bj::value& value) {
    if (!value.is_object())
        return fail(ErrorCode::invalid_argument, "every step must be an object");
    const bj::object& step = value.get_object();
    HF_TRY(const auto what, read_text(step, "do"));
    HF_CHECK(check_members(step, what.value_or("")));
    if (what == "setVariables") {
        HF_TRY(auto activity, read_activity(step, "activity"));
        return modification::SetVariables{activity, read_value(step, "variables")};
    }
    if (what == "enter") {
        HF_TRY(auto inside, read_activity(step, "inside"));
        HF_TRY(auto element, read_text(step, "element"));
        return modification::Enter{element.value_or(""), inside};
    }
    HF_TRY(auto activity, read_activity(step, "activity"));
    if (what == "retry") return modification::Retry{activity};
    if (what == "end" && activity) return modification::End{*activity};
    if (what == "trigger" && activity)
        return modification::Trigger{*activity, read_value(step, "value")};
    return fail(
        ErrorCode::invalid_argument,
        "a step must be {\"do\": \"setVariables\", \"variables\": {...}}, {\"do\": \"enter\", "
        "\"element\": ID}, {\"do\": \"retry\"}, or {\"do\": \"end\" or \"trigger\", "
        "\"activity\": ID}");
}

Result<std::vector<Modification>> read_steps(const bj::object& body) {
    const bj::value* steps = body.if_contains("steps");
    if (!steps || !steps->is_array() || steps->get_array().empty() ||
        steps->get_array().size() > most_steps)
        return fail(ErrorCode::invalid_argument, "'steps' must be a list of 1 to 100 steps");
    std::vector<Modification> read;
    for (const bj::value& value : steps->get_array()) {
        HF_TRY(auto step, read_step(value));
        read.push_back(std::move(step));
    }
    return read;
}

Response respond_to(const op::ModifyDone& done) {
    return versioned(200, done.version, bj::object{{"version", done.version}});
}

Response respond_to(const op::ModifyRefused& refused) {
    return problem(422, "not-modified", "Not modified", refused.why + "; nothing was changed");
}

Result<op::Modify> read_modify(const Request& request, IdSource& ids) {
    op::Modify modify;
    HF_TRY(modify.instance, read_instance_id(request));
    HF_TRY(auto match, parse_if_match(request.headers, Presence::required));
    modify.expected = match->version;
    HF_TRY(const auto body, read_object(request, {"steps"}));
    HF_TRY(modify.steps, read_steps(body));
    HF_TRY(modify.cause, read_cause(request, ids));
    HF_TRY(modify.client_key, read_client_key(request));
    return modify;
}

void modify(Api& api, Request request, Respond respond) {
    submit(api, read_modify(request, api.ids), std::move(respond),
           [](const auto& one) { return respond_to(one); });
}

}  // namespace

void add_modify_routes(Router& router, Api& api) {
    add_route(
        router, api, Method::post, "/api/v1/workflows/{id}/modify", modify,
        Description("modifyProcess", operators.within(Within::workflow),
                    "Changes variables and tokens of a process by hand.")
            .if_match(Presence::required)
            .repeatable()
            .body("ModifyRequest")
            .answer(200, "All steps are done.", "VersionOnly", {"ETag"})
            .problems({"not-found", "stale-version", "ended", "quarantined", "not-modified"}));
}

}  // namespace holdfast::http
