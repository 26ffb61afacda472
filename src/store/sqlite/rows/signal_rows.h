// Decodes rows of signals and dead letters.
#pragma once

#include <array>

#include "store/nodes.h"
#include "store/signals.h"
#include "store/sqlite/database.h"

namespace holdfast::sqlite {

// Where the ids of an instance's continuations lie. Outlives the statement that it is bound to.
class ContinuationIds {
public:
    explicit ContinuationIds(const InstanceId& instance);

    Bytes first() const { return {{bytes_.data(), shared}}; }
    Bytes end() const { return {{bytes_.data(), bytes_.size()}}; }
    bool contains(const SignalId& id) const;

private:
    static constexpr std::size_t shared = 9;
    std::array<char, shared + 8> bytes_;
};

// False: it has a value that is none of ours.
bool read_claimed(Statement& row, SignalRow& signal);
DeadLetter read_dead_letter(Statement& row);

Result<KnownSignal> load_known_signal(Database& database, const SignalId& id, Moment now);
// Empty: the instance has no continuation.
Result<KnownSignal> load_continuation(Database& database, const InstanceId& id, Moment now);
Result<std::optional<DeadLetter>> load_dead_letter(Database& database, const SignalId& id);
Result<DeadLetterPage> read_dead_letters(Database& database, const DeadLetterQuery& query);
Result<JobPage> read_jobs(Database& database, const JobQuery& query);
Result<IncidentPage> read_incidents(Database& database, const IncidentQuery& query);

}  // namespace holdfast::sqlite
