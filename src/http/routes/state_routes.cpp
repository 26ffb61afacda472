// PATCH /api/v1/workflows/{id}/state
#include <boost/json.hpp>

#include "base/json/object_text.h"
#include "base/json/parse.h"
#include "http/api.h"
#include "http/input/etag.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

constexpr const char* accepted =
    "application/json, application/merge-patch+json, application/json-patch+json";

Response respond_to(const op::Edited& edited) {
    json::ObjectText body;
    body.add("version", edited.version);
    body.add("state", edited.state);
    body.add("stateMetadata", edited.state_metadata);
    body.add("lastModifiedAt", to_iso8601(edited.last_modified_at));
    if (edited.resolution) body.add("resolution", name_of(*edited.resolution));
    Response response = json_response(200, std::move(body).text());
    response.headers.add("ETag", etag_of(edited.version));
    return response;
}

// A failed `test` is a condition of the client, hence a conflict. Any other failure means that the
// patch does not apply.
Response respond_to(const op::PatchRefused& refused) {
    const bool test = refused.failure.kind == json::PatchFailure::Kind::test_failed;
    Response response =
        problem(test ? 409 : 422, test ? "patch-test-failed" : "patch-not-applicable",
                test ? "A test of the patch failed" : "The patch does not apply",
                refused.failure.message + "; the workflow is unchanged",
                {{"step", refused.failure.step},
                 {"currentVersion", refused.version},
                 {"currentState", refused.state.value()}});
    response.headers.add("ETag", etag_of(refused.version));
    return response;
}

Result<op::Edit> read_replace(const Request& request) {
    HF_TRY(auto body, read_object(request, {"state", "stateMetadata"}));
    op::Replace replace;
    HF_TRY(replace.state, read_document(body, "state"));
    HF_TRY(replace.state_metadata, read_document(body, "stateMetadata"));
    if (!replace.state && !replace.state_metadata)
        return fail(ErrorCode::invalid_argument, "send 'state', 'stateMetadata' or both");
    return replace;
}

Result<op::Edit> read_edit(const Request& request) {
    const std::string type = content_type(request);
    if (type == "application/merge-patch+json") {
        HF_TRY(auto patch, json::parse(request.body));
        return op::MergePatch{Document::keeping(std::move(patch))};
    }
    if (type == "application/json-patch+json") {
        HF_TRY(auto document, json::parse(request.body));
        HF_TRY(auto patch, json::parse_patch(document));
        return op::JsonPatch{std::move(patch), Document::of(document)};
    }
    return read_replace(request);
}

OnConflict on_conflict_of(const Request& request) {
    const auto text = request.query_value("onConflict");
    return parse_on_conflict(text.value_or("reject")).value_or(OnConflict::reject);
}

Result<op::EditState> read_edit_state(const Request& request, IdSource& ids) {
    op::EditState edit;
    HF_TRY(edit.instance, read_instance_id(request));
    edit.on_conflict = on_conflict_of(request);
    HF_TRY(edit.edit, read_edit(request));
    HF_TRY(auto match, parse_if_match(request.headers, Presence::required));
    edit.expected = match->version;
    HF_TRY(edit.cause, read_cause(request, ids));
    return edit;
}

void patch_state(Api& api, Request request, Respond respond) {
    submit(api, read_edit_state(request, api.ids), std::move(respond),
           [](const auto& one) { return respond_to(one); });
}

}  // namespace

void add_state_routes(Router& router, Api& api) {
    add_route(
        router, api, Method::patch, "/api/v1/workflows/{id}/state", patch_state,
        Description("editState", operators.within(Within::workflow),
                    "Changes the state of a workflow.")
            .query({"onConflict", "What to do if another version is current.",
                    Choice{{"reject", "server-wins", "client-wins", "merge"}}})
            .if_match(Presence::required)
            .body("StateRequest")
            .body_as("application/merge-patch+json", "MergePatchRequest")
            .body_as("application/json-patch+json", "JsonPatchRequest")
            .instead_send(std::string("send the change as one of: ") + accepted)
            .answer(200, "It is changed, or the conflict was settled.", "EditedState", {"ETag"})
            .problems({"not-found", "stale-version", "ended", "quarantined", "invalid-state",
                       "patch-test-failed", "patch-not-applicable"}));
}

}  // namespace holdfast::http
