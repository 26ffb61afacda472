// What the clients of a simulated world asked for and were told: the evidence that the judge holds
// against what is stored.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "operations/operation.h"

namespace holdfast::sim {

struct SentEvent {
    op::SendEvent event;
    Moment first_sent;
    std::optional<Moment> accepted_by;  // the clock when someone was first told that it is in
    bool fanned_out = false;            // told who got it, possibly nobody
    std::size_t unanswered = 0;         // tries whose answer has not come
    bool outcome_unknown = false;              // a try was answered with "unknown"
};

// A change that was acknowledged: its history row carries the operation, at that version.
struct Acknowledged {
    InstanceId instance;
    OperationId operation;
    std::optional<Version> version;
};

struct SeenConflict {
    InstanceId instance;
    Version version = 0;
    std::string state;
};

struct RecordedStep {
    InstanceId instance;
    op::Run run;
    Version version = 0;
};

struct AcceptedEdit {
    InstanceId instance;
    Version expected = 0;
    Version version = 0;
};

// A program acts under the lease of its continuation.
struct Acting {
    InstanceId instance;
    Lease lease;
};

struct SentSignal {
    op::EnqueueSignal signal;
    bool enqueued = false;               // told that it is in
    std::optional<EventId> stale_event;  // it carries one for a wait that was over
};

struct Ledger {
    std::map<EventId, SentEvent> events;
    std::vector<Acknowledged> acknowledged;
    std::set<OperationId> refused;  // told that nothing was changed
    std::vector<SeenConflict> conflicts;
    std::vector<RecordedStep> steps;
    std::vector<AcceptedEdit> edits;
    std::map<OperationId, op::Suspend> suspends;
    std::map<OperationId, Acting> acting;
    std::map<SignalId, SentSignal> signals;
    std::set<SignalId> removed;                    // dead letters, by their own wish or maybe
    std::vector<std::string> contradictions;       // found while the answers came in
    std::map<std::string, std::uint64_t> answers;  // by operation and outcome
    std::uint64_t lost = 0;                        // calls that nobody answered
};

}  // namespace holdfast::sim
