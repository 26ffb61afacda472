#include "node/schedule_api.h"

#include <boost/json.hpp>

#include "node/workflow_api_run.h"
#include "program/schedule/program.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

void add_text(bj::object& object, const char* name, const std::string& text) {
    if (!text.empty()) object[name] = text;
}

bj::object spec_of(const Schedule& schedule) {
    bj::object spec;
    add_text(spec, "cron", schedule.cron);
    add_text(spec, "timeZone", schedule.time_zone);
    add_text(spec, "every", schedule.every);
    add_text(spec, "from", schedule.from);
    add_text(spec, "until", schedule.until);
    add_text(spec, "overlap", schedule.overlap);
    add_text(spec, "catchUp", schedule.catch_up);
    add_text(spec, "jitter", schedule.jitter);
    if (!schedule.start.empty()) {
        bj::object start{{"definition", schedule.start}, {"arguments", schedule.arguments}};
        add_text(start, "businessKey", schedule.business_key);
        spec["start"] = std::move(start);
    }
    if (!schedule.send.empty()) {
        bj::object send{{"event", schedule.send}, {"value", schedule.value}};
        add_text(send, "correlationKey", schedule.correlation_key);
        add_text(send, "workflow", schedule.workflow);
        add_text(send, "fanOut", schedule.fan_out);
        spec["send"] = std::move(send);
    }
    return spec;
}

// Throws why it was not done.
template <class Outcome>
[[noreturn]] void refuse(const std::string& name, [[maybe_unused]] const Outcome& outcome) {
    const std::string what = "schedule '" + name + "': ";
    if constexpr (std::same_as<Outcome, op::InvalidState>)
        throw Misuse(what + outcome.violations.front().path + " " +
                     outcome.violations.front().message);
    else if constexpr (std::same_as<Outcome, op::ScheduleRefused>)
        throw Misuse(what + outcome.why);
    else if constexpr (std::same_as<Outcome, op::NotFound>)
        throw Misuse(what + "there is none of this name; put() creates it");
    else if constexpr (std::same_as<Outcome, op::DisabledDefinition>)
        throw Misuse(what + "'" + outcome.key + "' is disabled; enable it first");
    else if constexpr (std::same_as<Outcome, op::Ended>)
        throw Misuse(what + "it was cancelled; remove() it first");
    else
        throw Misuse(what + "it cannot be changed now");
}

template <class Done, class Outcome>
void expect_done(const std::string& name, const Outcome& outcome) {
    std::visit(
        [&]<class One>(const One& one) {
            if constexpr (!std::same_as<One, Done>) refuse(name, one);
        },
        outcome);
}

}  // namespace

void ScheduleApi::put(const std::string& name, const Schedule& schedule) {
    expect_done<op::SchedulePut>(
        name,
        api_.run(op::PutSchedule{
            .cause = api_.cause(), .schedule = name, .spec = Document::of(spec_of(schedule))}));
}

ScheduleStatus ScheduleApi::status(const std::string& name) {
    const InstanceId id = schedule_of(api_.cause().tenant(), name);
    const auto found = value_of(api_.reads().ask(FindInstance{id, Depth::document}));
    if (!found) refuse(name, op::NotFound{});
    const Instance& instance = found->instance;
    const auto stored = value_of(schedule::read_schedule(instance));
    const schedule::Progress& progress = stored.progress;
    ScheduleStatus status{.paused = instance.paused,
                          .incident = instance.incident,
                          .next = {},
                          .fired = progress.fired,
                          .skipped = progress.skipped,
                          .missed = progress.missed};
    if (const auto next = schedule::upcoming(instance, stored, 1); !next.empty())
        status.next = next.front().due;
    if (progress.running) status.running = to_string(progress.running->workflow);
    for (const schedule::Fired& fired : progress.recent)
        if (fired.workflow) status.started.push_back(to_string(*fired.workflow));
    return status;
}

bool ScheduleApi::remove(const std::string& name) {
    const Cause cause = api_.cause();
    const auto outcome =
        api_.run(op::Clear{.cause = cause, .instance = schedule_of(cause.tenant(), name)});
    if (std::holds_alternative<op::NothingToClear>(outcome)) return false;
    expect_done<op::Cleared>(name, outcome);
    return true;
}

void ScheduleApi::pause(const std::string& name, const std::string& reason) {
    const Cause cause = api_.cause();
    expect_done<op::Paused>(name, api_.run(op::Pause{.cause = cause,
                                                     .instance = schedule_of(cause.tenant(), name),
                                                     .reason = reason}));
}

void ScheduleApi::resume(const std::string& name, const std::string& reason) {
    direct(name, {{"do", "resume"}}, reason);
}

void ScheduleApi::trigger(const std::string& name) { direct(name, {{"do", "trigger"}}); }

void ScheduleApi::backfill(const std::string& name, const std::string& from,
                           const std::string& to) {
    direct(name, {{"do", "backfill"}, {"from", from}, {"to", to}});
}

void ScheduleApi::direct(const std::string& name, bj::object request, const std::string& reason) {
    const Cause cause = api_.cause();
    expect_done<op::ScheduleDirected>(
        name, api_.run(op::DirectSchedule{.cause = cause,
                                          .instance = schedule_of(cause.tenant(), name),
                                          .request = Document::of(std::move(request)),
                                          .reason = reason}));
}

}  // namespace holdfast
