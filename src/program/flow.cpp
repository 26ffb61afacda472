#include "program/flow.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "program/journalled.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

Reaction begin_journal(const Instance& instance, const Document& arguments, Moment now) {
    Reaction reaction;
    reaction.journal.push_back({Step{.instance = instance.id,
                                     .index = 0,
                                     .name = "arguments",
                                     .value = arguments,
                                     .at = now},
                                std::nullopt});
    return reaction;
}

// The flow made progress: what it retried has ended.
Reaction record_progress(const Instance& instance, const stimulus::StepRecorded& recorded) {
    Reaction reaction = record_step(recorded.step);
    reaction.program = instance.program;
    reaction.program->retry.reset();
    if (recorded.registers_undo) reaction.program->rollback = true;
    reaction.settles_incident = true;
    return reaction;
}

Reaction keep_attempt(const Instance& instance, const Document& error, Moment now) {
    Reaction reaction;
    reaction.program = instance.program;
    auto& retry = reaction.program->retry;
    if (!retry || retry->index != instance.index) retry = Retry{.index = instance.index};
    retry->attempts.push_back({error, now});
    return reaction;
}

// It runs again at the same index.
Reaction end_backoff(const Instance& instance) {
    Reaction reaction;
    reaction.history.push_back(
        {HistoryType::delivered,
         json::canonical(bj::object{{"index", instance.index}, {"type", "retry"}})});
    return reaction;
}

// With registered undos it may run its rollback, once; a second cancel ends it at once.
bool can_unwind(const Instance& instance) {
    return instance.program.rollback && !instance.program.unwinding && !instance.buried;
}

// Whatever it waits for is over: it is woken to run its undo steps.
Reaction unwind(const Instance& instance, const std::string& reason, Moment now) {
    Reaction reaction = record_delivery(instance,
                                        {WinnerType::cancelled, std::string(cancelled_step),
                                         Document::of(bj::object{{"reason", reason}})},
                                        now);
    for (const Waiting& waiting : instance.waits) reaction.end.push_back(waiting.token);
    reaction.program = ProgramState{.rollback = true, .unwinding = true};
    return reaction;
}

class FlowProgram final : public Program {
public:
    RunBy run_by() const override { return RunBy::node; }

    Reaction react(const Instance& instance, const Stimulus& stimulus, Moment now) const override {
        if (const auto* started = std::get_if<stimulus::Started>(&stimulus))
            return begin_journal(instance, started->arguments, now);
        if (const auto* recorded = std::get_if<stimulus::StepRecorded>(&stimulus))
            return record_progress(instance, *recorded);
        if (const auto* failed = std::get_if<stimulus::AttemptFailed>(&stimulus))
            return keep_attempt(instance, failed->error, now);
        if (const auto* timer = std::get_if<stimulus::TimerReached>(&stimulus);
            timer && timer->wait.wait.retry)
            return end_backoff(instance);
        if (const auto* cancel = std::get_if<stimulus::CancelRequested>(&stimulus);
            cancel && can_unwind(instance))
            return unwind(instance, cancel->reason, now);
        return react_by_journal(instance, stimulus, now);
    }

    // Only the code could say whether it finds its way through the journal.
    Migration migrate(const Instance&, const Program&, const std::vector<MappedElement>&,
                      Moment) const override {
        Migration migration;
        migration.report.blame("",
                               "its journal was written by the code of its version; a flow goes on "
                               "with newer code when it continues as a new run");
        return migration;
    }
};

}  // namespace

std::shared_ptr<const Program> flow_program() {
    static const auto program = std::make_shared<const FlowProgram>();
    return program;
}

}  // namespace holdfast
