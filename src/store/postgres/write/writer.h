// Commits rounds to PostgreSQL: lock and load in one round trip, write and commit in a second.
#pragma once

#include <memory>

#include "store/definition_cache.h"
#include "store/options.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/load/channels.h"
#include "store/store.h"

namespace holdfast::postgres {

// Connects on first use and reconnects after a loss. `definitions` must outlive it.
class PostgresWriter final : public Writer {
public:
    PostgresWriter(Address address, const StoreOptions& options, DefinitionCache& definitions);

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override;
    Result<CommitStatus> commit_status(const RoundId& round) override;

private:
    using Attempt = std::expected<std::variant<Committed, Unknown>, Failure>;

    Reply<void> connect();
    Attempt attempt(const Round& round, const Decide& decide, ChannelLock channel_lock);
    Attempt write(const RoundId& round, const Changes& changes);
    // Ends the transaction of a round that did not commit, and its locks.
    void roll_back();
    Reply<CommitStatus> settle(const RoundId& round);

    Address address_;
    StoreOptions options_;
    DefinitionCache& definitions_;
    KnownChannels channels_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace holdfast::postgres
