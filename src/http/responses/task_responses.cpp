#include "http/responses/task_responses.h"

#include <boost/json.hpp>

#include "http/input/etag.h"
#include "http/responses/problem.h"
#include "http/responses/refusal_responses.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

bj::value text_or_null(const std::optional<std::string>& text) {
    return text ? bj::value(*text) : bj::value(nullptr);
}

Response refusal(int status, std::string_view slug, std::string_view title,
                 const std::string& detail, const HumanTask& task) {
    bj::object members;
    members["holder"] = text_or_null(task.holder);
    members["currentVersion"] = task.version;
    members["currentTask"] = to_json(task);
    Response response = problem(status, slug, title, detail, std::move(members));
    response.headers.add("ETag", etag_of(task.version));
    return response;
}

}  // namespace

Response task_response(int status, const HumanTask& task) {
    return versioned(status, task.version, to_json(task));
}

Response respond_to(const op::TaskChanged& changed) { return task_response(200, changed.task); }

Response respond_to(const op::TaskUnchanged& unchanged) {
    return task_response(200, unchanged.task);
}

Response respond_to(const op::NoTask&) {
    return problem(404, "no-such-task", "Not found", "there is no task with this id");
}

Response respond_to(const op::TaskEnded& ended) {
    return refusal(
        409, "task-ended", "The task has ended",
        "this task is " + std::string(name_of(ended.task.state)) + ": it does not change any more",
        ended.task);
}

Response respond_to(const op::StaleTask& stale) {
    return refusal(409, "stale-version", "The task has changed",
                   "you expected version " + std::to_string(stale.expected) +
                       ", the current one is " + std::to_string(stale.task.version) +
                       ": look at the task and decide again",
                   stale.task);
}

Response respond_to(const op::TaskHeld& held) {
    return refusal(409, "task-held", "Somebody else holds the task",
                   "'" + held.task.holder.value_or("") +
                       "' has claimed this task: it is free again when it is released",
                   held.task);
}

Response respond_to(const op::NotHolder& refused) {
    return refusal(
        409, "not-the-holder", "Not the holder of the task",
        refused.task.holder
            ? "only '" + *refused.task.holder + "', who has claimed this task, may do that"
            : std::string("nobody has claimed this task: claim it first"),
        refused.task);
}

Response respond_to(const op::NotCandidate& refused) {
    return refusal(403, "not-a-candidate", "Not a candidate for the task",
                   "this task is for its assignee, its candidate users and its candidate groups",
                   refused.task);
}

Response respond_to(const op::MissingOutputs& missing) {
    return problem(422, "missing-outputs", "Outputs are missing",
                   "this task is completed with the outputs that it expects; nothing was written",
                   {{"missing", bj::array(missing.names.begin(), missing.names.end())}});
}

}  // namespace holdfast::http
