#include "operations/limits/turns.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/definitions/define.h"
#include "operations/events/deliver.h"
#include "operations/events/react.h"
#include "operations/lifecycle/start.h"
#include "operations/load_together.h"
#include "program/kinds.h"
#include "program/limiter/program.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

// Those of one round; the next round gives the rest.
constexpr std::uint32_t most_turns = 64;
// So much does a step of priority count as waiting: nobody waits for ever behind more urgent ones.
constexpr std::chrono::minutes step_of_priority{1};
// What an operation derives from its id elsewhere has smaller numbers.
constexpr std::uint64_t event_number = std::uint64_t{1} << 62;

ChannelKey channel_of(const std::string& tenant, const InstanceId& limiter) {
    return {tenant, {turn_name, to_string(limiter)}};
}

void ask(View& view, const InstanceId& limiter, const limiter::Give& give, const Cause& cause) {
    const Document request = limiter::to_document(give);
    react(view, limiter, stimulus::Asked{request, view.now()}, cause);
}

// The first limiter of a tenant brings it.
std::shared_ptr<const Definition> definition_of_limiters(View& view, const Cause& cause) {
    const std::string key(limiter_definition);
    const Definition* newest = view.newest_definition({cause.tenant(), key});
    if (newest && is_for_limiters(*newest)) return std::make_shared<const Definition>(*newest);
    const Define wanted{.cause = cause,
                        .key = key,
                        .kind = std::string(limiter_kind),
                        .program = limiter_program()};
    return define(view, wanted, cause).definition;
}

void make_limiter(View& view, const InstanceId& id, const std::string& definition,
                  const std::string& key, const Cause& cause) {
    Instance limiter{.id = id, .business = {.key = definition, .parts = {}}};
    limiter.state = limiter::first_state(definition, key);
    const Document nothing;
    begin_instance(view, *definition_of_limiters(view, cause), std::move(limiter),
                   stimulus::Started{nothing}, cause);
}

// Everything that a start needs is one load.
void expect_limiter(View& view, const InstanceId& id, const std::string& tenant) {
    ReadSet needed;
    needed.instance(id, Depth::document, Past::looked_up);
    needed.definition({tenant, std::string(limiter_definition)});
    // Excludes those who look for whoever waits: one that begins to wait now is not missed (I1).
    needed.broadcasts(channel_of(tenant, id));
    view.expect(needed);
}

// What its program begins with is kept in its journal until it has its turn.
void wait_in_line(View& view, const InstanceId& id, const InstanceId& limiter,
                  const stimulus::Started& started, const Cause& cause) {
    const bj::object kept{
        {"arguments", started.arguments.value()}, {"at", started.at}, {"depth", started.depth}};
    view.record(Step{.instance = id,
                     .index = 0,
                     .name = turn_name,
                     .value = Document::of(kept),
                     .at = view.now()});
    const Waiting waiting{
        .token = {id_made_by(*view.find(id), 0)},
        .wait = {.names = {{turn_name, to_string(limiter)}}},
        .began_at = view.now() - step_of_priority * static_cast<std::int64_t>(started.priority),
        .operation = cause.operation};
    begin_wait(view, id, waiting);
    bj::object payload = to_json(waiting.wait);
    payload["index"] = 0;
    view.execute(
        view.edit(id),
        {.type = HistoryType::suspended, .payload = json::canonical(payload), .cause = cause});
}

// It begins as if it had just been started.
void begin_after_wait(View& view, const WaitRow& row, const Cause& cause) {
    const Step* kept = view.step(row.instance, 0);
    HF_ASSERT(kept && kept->name == turn_name, "who waits for its turn keeps its arguments");
    const bj::value start = kept->value.value();
    const Document arguments = Document::of(start.at("arguments"));
    const std::string at(start.at("at").as_string());
    view.clear_journal(row.instance);
    Instance& instance = view.edit(row.instance);
    take_wait(instance, row.token);
    view.execute(instance, {.type = HistoryType::delivered,
                            .payload = json::canonical(bj::object{{"index", 0}, {"type", "turn"}}),
                            .cause = cause});
    react(view, row.instance,
          stimulus::Started{.arguments = arguments,
                            .at = at,
                            .depth = start.at("depth").to_number<std::uint32_t>()},
          cause);
}

// The limiter learns that somebody waits, unless it knows and looks again by itself.
void note_waiting(View& view, const InstanceId& limiter, std::optional<Moment> look_at,
                  const Cause& cause) {
    const limiter::Memory memory = limiter::read_memory(*view.find(limiter));
    if (memory.queued) return;
    ask(view, limiter, {.workflows = {}, .queued = true, .next = memory.next, .look_at = look_at},
        cause);
}

// With one more than there are turns, to know whether others wait.
std::vector<WaitRow> those_who_wait(View& view, const Instance& limiter, std::uint32_t turns) {
    const ChannelKey channel = channel_of(limiter.tenant, limiter.id);
    ReadSet needed;
    for (std::uint32_t n = 0; n <= turns; ++n) needed.waits(channel);
    needed.channel_size(channel);  // required with the waits of a channel
    view.expect(needed);
    auto rows = view.mail().oldest_waits(channel, turns + 1,
                                         [&](const WaitRow& row) { return view.is_current(row); });
    needed = {};
    for (const WaitRow& row : rows) needed.step(row.instance, 0);
    view.expect(needed);
    return rows;
}

}  // namespace

void begin_in_turn(View& view, const InstanceId& id, const Definition& definition,
                   const stimulus::Started& started, const Cause& cause) {
    const Instance& instance = *view.find(id);
    const std::string key =
        limit_key_of(*definition.limits, instance.business.key, instance.state, started.arguments);
    const InstanceId limiter = limiter_of(instance.tenant, definition.ref.key, key);
    expect_limiter(view, limiter, instance.tenant);
    if (const Instance* found = view.find(limiter); found && !is_open(found->status))
        view.clear(limiter, cause);
    if (!view.find(limiter)) make_limiter(view, limiter, definition.ref.key, key, cause);

    const Instance& giver = *view.find(limiter);
    const limiter::Memory memory = limiter::read_memory(giver);
    const limiter::Free free = limiter::free_turns(giver, definition.limits, view.now(), 1);
    const bool works = takes_deliveries(giver);
    if (memory.queued || free.turns == 0 || !works) {
        wait_in_line(view, id, limiter, started, cause);
        // One that is paused looks when it is resumed.
        return note_waiting(view, limiter, works ? free.more_at : view.now(), cause);
    }
    ask(view, limiter,
        {.workflows = {id},
         .until_end = definition.limits->concurrency.has_value(),
         .queued = false,
         .next = limiter::next_after(memory, definition.limits, view.now(), 1),
         .look_at = {}},
        cause);
    react(view, id, started, cause);
}

void give_turns(View& view, const InstanceId& id, const Cause& cause) {
    const Instance& limiter = *view.find(id);
    const limiter::Memory memory = limiter::read_memory(limiter);
    ReadSet needed;
    needed.definition({limiter.tenant, memory.definition});
    view.expect(needed);
    const Definition* definition = view.newest_definition({limiter.tenant, memory.definition});
    const std::optional<Limits> limits = definition ? definition->limits : std::nullopt;
    const limiter::Free free = limiter::free_turns(limiter, limits, view.now(), most_turns);
    std::vector<WaitRow> rows = those_who_wait(view, limiter, free.turns);

    limiter::Give give{.until_end = limits && limits->concurrency, .queued = false, .next = {}};
    give.queued = rows.size() > free.turns;
    rows.resize(std::min<std::size_t>(rows.size(), free.turns));
    for (const WaitRow& row : rows) give.workflows.push_back(row.instance);
    const auto given = static_cast<std::uint32_t>(rows.size());
    give.next = limiter::next_after(memory, limits, view.now(), given);
    if (give.queued) give.look_at = given == most_turns ? view.now() : free.more_at;
    ask(view, id, give, cause);
    load_together(rows, [&](const WaitRow& row) { begin_after_wait(view, row, cause); });
}

void ask_for_turn(View& view, const InstanceId& id, const Cause& cause) {
    const Instance* instance = view.find(id);
    const Waiting* waiting = instance ? wait_for_turn(*instance) : nullptr;
    if (!waiting) return;
    const auto limiter = parse_id<InstanceId>(waiting->wait.names.front().correlation);
    if (!limiter) return;
    expect_limiter(view, *limiter, instance->tenant);
    const Instance* found = view.find(*limiter);
    if (found && is_open(found->status)) note_waiting(view, *limiter, view.now(), cause);
}

void tell_limiters(View& view, const Definition& definition, const Cause& cause) {
    const Event event{.id = {derive(cause.operation.value, event_number)},
                      .name = limits_name,
                      .value = Document::of(nullptr),
                      .accepted_at = view.now(),
                      .operation = cause.operation,
                      .correlation = definition.ref.key,
                      .tenant = definition.tenant};
    ReadSet needed;
    needed.all_waits(event.channel());
    needed.channel_size(event.channel());
    view.expect(needed);
    deliver_to_all(view, event, cause);
}

}  // namespace holdfast::op
