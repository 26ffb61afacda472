// Records the result of a step at its index; a step that is recorded is never run again (001.11,
// I23).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Recorded {
    static constexpr std::string_view name = "recorded";

    Version version = 0;
    Moment at;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};
// This step was recorded before; carries the recorded one.
struct AlreadyRecorded {
    static constexpr std::string_view name = "alreadyRecorded";

    Step step;

    static void describe(auto& outcome, auto& with) { with("step", outcome.step); }
};
// Another step is recorded at this index: the program does not match the journal.
struct Diverged {
    static constexpr std::string_view name = "diverged";

    Step step;

    static void describe(auto& outcome, auto& with) { with("step", outcome.step); }
};

struct RecordStep {
    static constexpr std::string_view name = "recordStep";
    using Outcome =
        std::variant<Recorded, AlreadyRecorded, Diverged, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    std::string step_name;
    Digest input_hash;
    StepResult result = StepResult::value;
    Document value;
    bool rollback = false;  // the step registered an undo: a cancel runs the rollback
    // When it ended, by the runner's clock. Absent, or later than the store's clock: the time of
    // recording is used.
    std::optional<Moment> at{};

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("name", op.step_name);
        with("inputHash", op.input_hash);
        with("result", op.result);
        with("value", op.value);
        with.later("rollback", op.rollback);
        with("at", op.at);
    }
};

// Outcomes of an operation on the journal that is repeated or too late.
using Repeat = std::variant<AlreadyRecorded, Diverged, Overtaken>;
// Absent: nothing is recorded at the index yet, and the caller may record there.
std::optional<Repeat> answer_repeat(const View& view, const Instance& instance, const Run& run,
                                    const std::string& step_name, const Digest& input_hash);
template <class Outcome>
Outcome repeat_as(Repeat repeat) {
    return std::visit([](auto& one) { return Outcome{std::move(one)}; }, repeat);
}
// Records the step at the instance's index and increments it. The caller adds the history row.
enum class Undo { none, registered };
Instance& record_at_index(View& view, const InstanceId& id, const Step& step, const Cause& cause,
                          Undo undo = Undo::none);

void reads(const RecordStep& op, ReadSet& reads);
RecordStep::Outcome decide(const RecordStep& op, View& view);

}  // namespace holdfast::op
