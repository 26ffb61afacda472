// Records the result of a step at its index; a step that is recorded is never run again (001.11,
// I23).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Recorded {
    Version version = 0;
    Moment at;
};
// It was recorded before, by this step: here is what it came to.
struct AlreadyRecorded {
    Step step;
};
// Another step stands at this index: the program is not the one that wrote the journal.
struct Diverged {
    Step step;
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
    bool rollback = false;  // from now on there is something to undo if it is cancelled
    // When it ended, by the runner's clock. Kept if it is not later than the store's; absent or
    // later: when it is recorded.
    std::optional<Moment> at{};
};

// What an operation that writes the journal is told when it comes again, or too late.
using Repeat = std::variant<AlreadyRecorded, Diverged, Overtaken>;
// Absent: nothing stands at the index yet, and the caller may write there.
std::optional<Repeat> answer_repeat(const View& view, const Instance& instance, const Run& run,
                                    const std::string& step_name, const Digest& input_hash);
template <class Outcome>
Outcome repeat_as(Repeat repeat) {
    return std::visit([](auto& one) { return Outcome{std::move(one)}; }, repeat);
}
// Records the step at the instance's index, which moves on. The caller adds the history row.
Instance& record_at_index(View& view, const InstanceId& id, Step step);

void reads(const RecordStep& op, ReadSet& reads);
RecordStep::Outcome decide(const RecordStep& op, View& view);
boost::json::object to_json(const RecordStep& op);
boost::json::object to_json(const Recorded& outcome);
boost::json::object to_json(const AlreadyRecorded& outcome);
boost::json::object to_json(const Diverged& outcome);

}  // namespace holdfast::op
