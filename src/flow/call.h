// A call that a flow has made, the places it takes in the journal, and what is known of them.
#pragma once

#include <exception>

#include "flow/commands.h"

namespace holdfast::flow {

struct Call {
    CallSpec spec;
    std::optional<std::string> begun;  // the child or task that it waits for
    std::optional<Json> value;         // what it came to, or
    std::exception_ptr error;
    std::size_t winner = 0;  // of a race: which member
    bool taken = false;      // the flow has what it came to
};

// One place in the journal that the awaited call takes.
struct Slot {
    enum class Part { begin, wait };
    enum class State {
        ready,      // nothing happens yet
        running,    // its function is under way
        held,       // the function has ended; to be recorded in its turn
        submitted,  // an operation is under way
        put_off,    // sleeps before its next attempt
    };

    std::uint64_t index = 0;
    CallId call = 0;
    Part part = Part::begin;
    State state = State::ready;
    std::string name;                   // in the journal
    Digest hash;                        // of its input
    std::optional<StepEnd> end;         // of its function; stays until it is in the journal
    std::vector<FailedAttempt> failed;  // earlier attempts
    std::size_t lost = 0;               // attempts that died with their process
};

// What came to stand at an index.
struct Arrival {
    std::uint64_t index = 0;
    std::string name;
    std::optional<Digest> hash;
    StepResult result = StepResult::value;
    std::optional<Winner> winner;
    Moment at;
    std::optional<Document> document;  // else:
    Json value;

    const Json& json() {
        if (document) value = std::exchange(document, std::nullopt)->value();
        return value;
    }
};

// Whether it is what a cancellation leaves where the flow was.
inline bool is_cancellation(const Arrival& arrival) {
    return !arrival.hash && arrival.name == cancelled_step &&
           (!arrival.winner || arrival.winner->type == WinnerType::cancelled);
}

}  // namespace holdfast::flow
