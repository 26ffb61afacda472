// A round on the simulated database, with the steps of the PostgreSQL store: lock the channels,
// lock the instances in one sorted pass, load, decide, write and commit. One whose instances are
// all resident is decided first, and then locks, checks what it took from memory, and commits.
#pragma once

#include "sim/database.h"
#include "store/recall.h"

namespace holdfast::sim {

class NodeWriter final : public Writer {
public:
    explicit NodeWriter(Database& database) : database_(database) {}

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override;
    Result<CommitStatus> commit_status(const RoundId& round) override;

private:
    struct Transaction;
    // Absent: a row changed; run the round again.
    using Attempt = Result<std::optional<std::variant<Committed, Unknown>>>;

    Attempt attempt(const Round& round, const Decide& decide);
    // Absent: the round has to load.
    Attempt attempt_recalled(const Round& round, const Decide& decide);
    // Locks what the round changes, and whether all is as it was when it was kept.
    bool lock_and_check(Transaction& transaction, const Expected& expected);
    Attempt write(const Round& round, std::shared_ptr<Transaction> transaction);
    Attempt carry_out(const Round& round, std::shared_ptr<Transaction> transaction);
    // The result is lost; whether it is committed, now or later, is random.
    std::variant<Committed, Unknown> lose(const Round& round,
                                          std::shared_ptr<Transaction> transaction);
    void lock(Transaction& transaction, const std::string& row, LockMode mode);
    void lock_channels(Transaction& transaction, const ReadSet& reads);
    std::set<InstanceId> lock_instances(Transaction& transaction, const ReadSet& reads);
    // Claims skip them until the transaction ends.
    void lock_signals(Transaction& transaction, const ReadSet& reads);
    Loaded load(const ReadSet& reads, const std::set<InstanceId>& locked);

    // Few, so that some rounds load.
    static constexpr std::size_t most_residents = 24;

    Database& database_;
    Residents residents_{most_residents};
    DefinitionCache definitions_;
};

}  // namespace holdfast::sim
