// /api/v1/webhooks: what happens is posted to a URL
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"
#include "http/webhooks/webhook_connection.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

std::string_view status_of(const Instance& instance, const Webhook& webhook) {
    if (!is_open(instance.status)) return "removed";
    if (instance.paused) return "paused";
    return webhook.failures > 0 ? "failing" : "active";
}

bj::object webhook_json(const Instance& instance, const Webhook& webhook) {
    bj::object object = webhook_state(webhook);
    object["id"] = to_string(instance.id);
    object["version"] = instance.version;
    object["status"] = status_of(instance, webhook);
    object["by"] =
        instance.started_by.empty() ? bj::value(nullptr) : bj::value(instance.started_by);
    object["createdAt"] = to_iso8601(instance.created_at);
    return object;
}

Response no_such_webhook() {
    return problem(404, "no-such-webhook", "Not found",
                   "there is no webhook with this id; 'holdfast webhooks list' shows all");
}

Result<InstanceId> read_webhook_id(const Request& request) {
    const auto id = parse_id<InstanceId>(request.param("id"));
    if (!id) return refuse("the id of a webhook is a UUID, as 'holdfast webhooks list' shows it");
    return *id;
}

struct FoundWebhook {
    Instance instance;
    Webhook webhook;
};

Result<std::optional<FoundWebhook>> find_webhook(const TenantReads& reads, const InstanceId& id) {
    HF_TRY(auto found, reads.ask(FindInstance{id, Depth::document}));
    if (!found || found->corrupt || found->instance.definition.key != webhook_definition)
        return std::nullopt;
    HF_TRY(auto webhook, webhook_from(found->instance.state.value()));
    return FoundWebhook{std::move(found->instance), std::move(webhook)};
}

Response webhook_response(const TenantReads& reads, const InstanceId& id) {
    const auto found = find_webhook(reads, id);
    if (!found) return problem(found.error());
    if (!*found) return no_such_webhook();
    return versioned(200, (*found)->instance.version,
                     webhook_json((*found)->instance, (*found)->webhook));
}

// What a request asks for, as a webhook that has posted nothing.
struct AskedWebhook {
    Webhook webhook;
    bool is_placed = false;  // it says from where on
    Cause cause;
    std::optional<op::ClientKey> client_key;
};

Result<AskedWebhook> read_asked(const Request& request, const WebhookRules& rules, IdSource& ids) {
    HF_TRY(auto body, read_object(request, {"url", "definition", "businessKey", "workflow", "kinds",
                                            "after"}));
    for (const char* name : {"url", "definition", "businessKey", "workflow", "after"})
        HF_CHECK(read_line(body, name));
    HF_TRY(const auto after, read_text(body, "after"));
    if (after && !parse_stream_position(*after))
        return refuse("'after' must be the id of an event of the stream");
    body["delivered"] = after.value_or("0");
    AskedWebhook asked{.is_placed = after.has_value()};
    HF_TRY(asked.webhook, webhook_from(body));
    HF_TRY(const auto url, parse_webhook_url(asked.webhook.url));
    HF_CHECK(check_webhook(rules, url));
    HF_TRY(asked.cause, read_cause(request, ids));
    HF_TRY(asked.client_key, read_client_key(request));
    return asked;
}

// What happens from now on, unless the request says from where.
Result<void> place_webhook(Api& api, AskedWebhook& asked) {
    HF_TRY(const auto now, api.store.ask(StreamQuery{}));
    Webhook& webhook = asked.webhook;
    if (!asked.is_placed) webhook.delivered = StreamPosition{now.reached};
    if (asked.is_placed &&
        (webhook.delivered < StreamPosition{now.forgotten} || webhook.delivered.round > now.newest))
        return refuse(
            "what is behind the position 'after' is not kept any more, or it is of "
            "another database");
    return {};
}

Result<op::Start::Outcome> start_webhook(Api& api, const AskedWebhook& asked) {
    const op::Start start{.cause = asked.cause,
                          .client_key = asked.client_key,
                          .definition = std::string(webhook_definition),
                          .business = {},
                          .state = Document::of(webhook_state(asked.webhook)),
                          .state_metadata = {},
                          .arguments = Document::of(bj::array{})};
    HF_TRY(auto outcome, api.coordinator.submit(start).get());
    if (!std::holds_alternative<op::UnknownDefinition>(outcome)) return outcome;
    // The first webhook of all.
    op::Define define{.cause = asked.cause, .key = std::string(webhook_definition)};
    define.cause.operation = api.ids.next<OperationId>();
    HF_TRY(const auto defined, api.coordinator.submit(std::move(define)).get());
    (void)defined;
    return api.coordinator.submit(start).get();
}

InstanceQuery open_webhooks(std::size_t limit) {
    return {.statuses = {Status::running, Status::suspended},
            .definition = std::string(webhook_definition),
            .limit = limit};
}

// Each costs a connection and a turn of the thread that posts.
constexpr std::size_t most_webhooks = 100;

Result<void> check_room(const TenantReads& reads) {
    InstanceQuery query = open_webhooks(most_webhooks);
    query.content = PageContent::rows;
    HF_TRY(const auto page, reads.ask(query));
    if (page.items.size() < most_webhooks) return {};
    return refuse("there are 100 webhooks, the most that may be; remove one first");
}

Result<Response> begin_webhook(Api& api, const TenantReads& reads, AskedWebhook& asked) {
    HF_CHECK(check_room(reads));
    HF_CHECK(place_webhook(api, asked));
    HF_TRY(const auto outcome, start_webhook(api, asked));
    const auto* started = std::get_if<op::Started>(&outcome);
    if (!started)
        return problem(
            409, "definition-disabled", "Disabled",
            "the definition '" + std::string(webhook_definition) + "' cannot be started");
    HF_TRY(const Webhook webhook, webhook_from(started->instance.state.value()));
    bj::object body = webhook_json(started->instance, webhook);
    body["key"] = webhook_key(api.webhooks, started->instance.id);
    Response response = versioned(201, started->instance.version, body);
    response.headers.add("Location", "/api/v1/webhooks/" + to_string(started->instance.id));
    return response;
}

Response or_problem(Result<Response> response) {
    return response ? *std::move(response) : problem(response.error());
}

void create_webhook(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto asked, read_asked(request, api.webhooks, api.ids));
        list_on_worker(api, std::move(later),
                       [&api, reads = reads_of(api, request),
                        asked = std::move(asked)](const PageBudget&) mutable {
                           return or_problem(begin_webhook(api, reads, asked));
                       });
        return {};
    });
}

Result<Response> list_response(const TenantReads& reads, const InstanceQuery& query) {
    HF_TRY(auto page, reads.ask(query));
    bj::array items;
    for (const FoundInstance& one : page.items)
        if (const auto webhook = webhook_from(one.instance.state.value()))
            items.push_back(webhook_json(one.instance, *webhook));
    bj::object body{{"items", std::move(items)}, {"nextCursor", nullptr}};
    if (page.next) body["nextCursor"] = make_cursor(*page.next, webhook_definition);
    return json_response(200, body);
}

void list_webhooks(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        InstanceQuery query = open_webhooks(number_of(request, "limit"));
        if (const auto cursor = request.query_value("cursor")) {
            HF_TRY(query.cursor, read_cursor(*cursor, webhook_definition));
        }
        list_on_worker(api, std::move(later),
                       [reads = reads_of(api, request),
                        query = std::move(query)](const PageBudget& budget) mutable {
                           query.budget = budget;
                           return or_problem(list_response(reads, query));
                       });
        return {};
    });
}

void get_webhook(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const auto id, read_webhook_id(request));
        read_on_worker(api, std::move(later), [reads = reads_of(api, request), id] {
            return webhook_response(reads, id);
        });
        return {};
    });
}

// Changes what was set aside; the sender takes it from there.
template <class Change>
Result<Response> change_refused(Api& api, const TenantReads& reads, const InstanceId& id,
                                const Cause& cause, Change change) {
    for (int tries = 0; tries < 5; ++tries) {
        HF_TRY(auto found, find_webhook(reads, id));
        if (!found || !is_open(found->instance.status)) return no_such_webhook();
        change(found->webhook);
        op::EditState edit{.cause = cause,
                           .instance = id,
                           .expected = found->instance.version,
                           .edit = op::Replace{.state = Document::of(webhook_state(found->webhook)),
                                               .state_metadata = {}}};
        edit.cause.operation = api.ids.next<OperationId>();
        HF_TRY(const auto outcome, api.coordinator.submit(std::move(edit)).get());
        if (std::holds_alternative<op::Edited>(outcome)) return webhook_response(reads, id);
    }
    return problem(Error{ErrorCode::overloaded, "the webhook changes all the time; retry", {}});
}

template <class Change>
void change(Api& api, const Request& request, Respond respond, Change change) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const auto id, read_webhook_id(request));
        HF_TRY(const auto cause, read_cause(request, api.ids));
        HF_CHECK(read_object(request, {}, EmptyBody::allowed));
        list_on_worker(
            api, std::move(later),
            [&api, reads = reads_of(api, request), id, cause, change](const PageBudget&) {
                return or_problem(change_refused(api, reads, id, cause, change));
            });
        return {};
    });
}

void redeliver_webhook(Api& api, Request request, Respond respond) {
    change(api, request, std::move(respond), [](Webhook& webhook) {
        for (RefusedRecord& one : webhook.refused) one.again = true;
    });
}

void discard_refused(Api& api, Request request, Respond respond) {
    change(api, request, std::move(respond), [](Webhook& webhook) { webhook.refused.clear(); });
}

// What a webhook does as the workflow that it is: resting, going on, ending.
template <class Op>
void rest_or_go_on(Api& api, const Request& request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        Op op;
        HF_TRY(op.instance, read_webhook_id(request));
        HF_TRY(const auto body, read_object(request, {"reason"}, EmptyBody::allowed));
        HF_TRY(const auto reason, read_line(body, "reason"));
        op.reason = reason.value_or("");
        HF_TRY(op.cause, read_cause(request, api.ids));
        read_on_worker(api, std::move(later),
                       [&api, reads = reads_of(api, request), op = std::move(op)] {
                           const auto found = find_webhook(reads, op.instance);
                           if (!found) return problem(found.error());
                           if (!*found || !is_open((*found)->instance.status))
                               return no_such_webhook();
                           const auto done = api.coordinator.submit(op).get();
                           if (!done) return problem(done.error());
                           return webhook_response(reads, op.instance);
                       });
        return {};
    });
}

void pause_webhook(Api& api, Request request, Respond respond) {
    rest_or_go_on<op::Pause>(api, request, std::move(respond));
}

void resume_webhook(Api& api, Request request, Respond respond) {
    rest_or_go_on<op::Resume>(api, request, std::move(respond));
}

Result<Response> end_webhook(Api& api, const TenantReads& reads, op::Cancel cancel) {
    HF_TRY(const auto found, find_webhook(reads, cancel.instance));
    if (!found) return no_such_webhook();
    HF_CHECK(api.coordinator.submit(std::move(cancel)).get());
    return Response{.status = 204};
}

void remove_webhook(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        op::Cancel cancel{.reason = "the webhook was removed"};
        HF_TRY(cancel.instance, read_webhook_id(request));
        HF_TRY(cancel.cause, read_cause(request, api.ids));
        read_on_worker(api, std::move(later),
                       [&api, reads = reads_of(api, request), cancel = std::move(cancel)] {
                           return or_problem(end_webhook(api, reads, cancel));
                       });
        return {};
    });
}

// A post without records, by itself: whatever waits stays where it is.
Result<Response> ping_response(Api& api, const TenantReads& reads, const InstanceId& id) {
    HF_TRY(const auto found, find_webhook(reads, id));
    if (!found || !is_open(found->instance.status)) return no_such_webhook();
    HF_TRY(const auto url, parse_webhook_url(found->webhook.url));
    HF_CHECK(check_webhook(api.webhooks, url));
    WebhookConnection connection(api.webhooks, api.clock);
    const WebhookAnswer posted =
        connection.post(id, found->webhook.url,
                        {{"webhook", to_string(id)}, {"ping", true}, {"records", bj::array{}}});
    bj::object body{{"taken", posted.outcome == WebhookAnswer::Outcome::taken},
                    {"answered", nullptr},
                    {"why", nullptr}};
    if (posted.status > 0) body["answered"] = posted.status;
    if (!posted.why.empty()) body["why"] = posted.why;
    return json_response(200, body);
}

void ping_webhook(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const auto id, read_webhook_id(request));
        HF_CHECK(read_object(request, {}, EmptyBody::allowed));
        search_on_worker(api, std::move(later),
                         [&api, reads = reads_of(api, request), id](const PageBudget&) {
                             return or_problem(ping_response(api, reads, id));
                         });
        return {};
    });
}

Description on_webhook(std::string id, Rule rule, std::string summary) {
    return Description(std::move(id), rule, std::move(summary))
        .path("id", "id of the webhook")
        .problems({"no-such-webhook"});
}

void add_routes_of_one(Router& router, Api& api) {
    const std::string base = "/api/v1/webhooks/{id}";
    add_route(
        router, api, Method::get, base, get_webhook,
        on_webhook("getWebhook", readers, "How far a webhook is, and what its receiver refused.")
            .answer(200, "The webhook.", "Webhook", {"ETag"}));
    add_route(router, api, Method::del, base, remove_webhook,
              on_webhook("removeWebhook", operators,
                         "Ends a webhook; what was not posted yet is not posted.")
                  .audited()
                  .done("It is removed."));
    add_route(router, api, Method::post, base + "/ping", ping_webhook,
              on_webhook("pingWebhook", operators, "Posts a signed message without records.")
                  .body("NothingRequest", Presence::optional)
                  .answer(200, "What came of it.", "WebhookPing"));
    add_route(router, api, Method::post, base + "/pause", pause_webhook,
              on_webhook("pauseWebhook", operators, "Lets a webhook rest.")
                  .body("ReasonRequest", Presence::optional)
                  .answer(200, "It posts nothing.", "Webhook", {"ETag"}));
    add_route(router, api, Method::post, base + "/resume", resume_webhook,
              on_webhook("resumeWebhook", operators, "Lets a paused webhook go on where it was.")
                  .body("ReasonRequest", Presence::optional)
                  .answer(200, "It goes on.", "Webhook", {"ETag"}));
    add_route(router, api, Method::post, base + "/redeliver", redeliver_webhook,
              on_webhook("redeliverWebhook", operators, "Posts again what its receiver refused.")
                  .audited()
                  .body("NothingRequest", Presence::optional)
                  .answer(200, "They are tried again.", "Webhook", {"ETag"}));
    add_route(router, api, Method::post, base + "/discard", discard_refused,
              on_webhook("discardRefused", operators, "Forgets what its receiver refused.")
                  .audited()
                  .body("NothingRequest", Presence::optional)
                  .answer(200, "They are forgotten.", "Webhook", {"ETag"}));
}

}  // namespace

void add_webhook_routes(Router& router, Api& api) {
    add_route(router, api, Method::post, "/api/v1/webhooks", create_webhook,
              Description("createWebhook", operators,
                          "Posts what happens to a URL; its `key` is shown once.")
                  .audited()
                  .repeatable()
                  .body("WebhookRequest")
                  .answer(201, "It posts from now on.", "CreatedWebhook", {"ETag", "Location"})
                  .problems({"definition-disabled"}));
    add_route(router, api, Method::get, "/api/v1/webhooks", list_webhooks,
              Description("listWebhooks", readers, "Lists webhooks, the newest first.")
                  .page(50, 100)
                  .answer(200, "A page of webhooks.", "WebhookPage"));
    add_routes_of_one(router, api);
}

}  // namespace holdfast::http
