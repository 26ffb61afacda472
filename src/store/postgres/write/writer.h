// Commits rounds to PostgreSQL: load and lock in one trip, write and commit in a second.
#pragma once

#include <memory>

#include "store/options.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/load/channels.h"
#include "store/postgres/read/definition_cache.h"
#include "store/store.h"

namespace holdfast::postgres {

// Connects when it is first needed, and again after a loss. The cache outlives it.
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
    // Releases the locks of a round that did not commit.
    void roll_back();
    Reply<CommitStatus> settle(const RoundId& round);

    Address address_;
    StoreOptions options_;
    DefinitionCache& definitions_;
    KnownChannels channels_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace holdfast::postgres
