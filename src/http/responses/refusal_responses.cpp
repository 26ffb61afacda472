#include "http/responses/refusal_responses.h"

#include <boost/json.hpp>

#include "http/input/etag.h"
#include "http/responses/problem.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

std::string_view advice(Resolution resolution) {
    switch (resolution) {
        case Resolution::overlapping:
            return "Both changes touch the listed paths; resolve them and retry with the current "
                   "version";
        case Resolution::base_missing:
            return "The version you started from is not in the history; fetch the current "
                   "state, apply your change to it and retry";
        default:
            return "Fetch the current state, apply your change to it and retry with its version";
    }
}

}  // namespace

Response versioned(int status, Version version, const bj::object& body) {
    Response response = json_response(status, body);
    response.headers.add("ETag", etag_of(version));
    return response;
}

Response respond_to(const op::NotFound&) {
    return problem(404, "not-found", "Not found", "there is no workflow with this id");
}

Response respond_to(const op::Quarantined&) {
    return problem(
        409, "quarantined", "Quarantined",
        "the stored state fails its checksum; the workflow cannot change until the state is "
        "repaired and released with POST .../release");
}

Response respond_to(const op::Ended& ended) {
    Response response =
        problem(409, "ended", "The workflow has ended",
                "the workflow is " + std::string(name_of(ended.status)) +
                    "; an ended workflow cannot be changed",
                {{"workflowStatus", name_of(ended.status)}, {"currentVersion", ended.version}});
    response.headers.add("ETag", etag_of(ended.version));
    return response;
}

Response respond_to(const op::Stale& stale) {
    bj::array paths;
    for (const std::string& path : stale.paths) paths.emplace_back(path);
    Response response = problem(409, "stale-version", "State has been modified by another user",
                                "you expected version " + std::to_string(stale.expected) +
                                    ", the current one is " + std::to_string(stale.actual),
                                {{"error", "State has been modified by another user"},
                                 {"currentVersion", stale.actual},
                                 {"currentState", stale.state.value()},
                                 {"currentStateMetadata", stale.state_metadata.value()},
                                 {"message", advice(stale.resolution)},
                                 {"resolution", name_of(stale.resolution)},
                                 {"paths", std::move(paths)}});
    response.headers.add("ETag", etag_of(stale.actual));
    return response;
}

Response respond_to(const op::InvalidState& invalid) {
    bj::array violations;
    for (const SchemaViolation& violation : invalid.violations)
        violations.push_back(bj::object{{"path", violation.path}, {"message", violation.message}});
    return problem(422, "invalid-state", "The state does not fit its definition",
                   "the new state violates the definition's schema at the listed paths; the "
                   "workflow is unchanged",
                   {{"violations", std::move(violations)}});
}

Response respond_to(const op::DisabledDefinition& disabled) {
    return problem(409, "definition-disabled", "Disabled",
                   "'" + disabled.key + "' is disabled: nobody may start it until POST " +
                       "/api/v1/definitions/" + disabled.key + "/enable");
}

Response respond_to(const op::NoCheckpoint& missing) {
    return problem(404, "no-such-checkpoint", "Not found",
                   "this workflow has no checkpoint named '" + missing.checkpoint + "'");
}

Response respond_to(const op::Overtaken& overtaken) {
    const std::uint64_t run = overtaken.current.run;
    const std::uint64_t index = overtaken.current.index;
    return problem(409, "overtaken", "Overtaken",
                   "the workflow is at run " + std::to_string(run) + ", index " +
                       std::to_string(index) + " and " + std::string(name_of(overtaken.status)) +
                       "; read its journal and continue from there",
                   {{"currentRun", run},
                    {"currentIndex", index},
                    {"workflowStatus", name_of(overtaken.status)}});
}

}  // namespace holdfast::http
