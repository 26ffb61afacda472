// Collects the write statements of one commit, in the order in which they run.
#pragma once

#include "store/postgres/write/write.h"

namespace holdfast::postgres {

// Stores an empty text as null.
inline std::optional<std::string_view> unless_empty(std::string_view text) {
    if (text.empty()) return std::nullopt;
    return text;
}

class StatementQueue {
public:
    // Does nothing without rows.
    void write(std::string_view name, std::size_t rows, Parameters parameters) {
        if (rows > 0) statements_.push_back({name, std::move(parameters), rows});
    }
    // A statement that writes nothing, for so many keys. Does nothing without any.
    void guard(std::string_view name, std::size_t keys, Parameters parameters) {
        if (keys > 0) statements_.push_back({name, std::move(parameters), 0});
    }
    std::vector<WriteStatement> take() && { return std::move(statements_); }

private:
    std::vector<WriteStatement> statements_;
};

// The children of the changed instances, table by table: deletes, then inserts, then updates.
void queue_children(StatementQueue& queue, const Changes& changes);

// The rows in which events, completions and timers look up a waiting instance.
void queue_waits(StatementQueue& queue, const Changes& changes);
void queue_journal(StatementQueue& queue, const Changes& changes);
void queue_tasks(StatementQueue& queue, const Changes& changes);
void queue_mail(StatementQueue& queue, const Changes& changes);
// Before every other write of the round, except those that lock instances.
void queue_accepted(StatementQueue& queue, const MailChanges& mail);
// What was deleted as its lease was compared.
struct EndedLeases {
    std::set<InstanceId> continuations;
    std::set<SignalId> jobs;
};
// Signals and continuations: deletes before inserts.
void queue_signals(StatementQueue& queue, const Changes& changes, const EndedLeases& ended);

}  // namespace holdfast::postgres
