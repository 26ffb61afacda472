#include "program/schedule/turn.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast::schedule {
namespace {

namespace bj = boost::json;
using std::chrono::microseconds;

// Starts and sends of one round; the next round does the rest.
constexpr std::size_t most_acts = 64;
// Counted one by one; of an outage that missed more the rest is passed over.
constexpr std::size_t most_counted = 1'000;
// Nobody can send it: a schedule that is due never again waits for it.
constexpr const char* never_sent = "process/schedule";

std::string text_in(const bj::object& object, const char* name) {
    const bj::value* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : "";
}

// An absent member leaves it as it is.
bool read_overlap(const bj::object& request, Overlap& overlap) {
    const bj::value* value = request.if_contains("overlap");
    if (!value || value->is_null()) return true;
    const auto parsed = value->is_string() ? parse_overlap(value->get_string()) : std::nullopt;
    if (parsed) overlap = *parsed;
    return parsed.has_value();
}

}  // namespace

Turn::Turn(const Instance& instance, Stored stored, Moment now)
    : instance_(instance),
      now_(now),
      stored_(std::move(stored)),
      progress_(stored_.progress),
      before_(stored_.progress),
      time_of_ids_(instance.updated_at) {}

std::optional<std::string> Turn::take(const bj::value& request, Moment at) {
    time_of_ids_ = std::max(time_of_ids_, at);
    const bj::object& object = request.as_object();
    const std::string what = text_in(object, "do");
    if (what == "update") return update(object);
    if (what == "trigger") return trigger(object);
    if (what == "backfill") return backfill(object);
    if (what == "clearQueue") {
        progress_.queue.clear();
        progress_.backfills.clear();
        return std::nullopt;
    }
    if (what == "resume") {
        // What was due meanwhile is not made up for.
        progress_.last = std::max(progress_.last, now_);
        return std::nullopt;
    }
    return "a schedule does not know '" + what + "'";
}

std::optional<std::string> Turn::update(const bj::object& request) {
    auto spec = read_spec(request.at("spec"));
    if (!spec) return spec.error().path + " " + spec.error().message;
    stored_.spec_text = request.at("spec");
    stored_.spec = *std::move(spec);
    progress_.last = std::max(progress_.last, now_);
    return std::nullopt;
}

std::optional<std::string> Turn::trigger(const bj::object& request) {
    Overlap overlap = stored_.spec.overlap;
    if (!read_overlap(request, overlap)) return "'overlap' must be skip, queue, cancel or allow";
    const std::uint64_t skipped = progress_.skipped;
    fire(time_of_ids_, Why::triggered, overlap);
    if (progress_.skipped == skipped) return std::nullopt;
    return progress_.queue.size() >= most_queued
               ? "its queue is full: " + std::to_string(most_queued) + " firings wait"
               : "workflow " + to_string(progress_.running->workflow) +
                     " still runs; trigger with overlap queue, cancel or allow";
}

std::optional<std::string> Turn::backfill(const bj::object& request) {
    const auto from = parse_iso8601(text_in(request, "from"));
    const auto to = parse_iso8601(text_in(request, "to"));
    if (!from || !to) return "'from' and 'to' must be times in UTC, such as 2026-03-29T01:00:00Z";
    if (*from > *to) return "'to' must not be before 'from'";
    if (*to > now_) return "'to' must not be in the future: those are still due";
    Backfill wanted{.next = *from, .to = *to};
    if (!read_overlap(request, wanted.overlap) ||
        (wanted.overlap != Overlap::queue && wanted.overlap != Overlap::allow))
        return "'overlap' of a backfill must be queue, one after another, or allow";
    if (progress_.backfills.size() >= most_backfills)
        return std::to_string(most_backfills) + " backfills wait already; clear the queue first";
    const auto first = due_after(*from - microseconds(1));
    if (!first || *first > *to) return "nothing was due from 'from' to 'to'";
    progress_.backfills.push_back(wanted);
    return std::nullopt;
}

void Turn::note_end(const InstanceId& workflow) {
    if (progress_.running && progress_.running->workflow == workflow) progress_.running.reset();
}

Reaction Turn::finish(const std::string& happened) && {
    if (!instance_.paused) {
        settle_due();
        drain();
    }
    progress_.next = due_after(progress_.last);
    wait_again();
    bj::object value{{"fired", progress_.fired - before_.fired}};
    if (progress_.skipped > before_.skipped) value["skipped"] = progress_.skipped - before_.skipped;
    if (progress_.missed > before_.missed) value["missed"] = progress_.missed - before_.missed;
    reaction_.history.push_back(
        {HistoryType::step_recorded,
         json::canonical(
             bj::object{{"index", instance_.index}, {"name", happened}, {"value", value}})});
    reaction_.state =
        Document::of(bj::object{{"spec", stored_.spec_text}, {"progress", to_json(progress_)}});
    reaction_.settles_incident = acts_ > 0;
    return std::move(reaction_);
}

void Turn::settle_due() {
    while (const auto due = due_after(progress_.last)) {
        const Moment at = time_of(*due);
        if (at > now_) return;
        if (now_ - at > stored_.spec.catch_up) {
            miss(*due);
            continue;
        }
        if (is_full()) return;
        progress_.last = *due;
        if (stored_.spec.overlap == Overlap::cancel && is_overtaken(*due)) {
            ++progress_.skipped;
            continue;
        }
        fire(*due, now_ - at > least_catch_up ? Why::caught_up : Why::due, stored_.spec.overlap);
    }
}

void Turn::miss(Moment due) {
    ++progress_.missed;
    progress_.last = due;
    if (++missed_now_ < most_counted) return;
    const Moment earliest = now_ - stored_.spec.catch_up - stored_.spec.jitter;
    progress_.last = std::max(progress_.last, earliest - microseconds(1));
}

// The one after it would cancel it at once.
bool Turn::is_overtaken(Moment due) const {
    const auto next = due_after(due);
    return next && time_of(*next) <= now_;
}

void Turn::drain() {
    while (!progress_.running && !progress_.queue.empty()) {
        if (is_full()) return;
        const Queued next = progress_.queue.front();
        progress_.queue.pop_front();
        fire(next.due, next.why, Overlap::queue);
    }
    while (!progress_.backfills.empty()) {
        if (is_full() || !advance(progress_.backfills.front())) return;
        const Backfill& front = progress_.backfills.front();
        const auto due = due_after(front.next - microseconds(1));
        if (!due || *due > front.to) progress_.backfills.pop_front();
    }
}

bool Turn::advance(Backfill& backfill) {
    if (backfill.overlap == Overlap::queue && progress_.running) return false;
    const auto due = due_after(backfill.next - microseconds(1));
    if (due && *due <= backfill.to) fire(*due, Why::backfill, backfill.overlap);
    backfill.next = due ? *due + microseconds(1) : backfill.to + microseconds(1);
    return true;
}

void Turn::fire(Moment due, Why why, Overlap overlap) {
    if (const auto* event = std::get_if<SendAction>(&stored_.spec.action)) {
        send(*event, due);
        return note(due, why, std::nullopt);
    }
    const auto& action = std::get<StartAction>(stored_.spec.action);
    if (overlap == Overlap::allow) return note(due, why, start(action, due));
    if (progress_.running && overlap == Overlap::cancel)
        reaction_.cancel_children.push_back(progress_.running->workflow);
    if (progress_.running && overlap == Overlap::queue && progress_.queue.size() < most_queued) {
        progress_.queue.push_back({due, why});
        return;
    }
    if (progress_.running && overlap != Overlap::cancel) {
        ++progress_.skipped;
        return;
    }
    progress_.running = Running{start(action, due), due};
    started_running_ = true;
    note(due, why, progress_.running->workflow);
}

InstanceId Turn::start(const StartAction& action, Moment due) {
    const InstanceId id{new_id(due)};
    reaction_.children.push_back(
        {.id = id,
         .definition = action.definition,
         .business = {.key = filled_in(action.business_key, due),
                      .parts = {{"schedule", instance_.business.key}, {"due", to_iso8601(due)}}},
         .arguments = Document::of(filled_in(action.arguments.value(), due)),
         .detached = true});
    return id;
}

void Turn::send(const SendAction& action, Moment due) {
    reaction_.events.push_back({.id = {new_id(due)},
                                .name = action.event,
                                .value = Document::of(filled_in(action.value.value(), due)),
                                .fan_out = action.fan_out,
                                .target = action.target,
                                .correlation = action.correlation});
}

void Turn::note(Moment due, Why why, std::optional<InstanceId> workflow) {
    ++progress_.fired;
    ++acts_;
    progress_.recent.push_front({due, now_, std::string(name_of(why)), workflow});
    if (progress_.recent.size() > most_recent) progress_.recent.pop_back();
}

// What is due now is left to the next round, so that no schedule keeps a round busy: also the next
// of a queue, whose turn it is if the workflow that has just started has ended already.
void Turn::wait_again() {
    const bool queued = !progress_.queue.empty() || !progress_.backfills.empty();
    const bool look_again = more_ || (started_running_ && queued);
    holdfast::Wait wait;
    if (look_again)
        wait.until = now_;
    else if (progress_.next)
        wait.until = time_of(*progress_.next);
    if (progress_.running) wait.workflows = {progress_.running->workflow};
    if (!wait.until && wait.workflows.empty()) wait.names = {EventKey(never_sent)};
    for (const holdfast::Waiting& waiting : instance_.waits) reaction_.end.push_back(waiting.token);
    reaction_.begin.push_back(
        {.token = {new_id(time_of_ids_)}, .wait = std::move(wait), .nothing_pending = look_again});
}

bool Turn::is_full() {
    if (acts_ >= most_acts) more_ = true;
    return more_;
}

// Ids sort by their time, which is that of the firing or of the change before it.
Uuid Turn::new_id(Moment time) {
    const Digest digest = sha256(to_string(instance_.id) + std::to_string(instance_.version) + '/' +
                                 std::to_string(made_++));
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    for (int i = 0; i < 8; ++i) {
        high = high << 8 | digest.bytes[i];
        low = low << 8 | digest.bytes[8 + i];
    }
    return make_uuid_v7(std::max(time, time_of_ids_), high, low, cell_of(instance_.id.value));
}

std::optional<Moment> Turn::due_after(Moment time) const {
    return schedule::due_after(stored_.spec, instance_.created_at, time);
}

Moment Turn::time_of(Moment due) const { return due + jitter_of(stored_.spec, instance_.id, due); }

}  // namespace holdfast::schedule
