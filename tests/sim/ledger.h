// Requests and answers of the clients of a simulation: the judge compares them with what is stored.
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
    std::optional<Moment> accepted_by;  // time of the first answer that it was accepted
    bool fanned_out = false;            // answered with its receivers, possibly none
    std::size_t unanswered = 0;         // tries without an answer
    bool outcome_unknown = false;       // a try was answered with outcome_unknown
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
    bool enqueued = false;               // answered that it is queued
    std::optional<EventId> stale_event;  // it carries an event for a wait that is over
};

// A change of a task that was acknowledged.
struct ChangedTask {
    TaskId task;
    Cause cause;
};

struct Ledger {
    std::map<EventId, SentEvent> events;
    std::vector<Acknowledged> acknowledged;
    std::set<OperationId> refused;  // answered that nothing was changed
    std::vector<SeenConflict> conflicts;
    std::vector<RecordedStep> steps;
    std::vector<AcceptedEdit> edits;
    std::map<OperationId, op::Suspend> suspends;
    std::map<OperationId, Acting> acting;
    std::map<SignalId, SentSignal> signals;
    std::vector<ChangedTask> tasks;
    std::set<SignalId> jobs;                       // whose end was taken by their process
    std::set<SignalId> removed;                    // dead letters that clients removed, or may have
    std::vector<std::string> contradictions;       // found in the answers as they came
    std::map<std::string, std::uint64_t> answers;  // by operation and outcome
    std::uint64_t lost = 0;                        // calls without an answer
};

}  // namespace holdfast::sim
