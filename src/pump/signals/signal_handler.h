// What a node does with signals that need a program.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/journal.h"
#include "model/signal.h"

namespace holdfast {

// One signal that this node holds the lease of.
struct Work {
    InstanceId instance;
    SignalType type = SignalType::internal_continue;
    std::optional<SignalRow> signal;  // absent: its own continuation, right after the commit
    Lease lease;
    std::uint32_t attempts = 1;
    SignalId id;          // of the signal, also where its row is absent
    std::string program;  // definition key
    // Without its children: as the commit left it that made the continuation, with what that
    // recorded, or as it was after the claim. Absent: read it.
    std::shared_ptr<const Instance> instance_row;
    std::vector<JournalEntry> journal;

    // The same without what only the handler needs.
    Work head() const {
        return {.instance = instance,
                .type = type,
                .lease = lease,
                .attempts = attempts,
                .id = id,
                .program = program};
    }
};

// Whether it may be what ends the process: it was begun twice and got nowhere. Once is anybody's
// fate whose node is lost.
constexpr bool is_suspect(std::uint32_t attempts) { return attempts > 2; }

class SignalHandler {
public:
    using Done = std::move_only_function<void(Result<void>)>;

    virtual ~SignalHandler() = default;

    // Called on a worker of the pump; may go on elsewhere. `done` is called once, from any thread,
    // when it no longer works on it. An error: it could not; the signal is given back and tried
    // again after a pause.
    virtual void handle(Work work, Done done) = 0;
    // This life of the node is over: what was handed over under it is to be let go, others have it.
    // `done` is called for it all the same.
    virtual void drop(const NodeId&) {}
};

}  // namespace holdfast
