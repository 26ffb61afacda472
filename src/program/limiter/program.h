// The program of limiters: an instance that gives the workflows of a definition with limits their
// turns, and waits for the end of those who have one (ADR 64).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "program/limiter/turns.h"
#include "program/program.h"

namespace holdfast {

inline constexpr std::string_view limiter_kind = "limiter";
inline constexpr std::string_view limiter_definition = "holdfast.limiter";
// Nobody can send it: a workflow waits for it until it gets its turn. Correlated by the limiter.
inline constexpr const char* turn_name = "process/turn";
// Limits have changed. Correlated by their definition.
inline constexpr const char* limits_name = "process/limits";

// The limiter of the workflows of a definition that are counted together, whether it exists or not.
InstanceId limiter_of(const std::string& tenant, const std::string& definition,
                      const std::string& key);

std::shared_ptr<const Program> limiter_program();

// Null: the instance has its turn, or needs none.
const Waiting* wait_for_turn(const Instance& instance);

namespace limiter {

Document first_state(const std::string& definition, const std::string& key);

// What a limiter is asked for, as stimulus::Asked.
struct Give {
    std::vector<InstanceId> workflows;  // they get a turn
    bool until_end = false;             // and keep it until they end
    bool queued = false;                // others may wait
    Moment next;                        // by the rate
    std::optional<Moment> look_at;      // when to look for turns again; absent: no time says
};
Document to_document(const Give& give);

}  // namespace limiter
}  // namespace holdfast
