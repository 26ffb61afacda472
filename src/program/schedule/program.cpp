#include "program/schedule/program.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "program/schedule/turn.h"

namespace holdfast {
namespace schedule {
namespace {

namespace bj = boost::json;

Reaction cancelled(const std::string& reason) {
    Reaction reaction;
    reaction.ending = Reaction::Ending{.status = Status::cancelled,
                                       .type = HistoryType::cancelled,
                                       .payload = json::canonical(bj::object{{"reason", reason}})};
    return reaction;
}

Reaction refused(std::string why) {
    Reaction reaction;
    reaction.refused = std::move(why);
    return reaction;
}

// Its zone may be gone from the system, or its state is older than this program.
Reaction unreadable(const std::string& why) {
    Reaction reaction;
    reaction.incident = Reaction::Incident{"bad_schedule", why};
    return reaction;
}

class ScheduleProgram final : public Program {
public:
    RunBy run_by() const override { return RunBy::rounds; }
    Depth depth() const override { return Depth::document; }
    bool starts_by_call() const override { return false; }

    std::vector<SchemaViolation> check_state(const Instance& instance,
                                             const Document& wanted) const override {
        if (instance.version > 0) {
            if (wanted == instance.state) return {};
            return {{"", "the state of a schedule is changed by PUT /api/v1/schedules/NAME"}};
        }
        const bj::value state = wanted.value();
        const bj::object* object = state.if_object();
        const bj::value* spec = object ? object->if_contains("spec") : nullptr;
        const auto read = read_spec(spec ? *spec : bj::value(nullptr));
        if (!read) return {read.error()};
        if (!due_after(*read, Moment{}, Moment{}))
            return {{std::holds_alternative<bpmn::Cron>(read->when) ? "/cron" : "/every",
                     "is never due: there is no such day, or none between from and until"}};
        return {};
    }
    Document with_own_state(const Instance& instance, Document) const override {
        return instance.state;
    }

    Reaction react(const Instance& instance, const Stimulus& stimulus, Moment now) const override {
        if (const auto* cancel = std::get_if<stimulus::CancelRequested>(&stimulus))
            return cancelled(cancel->reason);
        if (std::holds_alternative<stimulus::Modified>(stimulus))
            return refused("a schedule has no tokens: change it under /api/v1/schedules");
        if (!concerns_time(stimulus)) return {};
        auto stored = read_schedule(instance);
        if (!stored) return unreadable(stored.error().message);
        Turn turn(instance, *std::move(stored), now);
        if (const auto* asked = std::get_if<stimulus::Asked>(&stimulus))
            if (auto why = turn.take(asked->request.value(), asked->at))
                return refused(*std::move(why));
        if (const auto* ended = std::get_if<stimulus::WorkflowEnded>(&stimulus))
            turn.note_end(ended->workflow);
        return std::move(turn).finish(happened(stimulus));
    }

private:
    static bool concerns_time(const Stimulus& stimulus) {
        return std::holds_alternative<stimulus::Started>(stimulus) ||
               std::holds_alternative<stimulus::TimerReached>(stimulus) ||
               std::holds_alternative<stimulus::EventArrived>(stimulus) ||
               std::holds_alternative<stimulus::WorkflowEnded>(stimulus) ||
               std::holds_alternative<stimulus::Asked>(stimulus);
    }

    static std::string happened(const Stimulus& stimulus) {
        if (const auto* asked = std::get_if<stimulus::Asked>(&stimulus))
            return std::string(asked->request.value().at("do").as_string());
        if (const auto* ended = std::get_if<stimulus::WorkflowEnded>(&stimulus))
            return "workflow " + to_string(ended->workflow) + " " + std::string(ended->status);
        return std::holds_alternative<stimulus::Started>(stimulus) ? "started" : "timer";
    }
};

}  // namespace

Document first_state(const bj::value& spec) { return Document::of(bj::object{{"spec", spec}}); }

Result<Stored> read_schedule(const Instance& instance) {
    const bj::value state = instance.state.value();
    const bj::object* object = state.if_object();
    const bj::value* text = object ? object->if_contains("spec") : nullptr;
    auto spec = read_spec(text ? *text : bj::value(nullptr));
    if (!spec)
        return fail(ErrorCode::invalid_argument, spec.error().path + " " + spec.error().message);
    const bj::value* progress = object->if_contains("progress");
    return Stored{
        *text, *std::move(spec),
        read_progress(progress ? *progress : bj::value(bj::object{}), instance.created_at)};
}

std::vector<Upcoming> upcoming(const Instance& instance, const Stored& stored, std::size_t count) {
    std::vector<Upcoming> times;
    if (instance.paused || !is_open(instance.status)) return times;
    Moment after = stored.progress.last;
    while (times.size() < count) {
        const auto due = due_after(stored.spec, instance.created_at, after);
        if (!due) break;
        times.push_back({*due, *due + jitter_of(stored.spec, instance.id, *due)});
        after = *due;
    }
    return times;
}

}  // namespace schedule

InstanceId schedule_of(const std::string& tenant, const std::string& name) {
    const Digest digest = sha256("schedule\n" + tenant + '\n' + name);
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    for (int i = 0; i < 8; ++i) {
        high = high << 8 | digest.bytes[i];
        low = low << 8 | digest.bytes[8 + i];
    }
    return {make_uuid_v7(Moment{}, high, low)};
}

std::shared_ptr<const Program> schedule_program() {
    static const auto program = std::make_shared<const schedule::ScheduleProgram>();
    return program;
}

}  // namespace holdfast
