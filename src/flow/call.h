// A call of a flow, its slots in the journal, and their state.
#pragma once

#include <exception>

#include "flow/call_spec.h"
#include "flow/commands.h"

namespace holdfast::flow {

struct Call {
    CallSpec spec;
    std::optional<std::string> begun;  // id of the child or task that it waits for
    std::optional<Json> value;         // the result, or
    std::exception_ptr error;
    std::size_t winner = 0;  // of a race: the member's position
    bool taken = false;      // the flow has taken the result
};

// One journal entry that the awaited call needs.
struct Slot {
    enum class Part { begin, wait };
    enum class State {
        ready,      // not started
        running,    // its function is running
        held,       // its function has ended; recorded in index order
        submitted,  // its operation is submitted
        put_off,    // waits for its next attempt
    };

    std::uint64_t index = 0;
    CallId call = 0;
    Part part = Part::begin;
    State state = State::ready;
    std::string name;                   // in the journal
    Digest hash;                        // of its input
    std::optional<StepEnd> end;         // of its function; kept until it is in the journal
    std::vector<FailedAttempt> failed;  // earlier attempts
    std::size_t lost = 0;               // attempts lost in a process crash
};

// A journal entry that the execution has not processed yet.
struct Arrival {
    std::uint64_t index = 0;
    std::string name;
    std::optional<Digest> hash;
    StepResult result = StepResult::value;
    std::optional<Winner> winner;
    Moment at;
    std::optional<Document> document;  // absent: `value` holds it
    Json value;

    const Json& json() {
        if (document) value = std::exchange(document, std::nullopt)->value();
        return value;
    }
};

// Whether the entry records a cancellation.
inline bool is_cancellation(const Arrival& arrival) {
    return !arrival.hash && arrival.name == cancelled_step &&
           (!arrival.winner || arrival.winner->type == WinnerType::cancelled);
}

}  // namespace holdfast::flow
