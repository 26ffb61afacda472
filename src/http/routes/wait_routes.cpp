// POST and GET /api/v1/workflows/{id}/wait: waits of an outside runner (001.20)
#include <algorithm>
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/input.h"
#include "http/input/runner_input.h"
#include "http/responses/refusal_responses.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

constexpr std::size_t most_conditions = 64;  // names, and workflows
constexpr std::chrono::seconds usual_poll_time{30};

Response suspended(std::uint64_t index, const TokenId* token) {
    bj::object body{{"outcome", "suspended"}, {"index", index}};
    if (token) body["token"] = to_string(*token);
    return json_response(200, body);
}

Response delivered(const Winner& winner, const Document& value) {
    return json_response(
        200, bj::object{{"outcome", "delivered"},
                        {"index", winner.index},
                        {"winner", {{"type", name_of(winner.type)}, {"name", winner.name}}},
                        {"value", value.value()}});
}

Response respond_to(const op::Woken& woken) { return delivered(woken.winner, woken.value); }

Response respond_to(const op::UnknownWorkflow& unknown) {
    return problem(
        404, "unknown-workflow", "Not found",
        "there is no workflow " + to_string(unknown.id) + " to wait for; no wait was registered",
        {{"workflow", to_string(unknown.id)}});
}

// The strings of an array; empty: the member is missing.
Result<std::vector<std::string>> read_texts(const bj::object& body, std::string_view name) {
    const bj::value* member = body.if_contains(name);
    std::vector<std::string> texts;
    if (!member || member->is_null()) return texts;
    const bj::array* array = member->if_array();
    const std::string form =
        "'" + std::string(name) + "' must be a list of at most 64 different strings";
    if (!array || array->size() > most_conditions) return fail(ErrorCode::invalid_argument, form);
    for (const bj::value& one : *array) {
        if (!one.is_string()) return fail(ErrorCode::invalid_argument, form);
        texts.emplace_back(one.as_string());
        if (std::ranges::count(texts, texts.back()) > 1)
            return fail(ErrorCode::invalid_argument, form);
    }
    return texts;
}

Result<EventKey> read_event_key(const bj::value& value) {
    constexpr auto form =
        "an element of 'names' must be a name, or an object with 'name' and 'correlationKey'";
    const bj::object* object = value.if_object();
    if (!object && !value.is_string()) return fail(ErrorCode::invalid_argument, form);
    if (!object) {
        HF_TRY(auto name, read_label(value.get_string(), "an event's name"));
        return EventKey(std::move(name));
    }
    HF_TRY(auto name, read_text(*object, "name"));
    HF_TRY(auto correlation, read_text(*object, "correlationKey"));
    if (!name || !correlation || object->size() != 2)
        return fail(ErrorCode::invalid_argument, form);
    HF_CHECK(read_label(*name, "an event's name"));
    if (!correlation->empty()) HF_CHECK(read_label(*correlation, "'correlationKey'"));
    return EventKey(*std::move(name), *std::move(correlation));
}

Result<std::vector<EventKey>> read_names(const bj::object& body) {
    const bj::value* member = body.if_contains("names");
    std::vector<EventKey> names;
    if (!member || member->is_null()) return names;
    const bj::array* array = member->if_array();
    constexpr auto form = "'names' must be a list of at most 64 different names";
    if (!array || array->size() > most_conditions) return fail(ErrorCode::invalid_argument, form);
    for (const bj::value& one : *array) {
        HF_TRY(auto key, read_event_key(one));
        if (std::ranges::find(names, key) != names.end())
            return fail(ErrorCode::invalid_argument, form);
        names.push_back(std::move(key));
    }
    return names;
}

Result<std::vector<InstanceId>> read_workflows(const bj::object& body, const InstanceId& self) {
    HF_TRY(auto texts, read_texts(body, "workflows"));
    std::vector<InstanceId> ids;
    for (const std::string& text : texts) {
        const auto id = parse_id<InstanceId>(text);
        if (!id || *id == self || std::ranges::find(ids, *id) != ids.end())
            return fail(ErrorCode::invalid_argument,
                        "'workflows' must be distinct ids of other workflows");
        ids.push_back(*id);
    }
    return ids;
}

Result<void> read_timer(const bj::object& body, Moment now, op::Suspend& suspend) {
    HF_TRY(auto until, read_text(body, "until"));
    HF_TRY(auto after, read_text(body, "after"));
    if (until && after)
        return fail(ErrorCode::invalid_argument,
                    "send 'until' (a time) or 'after' (a duration), not both");
    if (after) {
        HF_TRY(suspend.after, read_duration(*after, "'after'"));
    }
    if (!until) return {};
    suspend.wait.until = parse_iso8601(*until);
    if (!suspend.wait.until || *suspend.wait.until > now + some_time.most)
        return fail(ErrorCode::invalid_argument,
                    "'until' must be a UTC time such as 2026-01-28T10:00:00Z, at most ten years "
                    "ahead");
    return {};
}

Result<op::Suspend> read_wait(const Request& request, Api& api) {
    op::Suspend suspend;
    HF_TRY(suspend.instance, read_instance_id(request));
    HF_TRY(auto body, read_object(request, {"run", "index", "names", "until", "after", "workflows",
                                            "since", "lease"}));
    HF_TRY(suspend.run, read_run(body));
    HF_TRY(suspend.wait.names, read_names(body));
    HF_TRY(suspend.wait.workflows, read_workflows(body, suspend.instance));
    HF_CHECK(read_timer(body, api.clock.now(), suspend));
    HF_TRY(auto since, read_text(body, "since"));
    const auto accepted = parse_since(since.value_or("any"));
    if (!accepted) return fail(ErrorCode::invalid_argument, "'since' must be any, created or wait");
    suspend.wait.since = *accepted;
    if (suspend.wait == Wait{.since = *accepted} && !suspend.after)
        return fail(ErrorCode::invalid_argument,
                    "an empty wait would never end; send 'names', 'workflows', 'until' or 'after'");
    HF_TRY(suspend.cause, read_cause(request, api.ids));
    return suspend;
}

void submit_wait(Api& api, op::Suspend suspend, Respond respond) {
    const std::uint64_t index = suspend.run.index;
    submit(api, Result<op::Suspend>(std::move(suspend)), std::move(respond),
           [index](const auto& one) {
               if constexpr (std::same_as<std::decay_t<decltype(one)>, op::Asleep>)
                   return suspended(index, &one.token);
               else
                   return respond_to(one);
           });
}

// A workflow of a definition that the credential does not reach is unknown to it.
std::optional<Response> refusal_of_workflows(const TenantReads& reads, const Identity& identity,
                                             const op::Suspend& suspend) {
    const auto& awaited = suspend.wait.workflows;
    const auto rows = reads.ask(FindRows{awaited});
    if (!rows) return problem(rows.error());
    for (const InstanceId& id : awaited) {
        const auto row = std::ranges::find(*rows, id, &Instance::id);
        if (row == rows->end() || !identity.reaches(row->definition.key))
            return respond_to(op::UnknownWorkflow{id});
    }
    return std::nullopt;
}

void post_wait(Api& api, Request request, Respond respond) {
    auto suspend = read_wait(request, api);
    if (!suspend) return respond(problem(suspend.error()));
    if (!request.identity.is_restricted() || suspend->wait.workflows.empty())
        return submit_wait(api, *std::move(suspend), std::move(respond));
    auto later = std::make_shared<Respond>(std::move(respond));
    WorkerPool::WorkItem work = [&api, later, request = std::move(request),
                                 suspend = *std::move(suspend)]() mutable {
        if (auto refused = refusal_of_workflows(reads_of(api, request), request.identity, suspend))
            return (*later)(std::move(*refused));
        submit_wait(api, std::move(suspend), std::move(*later));
    };
    if (!api.readers.post(work))
        (*later)(problem(
            Error{ErrorCode::overloaded, "the server's read queue is full; retry shortly", {}}));
}

// The wait that a runner polls.
struct Place {
    InstanceId instance;
    std::uint64_t index = 0;
    std::optional<std::uint64_t> run;  // absent: any run
};

bool is_this_run(const Place& place, const Instance& instance) {
    return !place.run || *place.run == instance.run;
}

bool still_waits(const Place& place, const Instance& instance) {
    return is_open(instance.status) && !instance.quarantined && !instance.waits.empty() &&
           instance.index == place.index && is_this_run(place, instance);
}

Response not_waiting(const Instance& instance) {
    return problem(409, "not-waiting", "Not waiting",
                   "no wait is registered at this index; register one with POST .../wait",
                   {{"currentRun", instance.run},
                    {"currentIndex", instance.index},
                    {"workflowStatus", name_of(instance.status)}});
}

// Absent: the wait has not ended yet. The run may end between the two reads; that is harmless,
// because the runner's next request names its run and is then refused.
std::optional<Response> check_wait(const TenantReads& reads, const Place& place) {
    const auto found = reads.ask(FindInstance{place.instance, Depth::row});
    if (!found) return problem(found.error());
    if (!*found) return respond_to(op::NotFound{});
    const Instance& instance = (*found)->instance;
    if (still_waits(place, instance)) return std::nullopt;
    if (instance.quarantined) return respond_to(op::Quarantined{});
    if (is_this_run(place, instance) && place.index < instance.index) {
        const auto entry = reads.ask(FindJournalEntry{place.instance, place.index});
        if (!entry) return problem(entry.error());
        if (*entry && (*entry)->winner) return delivered(*(*entry)->winner, (*entry)->step.value);
    }
    if (!is_open(instance.status)) return respond_to(op::Ended{instance.status, instance.version});
    if (is_this_run(place, instance) && place.index == instance.index) return not_waiting(instance);
    return respond_to(op::overtaken(instance));
}

Result<LongPolls::Spec> read_poll(const Request& request, Api& api) {
    Place place;
    HF_TRY(place.instance, read_instance_id(request));
    place.index = find_number(request, "index").value_or(0);
    place.run = find_number(request, "run");
    std::chrono::microseconds time = usual_poll_time;
    if (const auto timeout = request.query_value("timeout")) {
        HF_TRY(time, read_duration(*timeout, "timeout", poll_time));
    }
    return LongPolls::Spec{
        .instance = place.instance,
        .time = std::chrono::ceil<std::chrono::milliseconds>(time),
        .check = [reads = reads_of(api, request), place] { return check_wait(reads, place); },
        .is_relevant = [place](const Instance* now) { return !now || !still_waits(place, *now); },
        .on_timeout = suspended(place.index, nullptr)};
}

void get_wait(Api& api, Request request, Respond respond) {
    auto poll = read_poll(request, api);
    if (!poll) return respond(problem(poll.error()));
    poll->share = api.shares.take(request.identity, Share::poll);
    if (!poll->share) return respond(no_share(api.shares, Share::poll));
    api.polls.start(*std::move(poll), std::move(respond));
}

}  // namespace

namespace {

constexpr std::uint64_t largest_index = (std::uint64_t{1} << 53) - 1;

Description wait_post_description() {
    return Description("waitFor", runners.within(Within::workflow),
                       "Lets a workflow wait for events, a time or other workflows.")
        .body("WaitRequest")
        .answer(200, "It waits, or what it waits for was there.", "WaitAnswer")
        .problems({"not-found", "unknown-workflow", "overtaken", "ended", "quarantined"});
}

Description wait_get_description() {
    return Description("getWait", run_readers.within(Within::workflow),
                       "Waits for the end of a wait.")
        .query({"index", "The index of the wait.", WholeNumber{0, largest_index},
                "a whole number, 0 or more", Presence::required})
        .query({"run", "The run of the wait; any if absent.", WholeNumber{0, largest_index},
                "a whole number, 0 or more"})
        .query(
            {"timeout", "How long to wait, at most `60s`; `30s` if absent.", AnyText{"duration"}})
        .answer(200, "It has ended, or the time is over.", "WaitAnswer")
        .problems(
            {"not-found", "overtaken", "not-waiting", "ended", "quarantined", "too-many-open"});
}

}  // namespace

void add_wait_routes(Router& router, Api& api) {
    add_route(router, api, Method::post, "/api/v1/workflows/{id}/wait", post_wait,
              wait_post_description());
    add_route(router, api, Method::get, "/api/v1/workflows/{id}/wait", get_wait,
              wait_get_description());
}

}  // namespace holdfast::http
