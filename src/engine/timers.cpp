#include "engine/timers.h"

#include "feel/values/show.h"

namespace holdfast::engine {
namespace {

Result<bpmn::Schedule> parse_schedule(bpmn::TimerTrigger::Kind kind, const std::string& text) {
    switch (kind) {
        case bpmn::TimerTrigger::Kind::date: {
            HF_TRY(const Moment at, bpmn::parse_timer_date(text));
            return bpmn::Schedule(at);
        }
        case bpmn::TimerTrigger::Kind::duration: {
            HF_TRY(const bpmn::Period period, bpmn::parse_timer_duration(text));
            return bpmn::Schedule(period);
        }
        case bpmn::TimerTrigger::Kind::cycle: break;
    }
    return bpmn::parse_timer_cycle(text);
}

Result<bpmn::Schedule> schedule_of(Run& run, const Live& live, const bpmn::TimerTrigger& timer) {
    if (const auto* fixed = std::get_if<bpmn::Schedule>(&timer.when)) return *fixed;
    HF_TRY(const feel::Value value,
           run.evaluate(std::get<feel::Expression>(timer.when), live.parent));
    return parse_schedule(timer.kind, feel::shown(value));
}

Moment moment_at(const bj::object& memo, const char* name, Moment otherwise) {
    const bj::value* found = memo.if_contains(name);
    return found ? Moment(std::chrono::microseconds(found->to_number<std::int64_t>())) : otherwise;
}

}  // namespace

Result<std::optional<Moment>> next_due_of(Run& run, Live& live, const bpmn::TimerTrigger& timer) {
    const auto schedule = schedule_of(run, live, timer);
    if (!schedule) return std::unexpected(schedule.error());
    bpmn::TimerProgress progress{.armed = moment_at(live.memo, "armed", run.now())};
    if (const bj::value* fired = live.memo.if_contains("fired"))
        progress.fired = fired->to_number<std::uint32_t>();
    progress.last_due = moment_at(live.memo, "due", progress.armed);
    // What a cron text missed, because nothing ran, is not made up for.
    if (std::holds_alternative<bpmn::Cron>(*schedule))
        progress.last_due = std::max(progress.last_due, run.now());
    const auto due = bpmn::next_due(*schedule, progress);
    live.memo["armed"] = progress.armed.time_since_epoch().count();
    live.memo["fired"] = progress.fired + 1;
    if (due) live.memo["due"] = due->time_since_epoch().count();
    return due;
}

}  // namespace holdfast::engine
