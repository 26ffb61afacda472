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
        "the task is " + std::string(name_of(ended.task.state)) + " and cannot be changed",
        ended.task);
}

Response respond_to(const op::StaleTask& stale) {
    return refusal(409, "stale-version", "The task has changed",
                   "you expected version " + std::to_string(stale.expected) +
                       ", the current one is " + std::to_string(stale.task.version) +
                       "; read the task again and retry with its version",
                   stale.task);
}

Response respond_to(const op::TaskHeld& held) {
    return refusal(
        409, "task-held", "Another user holds the task",
        "'" + held.task.holder.value_or("") + "' has claimed this task; it must be released first",
        held.task);
}

Response respond_to(const op::NotHolder& refused) {
    return refusal(409, "not-the-holder", "Not the holder of the task",
                   refused.task.holder ? "only '" + *refused.task.holder +
                                             "', who has claimed this task, may do this"
                                       : std::string("the task is not claimed; claim it first"),
                   refused.task);
}

Response respond_to(const op::NotCandidate& refused) {
    return refusal(403, "not-a-candidate", "Not a candidate for the task",
                   "only the task's assignee, candidate users and candidate groups may claim it",
                   refused.task);
}

Response respond_to(const op::MissingOutputs& missing) {
    std::string names;
    for (const std::string& name : missing.names) names += (names.empty() ? "" : ", ") + name;
    return problem(422, "missing-outputs", "Outputs are missing",
                   (missing.names.size() == 1 ? "missing output: " : "missing outputs: ") + names +
                       "; the task is unchanged",
                   {{"missing", bj::array(missing.names.begin(), missing.names.end())}});
}

}  // namespace holdfast::http
