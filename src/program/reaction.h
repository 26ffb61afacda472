// What a program answers when something happened to an instance: values that the coordinator
// applies in the same round.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/event.h"
#include "model/history.h"
#include "model/instance.h"
#include "model/job.h"
#include "model/journal.h"
#include "model/task.h"

namespace holdfast {

struct Reaction {
    // The program chooses the tokens and ids of what it makes: see id_made_by.
    struct Begin {
        TokenId token;
        Wait wait;
        std::optional<ActivityInstanceId> owner{};
        // Its names are made by this reaction, so that nobody can have sent anything to them, or
        // what is due already is left to a later round: nothing is looked up.
        bool nothing_pending = false;
    };
    struct Task {
        TaskId id;
        TaskSpec spec;
    };
    struct Job {
        SignalId id;
        JobSpec spec;
    };
    struct Child {
        InstanceId id;
        std::string definition;
        BusinessReference business;
        Document arguments;
        bool detached = false;
        std::string at{};         // the element whose event starts it; empty: none
        std::uint32_t depth = 0;  // how many calls are around it
    };
    struct Ending {
        Status status = Status::succeeded;
        std::optional<Document> result;
        HistoryType type = HistoryType::succeeded;
        std::string payload;  // of the history row
    };
    struct Note {
        HistoryType type = HistoryType::delivered;
        std::string payload;
        std::optional<Digest> shared_value{};  // that the payload refers to
    };
    // An event that it sends: to one instance, to one wait or the queue, or to every wait of other
    // instances.
    struct Send {
        EventId id;
        std::string name;
        Document value;
        FanOut fan_out = FanOut::one;
        std::optional<InstanceId> target{};
        std::string correlation{};  // empty: none
    };
    struct Incident {
        std::string code;
        std::string detail;
    };

    // Why it does not do what was asked; nothing else of the reaction is applied.
    std::optional<std::string> refused;
    std::vector<JournalEntry> journal;
    std::vector<Note> history;
    std::optional<Document> state;        // the new document
    std::optional<ProgramState> program;  // what the program keeps from now on
    std::optional<Children> rows;         // the new rows below the instance
    bool settles_incident = false;
    std::optional<Incident> incident;
    std::vector<TokenId> end;  // waits
    std::vector<Begin> begin;  // waits; what is pending for one is delivered at once
    std::vector<Task> tasks;
    std::vector<Job> jobs;
    std::vector<Child> children;
    std::vector<TaskId> cancel_tasks;
    std::vector<SignalId> cancel_jobs;
    std::vector<InstanceId> cancel_children;
    std::vector<Send> events;  // after everything else; those with a target before an ending
    std::optional<Ending> ending;
    // Of a limiter: those who wait for its turns get as many as there are (operations/limits).
    bool gives_turns = false;
};

// The id of the n-th thing that a reaction to this instance makes. Every such reaction moves the
// version, so the ids are new each time. The instance may itself be made by another: by a digest,
// because `derive` gives the first id again if it is derived twice with the same number.
inline Uuid id_made_by(const Instance& instance, std::uint16_t n) {
    const std::uint64_t number = instance.version << 16 | n;
    const Digest digest = sha256(to_string(instance.id) + std::to_string(number));
    Uuid id = instance.id.value;
    id.bytes[9] = static_cast<std::uint8_t>((id.bytes[9] & 0xfc) | (digest.bytes[0] & 0x03));
    for (int i = 1; i < 7; ++i) id.bytes[9 + i] = digest.bytes[i];
    return id;
}

}  // namespace holdfast
