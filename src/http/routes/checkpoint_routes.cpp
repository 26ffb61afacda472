// /api/v1/workflows/{id}/checkpoints: create, list, restore, fork
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/etag.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

std::string workflow_path(const InstanceId& id) { return "/api/v1/workflows/" + to_string(id); }

Response respond_to(const op::Checkpointed& made) {
    Response response = json_response(201, to_json(made.checkpoint));
    response.headers.add("Location", workflow_path(made.checkpoint.instance) + "/checkpoints/" +
                                         made.checkpoint.name);
    return response;
}

Response respond_to(const op::NameTaken& taken) {
    return problem(409, "checkpoint-exists", "The name is taken",
                   "a checkpoint with this name exists (version " + std::to_string(taken.version) +
                       "); choose another name",
                   {{"checkpointVersion", taken.version}});
}

Response respond_to(const op::Restored& restored) {
    return versioned(200, restored.version,
                     {{"version", restored.version},
                      {"state", restored.state.value()},
                      {"stateMetadata", restored.state_metadata.value()},
                      {"lastModifiedAt", to_iso8601(restored.last_modified_at)},
                      {"safetyCheckpoint", restored.safety_checkpoint}});
}

Response respond_to(const op::Forked& forked) {
    Response response = versioned(201, forked.instance.version, to_json(forked.instance));
    response.headers.add("Location", workflow_path(forked.instance.id));
    return response;
}

Response respond_to(const op::RunsFlow&) {
    return problem(
        409, "runs-a-flow", "A flow runs this workflow",
        "a workflow that a flow runs cannot be forked, because its journal belongs to its id; "
        "start a new workflow of this definition with the checkpoint's state and the same "
        "arguments",
        {});
}

// The part that create, restore and fork share.
template <class Op>
Result<Op> read_common(const Request& request, IdSource& ids) {
    Op op;
    HF_TRY(op.cause, read_cause(request, ids));
    HF_TRY(op.client_key, read_client_key(request));
    if constexpr (requires { op.expected; }) {
        HF_TRY(auto match, parse_if_match(request.headers, Presence::optional));
        if (match) op.expected = match->version;
    }
    return op;
}

Result<op::Checkpoint> read_create(const Request& request, IdSource& ids) {
    HF_TRY(auto create, read_common<op::Checkpoint>(request, ids));
    HF_TRY(create.instance, read_instance_id(request));
    HF_TRY(auto body, read_object(request, {"name"}));
    HF_TRY(auto name, read_text(body, "name"));
    HF_TRY(create.checkpoint, read_name(name.value_or(""), "'name'"));
    // Reserved, so that a safety checkpoint never collides with a user's checkpoint.
    if (create.checkpoint.starts_with(op::safety_prefix))
        return fail(ErrorCode::invalid_argument, "names that begin with '" +
                                                     std::string(op::safety_prefix) +
                                                     "' are reserved for safety checkpoints");
    return create;
}

Result<op::Restore> read_restore(const Request& request, IdSource& ids) {
    HF_TRY(auto restore, read_common<op::Restore>(request, ids));
    HF_TRY(restore.instance, read_instance_id(request));
    HF_CHECK(read_object(request, {}, EmptyBody::allowed));
    HF_TRY(restore.checkpoint, read_name(request.param("name"), "a checkpoint's name"));
    return restore;
}

Result<op::Fork> read_fork(const Request& request, IdSource& ids) {
    HF_TRY(auto fork, read_common<op::Fork>(request, ids));
    HF_TRY(fork.source, read_instance_id(request));
    HF_TRY(auto body,
           read_object(request, {"businessReference", "businessKey"}, EmptyBody::allowed));
    HF_TRY(fork.business, read_business(body));
    HF_TRY(fork.checkpoint, read_name(request.param("name"), "a checkpoint's name"));
    return fork;
}

template <class Op>
void submit(Api& api, Result<Op> op, Respond respond) {
    http::submit(api, std::move(op), std::move(respond),
                 [](const auto& one) { return respond_to(one); });
}

Result<CheckpointQuery> read_checkpoint_list(const Request& request) {
    CheckpointQuery query;
    HF_TRY(query.instance, read_instance_id(request));
    if (request.query_value("include")) query.content = PageContent::documents;
    query.limit = number_of(request, "limit");
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(query.after, read_cursor(*cursor, to_string(query.instance)));
    }
    return query;
}

Response checkpoints_response(const TenantReads& reads, const CheckpointQuery& query) {
    const auto instance = reads.ask(FindInstance{query.instance, Depth::row});
    if (!instance) return problem(instance.error());
    if (!*instance) return respond_to(op::NotFound{});
    const auto page = reads.ask(query);
    if (!page) return problem(page.error());
    bj::array items;
    for (const Checkpoint& checkpoint : page->items) {
        bj::object item = to_json(checkpoint);
        if (query.content == PageContent::rows)
            for (const char* document : {"state", "stateMetadata"}) item.erase(document);
        items.push_back(std::move(item));
    }
    bj::object body{{"items", std::move(items)}, {"nextCursor", nullptr}};
    if (page->next) body["nextCursor"] = make_cursor(*page->next, to_string(query.instance));
    return json_response(200, body);
}

void list_checkpoints(Api& api, Request request, Respond respond) {
    auto query = read_checkpoint_list(request);
    if (!query) return respond(problem(query.error()));
    search_on_worker(api, std::move(respond),
                     [reads = reads_of(api, request),
                      query = *std::move(query)](const PageBudget& budget) mutable {
                         query.budget = budget;
                         return checkpoints_response(reads, query);
                     });
}

}  // namespace

namespace {

void create_checkpoint(Api& api, Request request, Respond respond) {
    submit(api, read_create(request, api.ids), std::move(respond));
}

void restore_checkpoint(Api& api, Request request, Respond respond) {
    submit(api, read_restore(request, api.ids), std::move(respond));
}

void fork_checkpoint(Api& api, Request request, Respond respond) {
    submit(api, read_fork(request, api.ids), std::move(respond));
}

Description checkpoint_create_description() {
    return Description("createCheckpoint", operators.within(Within::workflow),
                       "Keeps the current state under a name.")
        .if_match(Presence::optional)
        .repeatable()
        .body("CheckpointRequest")
        .answer(201, "It is kept.", "Checkpoint", {"Location"})
        .problems({"not-found", "stale-version", "quarantined", "checkpoint-exists"});
}

Description checkpoint_list_description() {
    return Description("listCheckpoints", readers.within(Within::workflow),
                       "Lists the checkpoints of a workflow, by name.")
        .query({"include", "`state`: every item has state and stateMetadata.", Choice{{"state"}},
                "state: then every item has state and stateMetadata"})
        .page(50, 500)
        .answer(200, "A page of checkpoints.", "CheckpointPage")
        .problems({"not-found"});
}

Description restore_description() {
    return Description("restoreCheckpoint", operators.within(Within::workflow),
                       "Makes the state of a checkpoint the current one.")
        .path("name", "The name of the checkpoint.")
        .if_match(Presence::optional)
        .repeatable()
        .body("NothingRequest", Presence::optional)
        .answer(200, "It is restored.", "RestoredState", {"ETag"})
        .problems({"not-found", "no-such-checkpoint", "stale-version", "ended", "quarantined"});
}

Description fork_description() {
    return Description("forkCheckpoint", operators.within(Within::workflow),
                       "Starts another workflow from the state of a checkpoint.")
        .path("name", "The name of the checkpoint.")
        .repeatable()
        .body("ForkRequest", Presence::optional)
        .answer(201, "It is started.", "Workflow", {"ETag", "Location"})
        .problems({"not-found", "no-such-checkpoint", "runs-a-flow", "quarantined"});
}

}  // namespace

void add_checkpoint_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/workflows/{id}/checkpoints";
    add_route(router, api, Method::post, base, create_checkpoint, checkpoint_create_description());
    add_route(router, api, Method::get, base, list_checkpoints, checkpoint_list_description());
    add_route(router, api, Method::post, base + "/{name}/restore", restore_checkpoint,
              restore_description());
    add_route(router, api, Method::post, base + "/{name}/fork", fork_checkpoint,
              fork_description());
}

}  // namespace holdfast::http
