#include "operations/events/send_event.h"

#include <algorithm>
#include <boost/json.hpp>
#include <iterator>
#include <tuple>

#include "operations/events/delayed_event.h"
#include "operations/events/deliver.h"

namespace holdfast::op {
namespace {

Event event_of(const SendEvent& op, Moment now) {
    Event event{.id = op.event,
                .name = op.event_name,
                .target = op.target,
                .value = op.value,
                .on_target_ended = op.on_target_ended,
                .keep = op.keep,
                .accepted_at = now,
                .operation = op.cause.operation,
                .correlation = op.correlation,
                .tenant = op.cause.tenant()};
    if (op.expire_after) event.expires_at = now + *op.expire_after;
    return event;
}

bool is_for_all(const SendEvent& op) { return op.fan_out == FanOut::all && !op.target; }
bool is_for_only(const SendEvent& op) { return op.fan_out == FanOut::exactly_one && !op.target; }

// A released event has no target any more, and of an ended one only the name is stored.
bool is_another(const SendEvent& op, const KnownEvent& known) {
    const auto differs = [&](const Event& event) {
        return event.channel() != op.channel() || event.value != op.value ||
               (event.target && event.target != op.target);
    };
    if (known.queued) return differs(*known.queued);
    if (known.dead) return differs(known.dead->event);
    return known.fates.front().name != op.event_name || *known.tenant() != op.cause.tenant();
}

// The instances that the event reached: its target first, then by time. Stores list them in any
// order.
std::vector<FateRow> deliveries(const SendEvent& op, const KnownEvent& known) {
    std::vector<FateRow> reached;
    std::ranges::copy_if(known.fates, std::back_inserter(reached),
                         [](const FateRow& row) { return row.instance.has_value(); });
    std::ranges::sort(reached, {}, [&](const FateRow& row) {
        return std::tuple(row.instance != op.target, row.at, *row.instance);
    });
    return reached;
}

// Where the event with this id is now, if it was ever accepted (I2).
std::optional<SendEvent::Outcome> answer_again(const SendEvent& op, const View& view) {
    const KnownEvent known = view.mail().known(op.event);
    if (known.empty()) return std::nullopt;
    if (is_another(op, known)) return IdTaken{op.event};
    const std::vector<FateRow> reached = deliveries(op, known);
    if (is_for_all(op) && !known.queued) {
        FannedOut sent{op.event, {}};
        for (const FateRow& row : reached) sent.to.push_back(*row.instance);
        sent.on_the_way = std::ranges::any_of(
            known.fates, [](const FateRow& row) { return row.fate == EventFate::fanned_out; });
        return sent;
    }
    if (known.queued && is_held(*known.queued, view.now()))
        return Scheduled{op.event, known.queued->accepted_at};
    if (reached.empty()) return Queued{op.event};
    return Delivered{op.event, *reached.front().instance, reached.front().index};
}

// The oldest wait for the event. Null: it has none.
const Waiting* wait_for(const Instance& instance, const EventKey& key) {
    const auto waits = registered_waits(instance);
    const auto found = std::ranges::find_if(waits, [&](const Waiting& waiting) {
        return std::ranges::find(waiting.wait.names, key) != waiting.wait.names.end();
    });
    return found == waits.end() ? nullptr : &*found;
}

Route deliver_to(View& view, const InstanceId& to, const Waiting& waiting, const Event& event,
                 const Cause& cause) {
    // A kept event stays for others. Queued first, because its target may end by it.
    if (event.keep == Keep::yes) view.mail().queue(event);
    return Delivered{event.id, to, deliver_event(view, to, waiting, event, cause).index};
}

Route queue(View& view, const Event& event, const QueueLimits& limits) {
    const QueueSize queued = event.target ? view.mail().inbox_size(*event.target)
                                          : view.mail().channel_size(event.channel());
    if (queued.events >= limits.events) return TooManyQueued{limits.events};
    if (queued.bytes > limits.bytes - std::min(limits.bytes, event.value.text().size()))
        return TooManyQueued{limits.bytes, QueueUnit::bytes};
    if (event.target) view.edit(*event.target);  // its rev moves, its version does not
    view.mail().queue(event);
    return Queued{event.id};
}

// A kept event is queued, so every wait for its name must get it (I1).
Route offer_kept(View& view, const Event& event, const Cause& cause) {
    view.mail().queue(event);
    const auto reached = deliver_to_all(view, event, cause);
    if (!reached) return Queued{event.id};
    return Delivered{event.id, reached->front().instance, reached->front().index};
}

SendEvent::Outcome fan_out(const SendEvent& op, View& view) {
    const Event event = event_of(op, view.now());
    FannedOut sent{op.event, {}};
    const auto reached = deliver_to_all(view, event, op.cause);
    sent.on_the_way = !reached;
    if (reached)
        for (const Reached& one : *reached) sent.to.push_back(one.instance);
    // Recorded also when it reached nobody yet: a repeat must not reach waits that begin later.
    if (sent.to.empty())
        view.mail().end(event, reached ? EventFate::discarded : EventFate::fanned_out, view.now());
    return sent;
}

// When a delayed event is due. Absent: now.
std::optional<Moment> due_of(const SendEvent& op, Moment now) {
    const Moment due = op.at.value_or(now + op.after.value_or(std::chrono::microseconds(0)));
    return due > now ? std::optional(due) : std::nullopt;
}

SendEvent::Outcome sent_as(const Route& route) {
    return std::visit([](const auto& one) { return SendEvent::Outcome{one}; }, route);
}

// It counts as accepted when it is due. Until then it is in the queue, but held.
SendEvent::Outcome schedule(const SendEvent& op, View& view, Moment due) {
    if (op.target)
        if (auto refused = refusal_of(view, *op.target)) return sent_as(*refused);
    Event event = event_of(op, due);
    event.hold = is_for_all(op) ? Hold::for_all : Hold::until_due;
    const Route routed = queue(view, event, {op.queue_limit, op.queue_bytes});
    if (!std::holds_alternative<Queued>(routed)) return sent_as(routed);
    view.signals().schedule({signal_for(event, view.now()), due});
    return Scheduled{op.event, due};
}

SendEvent::Outcome send_to_only(const SendEvent& op, View& view) {
    const auto rows = view.mail().all_waits(
        op.channel(), [&](const WaitRow& row) { return view.is_current(row); });
    if (!rows) return NotExactlyOne{most_receivers + 1};
    if (rows->size() != 1) return NotExactlyOne{rows->size()};
    const WaitRow& only = rows->front();
    const Event event = event_of(op, view.now());
    const Reached reached =
        deliver_event(view, only.instance, *view.current(only), event, op.cause);
    return Delivered{event.id, reached.instance, reached.index};
}

}  // namespace

void read_route(ReadSet& reads, const ChannelKey& channel,
                const std::optional<InstanceId>& target) {
    if (target) {
        reads.instance(*target, Depth::row);
        reads.inbox_size(*target);
        return;
    }
    reads.channel_size(channel);
    reads.waits(channel);
}

std::optional<Route> refusal_of(View& view, const InstanceId& target) {
    const Instance* instance = view.find(target);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    if (!is_open(instance->status)) return Terminated{instance->status};
    return std::nullopt;
}

Route route(View& view, const Event& event, const QueueLimits& limits, const Cause& cause) {
    if (event.target) {
        if (auto refused = refusal_of(view, *event.target)) return *std::move(refused);
        if (const Waiting* waiting = wait_for(*view.find(*event.target), event.key()))
            return deliver_to(view, *event.target, *waiting, event, cause);
        return queue(view, event, limits);
    }
    const auto wait = view.mail().oldest_wait(
        event.channel(), [&](const WaitRow& row) { return view.is_current(row); });
    if (wait && event.keep == Keep::yes) return offer_kept(view, event, cause);
    if (wait) return deliver_to(view, wait->instance, *view.current(*wait), event, cause);
    return queue(view, event, limits);
}

void reads(const SendEvent& op, ReadSet& reads) {
    reads.event(op.event);
    if (!is_for_all(op) && !is_for_only(op)) return read_route(reads, op.channel(), op.target);
    reads.all_waits(op.channel());
    reads.channel_size(op.channel());  // required with the waits of a channel
}

SendEvent::Outcome decide(const SendEvent& op, View& view) {
    if (auto again = answer_again(op, view)) return *std::move(again);
    if (const auto due = due_of(op, view.now())) return schedule(op, view, *due);
    if (is_for_all(op)) return fan_out(op, view);
    if (is_for_only(op)) return send_to_only(op, view);
    return sent_as(
        route(view, event_of(op, view.now()), {op.queue_limit, op.queue_bytes}, op.cause));
}

}  // namespace holdfast::op
