// Handles signals that need a program.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/journal.h"
#include "model/signal.h"

namespace holdfast {

// One signal that is leased to this node.
struct Work {
    InstanceId instance;
    SignalType type = SignalType::internal_continue;
    std::optional<SignalRow> signal;  // absent: a continuation that a commit leased to this node
    Lease lease;
    std::uint32_t attempts = 1;
    SignalId id;          // of the signal, also where its row is absent
    std::string program;  // definition key
    // As of the commit that made the continuation, with the entries that it recorded, or the job;
    // or as read after the claim, without its children. Absent: the handler reads it.
    std::shared_ptr<const Instance> instance_row;
    std::vector<JournalEntry> journal;
    // Before the next attempt, if this one fails; absent: the pump's.
    std::optional<std::chrono::microseconds> pause{};

    // The same without the fields that only the handler needs.
    Work head() const {
        return {.instance = instance,
                .type = type,
                .lease = lease,
                .attempts = attempts,
                .id = id,
                .program = program,
                .pause = pause};
    }
};

// Whether it may be what crashes the process: two attempts made no progress. One failed attempt is
// normal when its node dies.
constexpr bool is_suspect(std::uint32_t attempts) { return attempts > 2; }

class SignalHandler {
public:
    using Done = std::move_only_function<void(Result<void>)>;

    virtual ~SignalHandler() = default;

    // Called on a worker thread; may continue on others. Calls `done` once, from any thread, when
    // the work is over. An error: the lease is returned and the signal is retried after a pause;
    // ErrorCode::conflict: it could not be done now, and that was no attempt.
    virtual void handle(Work work, Done done) = 0;
    // This life of the node is over: abandon the work of its leases; other nodes may hold them now.
    // `done` is still called for each.
    virtual void drop(const NodeId&) {}
};

}  // namespace holdfast
