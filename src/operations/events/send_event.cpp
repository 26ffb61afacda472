#include "operations/events/send_event.h"

#include <algorithm>
#include <boost/json.hpp>
#include <iterator>
#include <tuple>

#include "base/defect.h"
#include "model/codec/codec.h"
#include "operations/events/deliver.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

Event event_of(const SendEvent& op, Moment now) {
    Event event{.id = op.event,
                .name = op.event_name,
                .target = op.target,
                .value = op.value,
                .on_target_ended = op.on_target_ended,
                .keep = op.keep,
                .accepted_at = now,
                .operation = op.cause.operation};
    if (op.expire_after) event.expires_at = now + *op.expire_after;
    return event;
}

bool is_for_all(const SendEvent& op) { return op.fan_out == FanOut::all && !op.target; }

// A released event has no target any more, and of an ended one only the name is stored.
bool is_another(const SendEvent& op, const KnownEvent& known) {
    const auto differs = [&](const Event& event) {
        return event.name != op.event_name || event.value != op.value ||
               (event.target && event.target != op.target);
    };
    if (known.queued) return differs(*known.queued);
    if (known.dead) return differs(known.dead->event);
    return known.fates.front().name != op.event_name;
}

// A planted defect: only the last sent id is remembered.
bool is_forgotten(const SendEvent& op) {
    if (!defect("dedupe_by_last_id")) return false;
    static EventId last;
    return std::exchange(last, op.event) != op.event;
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
    if (known.empty() || is_forgotten(op)) return std::nullopt;
    if (is_another(op, known)) return IdTaken{op.event};
    const std::vector<FateRow> reached = deliveries(op, known);
    if (is_for_all(op)) {
        FannedOut sent{op.event, {}};
        for (const FateRow& row : reached) sent.to.push_back(*row.instance);
        return sent;
    }
    if (reached.empty()) return Queued{op.event};
    return Delivered{op.event, *reached.front().instance, reached.front().index};
}

bool awaits(const Instance& instance, const std::string& name) {
    return is_registered(instance) && std::ranges::find(instance.waiting->wait.names, name) !=
                                          instance.waiting->wait.names.end();
}

Route deliver_to(View& view, const InstanceId& to, const Event& event, const Cause& cause) {
    const Woken woken = deliver_event(view, to, event, cause);
    // A kept event stays for others after its first delivery.
    if (event.keep == Keep::yes) view.mail().queue(event);
    return Delivered{event.id, to, woken.winner.index};
}

Route queue(View& view, const Event& event, std::size_t queued, std::size_t limit) {
    if (queued >= limit) return TooManyQueued{limit};
    if (event.target) view.edit(*event.target);  // its rev moves, its version does not
    view.mail().queue(event);
    return Queued{event.id};
}

// A kept event is queued, so every wait for its name must get it (I1).
Route offer_kept(View& view, const Event& event, const Cause& cause) {
    const auto woken = deliver_to_all(view, event, cause);
    view.mail().queue(event);
    return Delivered{event.id, woken.front().winner.instance, woken.front().winner.index};
}

SendEvent::Outcome fan_out(const SendEvent& op, View& view) {
    const Event event = event_of(op, view.now());
    FannedOut sent{op.event, {}};
    for (const Woken& woken : deliver_to_all(view, event, op.cause))
        sent.to.push_back(woken.winner.instance);
    // Recorded also when no instance waits: a repeat must not reach waits that begin later.
    if (sent.to.empty()) view.mail().end(event, EventFate::discarded, view.now());
    return sent;
}

}  // namespace

void read_route(ReadSet& reads, const std::string& name, const std::optional<InstanceId>& target) {
    if (target) {
        reads.instance(*target, Depth::row);
        reads.inbox_size(*target);
        return;
    }
    reads.channel_size(name);
    reads.waits(name);
}

Route route(View& view, const Event& event, std::size_t queue_limit, const Cause& cause) {
    if (event.target) {
        const Instance* target = view.find(*event.target);
        if (!target) return NotFound{};
        if (is_quarantined(view, *target)) return Quarantined{};
        if (!is_open(target->status)) return Terminated{target->status};
        if (awaits(*target, event.name)) return deliver_to(view, *event.target, event, cause);
        return queue(view, event, view.mail().inbox_size(*event.target), queue_limit);
    }
    const auto wait = view.mail().oldest_wait(
        event.name, [&](const WaitRow& row) { return view.is_current(row); });
    if (wait && event.keep == Keep::yes) return offer_kept(view, event, cause);
    if (wait) return deliver_to(view, wait->instance, event, cause);
    return queue(view, event, view.mail().channel_size(event.name), queue_limit);
}

void reads(const SendEvent& op, ReadSet& reads) {
    reads.event(op.event);
    if (!is_for_all(op)) return read_route(reads, op.event_name, op.target);
    reads.all_waits(op.event_name);
    reads.channel_size(op.event_name);  // required with the waits of a channel
}

SendEvent::Outcome decide(const SendEvent& op, View& view) {
    if (auto again = answer_again(op, view)) return *std::move(again);
    if (is_for_all(op)) return fan_out(op, view);
    auto routed = route(view, event_of(op, view.now()), op.queue_limit, op.cause);
    return std::visit([](auto& one) { return SendEvent::Outcome{std::move(one)}; }, routed);
}

bj::object to_json(const SendEvent& op) {
    bj::object object{{"operation", op.name},
                      {"cause", to_json(op.cause)},
                      {"event", to_string(op.event)},
                      {"name", op.event_name},
                      {"target", holdfast::to_json(op.target)},
                      {"value", op.value.value()},
                      {"onTargetEnded", name_of(op.on_target_ended)},
                      {"fanOut", name_of(op.fan_out)},
                      {"keep", op.keep == Keep::yes},
                      {"queueLimit", op.queue_limit}};
    object["expireAfterMicroseconds"] = nullptr;
    if (op.expire_after) object["expireAfterMicroseconds"] = op.expire_after->count();
    return object;
}

bj::object to_json(const Delivered& outcome) {
    return named("delivered", {{"event", to_string(outcome.event)},
                               {"to", to_string(outcome.to)},
                               {"index", outcome.index}});
}

bj::object to_json(const Queued& outcome) {
    return named("queued", {{"event", to_string(outcome.event)}});
}

bj::object to_json(const FannedOut& outcome) {
    bj::array to;
    for (const InstanceId& id : outcome.to) to.emplace_back(to_string(id));
    return named("fannedOut", {{"event", to_string(outcome.event)}, {"to", std::move(to)}});
}

bj::object to_json(const Terminated& outcome) {
    return named("terminated", {{"status", name_of(outcome.status)}});
}

bj::object to_json(const TooManyQueued& outcome) {
    return named("tooManyQueued", {{"limit", outcome.limit}});
}

bj::object to_json(const IdTaken& outcome) {
    return named("idTaken", {{"event", to_string(outcome.event)}});
}

}  // namespace holdfast::op
