// Commits rounds to PostgreSQL: lock and load in one round trip, write and commit in a second. A
// round whose instances are all resident is one trip, which checks what it took from memory.
#pragma once

#include <memory>

#include "store/definition_cache.h"
#include "store/options.h"
#include "store/postgres/connection/clock_guess.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/load/channels.h"
#include "store/postgres/write/doubts.h"
#include "store/recall.h"
#include "store/store.h"

namespace holdfast::postgres {

// Connects on first use and reconnects after a loss. `definitions` must outlive it.
class PostgresWriter final : public Writer {
public:
    PostgresWriter(Address address, const StoreOptions& options, DefinitionCache& definitions,
                   std::shared_ptr<Doubts> doubts);

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override;
    Result<CommitStatus> commit_status(const RoundId& round) override;

private:
    using Attempt = std::expected<std::variant<Committed, Unknown>, Failure>;
    static constexpr std::size_t most_residents = 1'024;

    Reply<void> connect();
    // Absent: nothing is written, and the round has to load.
    std::optional<Attempt> attempt_recalled(const Round& round, const Decide& decide);
    Attempt attempt(const Round& round, const Decide& decide, ChannelLock channel_lock);
    // `expected`: nothing is locked yet.
    Attempt write(const Round& round, const Changes& changes, const Expected* expected = nullptr);
    void forget(const Round& round);
    // Something that a round took from memory was not so.
    void doubt(const Round& round);
    bool knows(const std::set<ChannelKey>& channels) const;
    Unknown unknown();
    // Ends the transaction of a round that did not commit, and its locks.
    void roll_back();
    Reply<CommitStatus> settle(const RoundId& round);

    Address address_;
    StoreOptions options_;
    DefinitionCache& definitions_;
    KnownChannels channels_;
    Residents residents_{most_residents};
    std::shared_ptr<Doubts> doubts_;  // about them
    ClockGuess clock_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace holdfast::postgres
