// The journal: the recorded steps and waits of a run, by index. Replay reads them and never runs
// them again (001.11).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids/digest.h"
#include "base/ids/uuid.h"
#include "base/json/document.h"
#include "base/time/moment.h"
#include "model/event.h"

namespace holdfast {

enum class StepResult { value, error };

std::string_view name_of(StepResult result);
std::optional<StepResult> parse_step_result(std::string_view text);

// The entry at one index: the result of a step, or the value that ended a wait.
struct Step {
    InstanceId instance;
    std::uint64_t index = 0;
    std::string name;                  // of the step; for a wait: of its winner
    std::optional<Digest> input_hash;  // absent for waits
    StepResult result = StepResult::value;
    json::Document value;  // any JSON value
    Moment at;

    bool operator==(const Step&) const = default;
};

// A large value is stored once, and what has it refers to it by its digest: events, and the entries
// and rows of the waits that they end.
inline constexpr std::size_t longest_own_value = 4'096;
inline bool is_shared(const json::Document& value) {
    return value.text().size() > longest_own_value;
}
// Only values that came from elsewhere: the result of a step has one entry.
inline bool has_shared_value(const Step& step) { return !step.input_hash && is_shared(step.value); }
inline bool has_shared_value(const Event& event) { return is_shared(event.value); }
template <class Row>
std::optional<Digest> shared_digest(const Row& row) {
    return has_shared_value(row) ? std::optional(row.value.checksum()) : std::nullopt;
}

enum class WinnerType { event, timer, workflow, cancelled };

std::string_view name_of(WinnerType type);
std::optional<WinnerType> parse_winner_type(std::string_view text);

// The name of the entry at the index where a program was cancelled and began to unwind.
inline constexpr std::string_view cancelled_step = "$cancelled";

// The condition that ended the wait at an index. One per index, never replaced (I6).
struct Winner {
    InstanceId instance;
    std::uint64_t index = 0;
    WinnerType type = WinnerType::event;
    std::string name;  // the event's name, "timer", or the workflow's id

    bool operator==(const Winner&) const = default;
};

// The step at an index, with the winner if it is a wait.
struct JournalEntry {
    Step step;
    std::optional<Winner> winner;  // of a wait
};

// A range of one instance's journal: at most `limit` entries from index `from`.
struct JournalPart {
    InstanceId instance;
    std::uint64_t from = 0;
    std::size_t limit = 0;
};

}  // namespace holdfast
