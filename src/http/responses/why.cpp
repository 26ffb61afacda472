#include "http/responses/why.h"

#include <algorithm>
#include <boost/json.hpp>

#include "model/codec/codec.h"
#include "model/job.h"
#include "program/limiter/program.h"
#include "program/traits.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_shown = 20;

bool has_program(const NodeRow& node, const std::string& program) {
    return std::ranges::find(node.programs, program) != node.programs.end();
}

// Null: no node has to run it now.
Result<bj::value> runner_of(Store& store, const Standing& standing) {
    if (!standing.continuation) return nullptr;
    const SignalRow& signal = *standing.continuation;
    HF_TRY(const auto nodes, store.ask(ListNodes{}));
    HF_TRY(const Moment now, store.ask(FindTime{}));
    const std::string program = signal.program.value_or("");
    bj::object runner{
        {"program", program},    {"programAvailable", false},  {"node", nullptr},
        {"leaseUntil", nullptr}, {"attempt", signal.attempts}, {"nextTryAt", nullptr}};
    for (const NodeRow& node : nodes) {
        if (node.lease_until <= now) continue;
        if (has_program(node, program)) runner["programAvailable"] = true;
        if (signal.leased_by != node.id) continue;
        runner["programAvailable"] = true;
        runner["node"] = node.name;
        runner["leaseUntil"] = to_iso8601(node.lease_until);
    }
    if (runner["node"].is_null() && signal.visible_at > now)
        runner["nextTryAt"] = to_iso8601(signal.visible_at);
    return runner;
}

// Null: no step has failed that is tried again.
bj::value retry_of(const Instance& instance) {
    const auto& retry = instance.program.retry;
    if (!retry || retry->attempts.empty()) return nullptr;
    const Retry::Attempt& last = retry->attempts.back();
    bj::object object{{"index", retry->index},
                      {"attempt", retry->attempts.size() + 1},
                      {"lastError", last.error.value()},
                      {"lastAt", to_iso8601(last.at)},
                      {"nextTryAt", nullptr}};
    for (const Waiting& waiting : instance.waits)
        if (waiting.wait.retry) object["nextTryAt"] = to_json(waiting.wait.until);
    return object;
}

bj::value member_of(const bj::value& payload, std::string_view name) {
    const bj::object* object = payload.if_object();
    const bj::value* value = object ? object->if_contains(name) : nullptr;
    return value && value->is_string() ? *value : bj::value(nullptr);
}

bj::value incident_of(const Instance& instance, const Standing& standing) {
    if (!instance.incident || !standing.incident) return nullptr;
    const HistoryRow& row = *standing.incident;
    const bj::value payload = payload_of(row);
    return bj::object{{"code", member_of(payload, "code")},
                      {"detail", member_of(payload, "detail")},
                      {"at", to_iso8601(row.at)},
                      {"version", row.version}};
}

Result<void> add_children(const TenantReads& reads, const Identity& identity, const InstanceId& id,
                          bj::object& why) {
    InstanceQuery query{.parent = id, .content = PageContent::rows, .limit = most_shown};
    HF_TRY(const auto page, reads.ask(query));
    bj::array children;
    for (const FoundInstance& found : page.items) {
        const Instance& child = found.instance;
        if (!identity.reaches(child.definition.key)) continue;
        bj::object object{{"id", to_string(child.id)},
                          {"definition", child.definition.key},
                          {"status", name_of(child.status)},
                          {"incident", child.incident},
                          {"businessKey", nullptr}};
        if (!child.business.key.empty()) object["businessKey"] = child.business.key;
        children.push_back(std::move(object));
    }
    why["children"] = std::move(children);
    why["moreChildren"] = page.next.has_value();
    return {};
}

Result<void> add_queued(const TenantReads& reads, const InstanceId& id, bj::object& why) {
    HF_TRY(const auto jobs, reads.ask(JobQuery{.instance = id, .limit = most_shown}));
    bj::array queued;
    for (const SignalRow& row : jobs.items) queued.push_back(job_json(row));
    why["jobs"] = std::move(queued);
    HF_TRY(const auto letters, reads.ask(DeadLetterQuery{.instance = id, .limit = most_shown}));
    bj::array ids;
    for (const DeadLetter& letter : letters.items) ids.emplace_back(to_string(letter.signal.id));
    why["deadLetters"] = std::move(ids);
    return {};
}

// The turn that it waits for. Null: it has its turn, or needs none.
Result<bj::value> turn_of(const TenantReads& reads, const Instance& instance) {
    const Waiting* waiting = wait_for_turn(instance);
    if (!waiting) return nullptr;
    const EventKey& name = waiting->wait.names.front();
    HF_TRY(const auto behind, reads.ask(CountWaitsBefore{.channel = {instance.tenant, name},
                                                         .began_at = waiting->began_at,
                                                         .operation = waiting->operation,
                                                         .token = waiting->token}));
    bj::object turn{{"limiter", name.correlation},
                    {"behind", behind},
                    {"running", 0},
                    {"paused", false},
                    {"limits", bj::object{}}};
    if (const auto id = parse_id<InstanceId>(name.correlation)) {
        HF_TRY(const auto found, reads.ask(FindInstance{*id, Depth::row}));
        if (found) turn["running"] = limiter::holders_of(found->instance);
        if (found) turn["paused"] = found->instance.paused;
    }
    HF_TRY(const auto newest, reads.ask(FindDefinition{.ref = {instance.definition.key, 0}}));
    if (newest && newest->limits) turn["limits"] = to_json(*newest->limits);
    return turn;
}

// Of the program, as it was started. Null: it has none.
Result<bj::value> arguments_of(const TenantReads& reads, const Instance& instance) {
    if (!traits_of(instance).needs_lease) return nullptr;
    HF_TRY(const auto entry, reads.ask(FindJournalEntry{instance.id, 0}));
    if (!entry) return nullptr;
    bj::value value = entry->step.value.value();
    return wait_for_turn(instance) ? value.at("arguments") : value;
}

}  // namespace

Result<bj::object> why_of(Store& store, const TenantReads& reads, const Identity& identity,
                          const Instance& instance) {
    HF_TRY(const auto standing, reads.ask(FindStanding{instance.id}));
    bj::object why;
    HF_TRY(why["runner"], runner_of(store, standing));
    why["retry"] = retry_of(instance);
    HF_TRY(why["turn"], turn_of(reads, instance));
    why["incident"] = incident_of(instance, standing);
    HF_CHECK(add_children(reads, identity, instance.id, why));
    HF_CHECK(add_queued(reads, instance.id, why));
    HF_TRY(why["arguments"], arguments_of(reads, instance));
    return why;
}

bj::object job_json(const SignalRow& row) {
    bj::object object{{"id", to_string(row.id)},
                      {"workflow", to_string(row.instance)},
                      {"type", nullptr},
                      {"element", nullptr},
                      {"attempts", row.attempts},
                      {"retries", nullptr},
                      {"leased", row.leased_by.has_value()},
                      {"enqueuedAt", to_iso8601(row.enqueued_at)},
                      {"visibleAt", to_iso8601(row.visible_at)}};
    const auto spec = job_in(row);
    if (!spec) return object;
    object["type"] = spec->type;
    object["element"] = spec->element;
    object["retries"] = spec->retries;
    return object;
}

}  // namespace holdfast::http
