// /api/v1/workers: workers outside that hold leases on workflows, for a time of their own
#include <algorithm>
#include <boost/json.hpp>

#include "base/log.h"
#include "http/api.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"
#include "program/kinds.h"
#include "pump/signals/signal_pump.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_definitions = 64;
constexpr std::size_t most_claimed = 256;
constexpr std::size_t most_workers = 1'000;
constexpr TimeRange lease_time{std::chrono::seconds{1}, std::chrono::hours{1}};
constexpr TimeRange pause_time{std::chrono::microseconds{0}, std::chrono::hours{1}};
constexpr std::chrono::seconds usual_lease{30};

Response lease_ended() {
    return problem(409, "lease-ended", "Lease ended",
                   "the worker has no valid lease: it ran out, or the worker is unknown; begin "
                   "again with POST /api/v1/workers, others may hold its workflows now");
}

Result<NodeId> read_worker_id(const Request& request) {
    const auto id = parse_id<NodeId>(request.param("worker"));
    if (!id) return fail(ErrorCode::invalid_argument, "a worker id must be a UUID");
    return *id;
}

Result<std::chrono::microseconds> read_lease_time(const bj::object& body) {
    HF_TRY(const auto text, read_text(body, "lease"));
    if (!text) return usual_lease;
    return read_duration(*text, "'lease'", lease_time);
}

Result<std::vector<std::string>> read_definitions(const bj::object& body) {
    const bj::value* member = body.if_contains("definitions");
    const bj::array* array = member ? member->if_array() : nullptr;
    constexpr auto form = "'definitions' must be a list of 1 to 64 definition keys";
    if (!array || array->empty() || array->size() > most_definitions)
        return fail(ErrorCode::invalid_argument, form);
    std::vector<std::string> keys;
    for (const bj::value& one : *array) {
        if (!one.is_string()) return fail(ErrorCode::invalid_argument, form);
        HF_TRY(auto key, read_name(one.get_string(), "a definition key"));
        keys.push_back(std::move(key));
    }
    return keys;
}

Result<Joining> read_joining(const Request& request, IdSource& ids) {
    HF_TRY(auto body, read_object(request, {"name", "definitions", "lease"}));
    Joining joining{.id = ids.next<NodeId>(), .name = {}, .kind = HolderKind::worker};
    HF_TRY(auto name, read_text(body, "name"));
    HF_TRY(joining.name, read_label(name.value_or(""), "'name'"));
    HF_TRY(joining.programs, read_definitions(body));
    HF_TRY(joining.lease, read_lease_time(body));
    return joining;
}

// Flows of nodes have their code there. One that the credential does not reach is unknown to it.
Result<std::optional<Response>> refuse_definitions(Store& store, const Joining& joining,
                                                   const Identity& identity) {
    for (const std::string& key : joining.programs) {
        HF_TRY(const auto definition, store.ask(FindDefinition{{key, 0}}));
        if (definition && is_for_workers(*definition) && identity.reaches(key)) continue;
        return problem(409, "not-for-workers", "Not for workers",
                       "the definition '" + key +
                           "' is not for workers; define it with \"runner\": \"worker\"",
                       {{"definition", key}});
    }
    HF_TRY(const auto nodes, store.ask(ListNodes{}));
    HF_TRY(const auto now, store.ask(FindTime{}));
    const auto alive = std::ranges::count_if(nodes, [&](const NodeRow& node) {
        return node.kind == HolderKind::worker && node.lease_until > now;
    });
    if (static_cast<std::size_t>(alive) < most_workers) return std::nullopt;
    return problem(
        Error{ErrorCode::overloaded, "too many workers hold leases", {{"limit", most_workers}}});
}

Result<Response> begin_worker(Api& api, const Joining& joining, const Identity& identity) {
    HF_TRY(auto refused, refuse_definitions(api.store, joining, identity));
    if (refused) return *std::move(refused);
    HF_CHECK(api.store.join(joining));
    HF_TRY(const auto now, api.store.ask(FindTime{}));
    Response response =
        json_response(201, bj::object{{"id", to_string(joining.id)},
                                      {"name", joining.name},
                                      {"definitions", bj::value_from(joining.programs)},
                                      {"leaseUntil", to_iso8601(now + joining.lease)}});
    response.headers.add("Location", "/api/v1/workers/" + to_string(joining.id));
    return response;
}

// Absent: it is no worker, its lease ran out, or it has definitions that the credential does not
// reach.
Result<std::optional<NodeRow>> find_worker(Store& store, const NodeId& id,
                                           const Identity& identity) {
    HF_TRY(auto node, store.ask(FindNode{id}));
    if (!node || node->kind != HolderKind::worker) return std::nullopt;
    if (!std::ranges::all_of(node->programs,
                             [&](const std::string& key) { return identity.reaches(key); }))
        return std::nullopt;
    HF_TRY(const auto now, store.ask(FindTime{}));
    if (node->lease_until <= now) return std::nullopt;
    return node;
}

Result<Response> renew_worker(Store& store, const NodeId& id, const Identity& identity,
                              std::chrono::microseconds lease) {
    HF_TRY(const auto worker, find_worker(store, id, identity));
    if (!worker) return lease_ended();
    HF_TRY(const auto beat, store.beat(id, lease, worker->programs));
    if (!beat.alive) return lease_ended();
    return json_response(
        200, bj::object{{"id", to_string(id)}, {"leaseUntil", to_iso8601(beat.now + lease)}});
}

// Those that were attempted too often become dead letters; the others stay.
void bury_worn(Api& api, std::vector<SignalRow>& signals) {
    std::vector<op::BurySignal> letters;
    for (const SignalRow& signal : signals)
        if (signal.attempts > api.most_attempts)
            letters.push_back({.cause = Cause::of_engine(api.ids.next<OperationId>()),
                               .instance = signal.instance,
                               .signal = signal.id,
                               .lease = {*signal.leased_by, signal.epoch},
                               .detail = std::to_string(signal.attempts - 1) + " attempts failed"});
    if (letters.empty()) return;
    std::erase_if(signals,
                  [&](const SignalRow& signal) { return signal.attempts > api.most_attempts; });
    api.coordinator.run_all(std::move(letters));  // one that fails is claimed again
}

bj::object claimed_json(const SignalRow& signal, const Instance& instance) {
    return {{"workflow", to_string(signal.instance)},
            {"definition", instance.definition.key},
            {"definitionVersion", instance.definition.version},
            {"run", instance.run},
            {"index", instance.index},
            {"attempts", signal.attempts},
            {"signal", to_string(signal.id)},
            {"lease", {{"worker", to_string(*signal.leased_by)}, {"epoch", signal.epoch}}}};
}

// It may hold leases that it does not know of, and nobody else would get them while it lives.
Result<Response> end_unknown(Store& store, const NodeId& id, const Error& why) {
    HF_CHECK(store.leave(id));
    log::warn("worker.claim_unknown", {{"worker", to_string(id)}, {"message", why.message}});
    return lease_ended();
}

Result<Response> claim_work(Api& api, const NodeId& id, const Identity& identity,
                            std::size_t limit) {
    HF_TRY(const auto worker, find_worker(api.store, id, identity));
    if (!worker) return lease_ended();
    auto claim = api.store.claim({.node = id,
                                  .programs = worker->programs,
                                  .limit = limit,
                                  .anyones = AnyonesSignals::left});
    if (!claim && claim.error().code == ErrorCode::outcome_unknown)
        return end_unknown(api.store, id, claim.error());
    if (!claim) return std::unexpected(claim.error());
    Claimed claimed = *std::move(claim);
    report_corrupt(claimed);
    bury_worn(api, claimed.signals);
    std::vector<InstanceId> ids;
    for (const SignalRow& signal : claimed.signals) ids.push_back(signal.instance);
    HF_TRY(const auto rows, api.store.ask(FindRows{ids}));
    bj::array items;
    for (const SignalRow& signal : claimed.signals) {
        const auto row = std::ranges::find(rows, signal.instance, &Instance::id);
        if (row != rows.end()) items.push_back(claimed_json(signal, *row));
    }
    return json_response(200, bj::object{{"items", std::move(items)}});
}

struct Return {
    SignalId signal;
    Lease lease;
    std::chrono::microseconds pause{0};
    GiveBack attempt = GiveBack::counts;
};

Result<Return> read_return(const Request& request) {
    Return wanted;
    HF_TRY(wanted.lease.node, read_worker_id(request));
    HF_TRY(auto body, read_object(request, {"signal", "epoch", "after", "begun"}));
    HF_TRY(auto signal, read_text(body, "signal"));
    const auto id = parse_id<SignalId>(signal.value_or(""));
    HF_TRY(auto epoch, read_number(body, "epoch"));
    if (!id || !epoch)
        return fail(ErrorCode::invalid_argument,
                    "'signal' and 'epoch' must be those that the claim returned");
    wanted.signal = *id;
    wanted.lease.epoch = *epoch;
    HF_TRY(auto after, read_text(body, "after"));
    if (after) {
        HF_TRY(wanted.pause, read_duration(*after, "'after'", pause_time));
    }
    HF_TRY(auto begun, read_flag(body, "begun"));
    if (begun && !*begun) wanted.attempt = GiveBack::was_not_begun;
    return wanted;
}

// Runs calls of the store on a thread that may block.
template <class Call>
void answer_on_worker(Api& api, Respond respond, Call call) {
    read_on_worker(api, std::move(respond), [call = std::move(call)] {
        Result<Response> response = call();
        return response ? *std::move(response) : problem(response.error());
    });
}

void post_worker(Api& api, Request request, Respond respond) {
    auto joining = read_joining(request, api.ids);
    if (!joining) return respond(problem(joining.error()));
    answer_on_worker(api, std::move(respond),
                     [&api, joining = *std::move(joining), identity = request.identity] {
                         return begin_worker(api, joining, identity);
                     });
}

void post_renew(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const NodeId id, read_worker_id(request));
        HF_TRY(auto body, read_object(request, {"lease"}, EmptyBody::allowed));
        HF_TRY(const auto lease, read_lease_time(body));
        answer_on_worker(api, std::move(later), [&api, id, lease, identity = request.identity] {
            return renew_worker(api.store, id, identity, lease);
        });
        return {};
    });
}

void post_claim(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const NodeId id, read_worker_id(request));
        HF_TRY(auto body, read_object(request, {"limit"}, EmptyBody::allowed));
        HF_TRY(const auto limit, read_number(body, "limit"));
        if (limit && (*limit == 0 || *limit > most_claimed))
            return fail(ErrorCode::invalid_argument, "'limit' must be a number from 1 to 256");
        answer_on_worker(api, std::move(later),
                         [&api, id, identity = request.identity, count = limit.value_or(1)] {
                             return claim_work(api, id, identity, count);
                         });
        return {};
    });
}

void post_give_back(Api& api, Request request, Respond respond) {
    auto wanted = read_return(request);
    if (!wanted) return respond(problem(wanted.error()));
    answer_on_worker(
        api, std::move(respond),
        [&api, wanted = *wanted, identity = request.identity]() -> Result<Response> {
            // A lease that is not its own is as one that is over.
            if (identity.is_restricted()) {
                HF_TRY(const auto worker, find_worker(api.store, wanted.lease.node, identity));
                if (!worker) return Response{.status = 204};
            }
            HF_CHECK(
                api.store.give_back(wanted.signal, wanted.lease, wanted.pause, wanted.attempt));
            return Response{.status = 204};
        });
}

void delete_worker(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const NodeId id, read_worker_id(request));
        answer_on_worker(api, std::move(later),
                         [&api, id, identity = request.identity]() -> Result<Response> {
                             HF_TRY(const auto worker, find_worker(api.store, id, identity));
                             if (worker) HF_CHECK(api.store.leave(id));
                             return Response{.status = 204};
                         });
        return {};
    });
}

}  // namespace

void add_worker_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/workers";
    add_route(
        router, api, Method::post, base, post_worker,
        Description("beginWorker", runners.within(Within::handler), "Begins a worker with a lease.")
            .body("WorkerRequest")
            .answer(201, "It has a lease.", "Worker", {"Location"})
            .problems({"not-for-workers"}));
    add_route(
        router, api, Method::post, base + "/{worker}/renew", post_renew,
        Description("renewWorker", runners.within(Within::handler), "Renews the lease of a worker.")
            .body("RenewRequest", Presence::optional)
            .answer(200, "It is renewed.", "RenewedLease")
            .problems({"lease-ended"}));
    add_route(router, api, Method::post, base + "/{worker}/claim", post_claim,
              Description("claimWork", runners.within(Within::handler), "Claims workflows to run.")
                  .body("ClaimRequest", Presence::optional)
                  .answer(200, "What it holds now.", "Claims")
                  .problems({"lease-ended"}));
    add_route(router, api, Method::post, base + "/{worker}/give-back", post_give_back,
              Description("giveBackWork", runners.within(Within::handler), "Gives a workflow back.")
                  .body("GiveBackRequest")
                  .done("Others may claim it."));
    add_route(router, api, Method::del, base + "/{worker}", delete_worker,
              Description("endWorker", runners.within(Within::handler),
                          "Ends a worker; what it holds is free at once.")
                  .done("It has ended."));
}

}  // namespace holdfast::http
