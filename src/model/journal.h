// The journal: what an instance has been through, by activity index. Replay never repeats it
// (001.11).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids/digest.h"
#include "base/ids/uuid.h"
#include "base/json/document.h"
#include "base/time/moment.h"

namespace holdfast {

enum class StepResult { value, error };

// What stands at one index: the result of a step, or what ended a wait.
struct Step {
    InstanceId instance;
    std::uint64_t index = 0;
    std::string name;                  // of the step; of a wait: what won it
    std::optional<Digest> input_hash;  // absent for waits
    StepResult result = StepResult::value;
    json::Document value;  // any JSON value
    Moment at;

    bool operator==(const Step&) const = default;
};

enum class WinnerType { event, timer, workflow, cancelled };

std::string_view name_of(WinnerType type);
std::optional<WinnerType> parse_winner_type(std::string_view text);

// What stands at the index at which a program was told to undo what it did, step or wait.
inline constexpr std::string_view cancelled_step = "$cancelled";

// Which condition ended the wait at an index. One per index, for ever (I6).
struct Winner {
    InstanceId instance;
    std::uint64_t index = 0;
    WinnerType type = WinnerType::event;
    std::string name;  // the event's name, "timer", or the workflow's id

    bool operator==(const Winner&) const = default;
};

// All that stands at an index.
struct JournalEntry {
    Step step;
    std::optional<Winner> winner;  // of a wait
};

// Of one instance: from an index on, so many entries at most.
struct JournalPart {
    InstanceId instance;
    std::uint64_t from = 0;
    std::size_t limit = 0;
};

}  // namespace holdfast
