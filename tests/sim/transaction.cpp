#include "sim/transaction.h"

#include "planted/defect.h"

namespace holdfast::sim {
namespace {

constexpr int most_attempts = 8;

std::set<InstanceId> keys_of(const std::map<InstanceId, Loaded::Row>& rows) {
    std::set<InstanceId> keys;
    for (const auto& [id, row] : rows) keys.insert(id);
    return keys;
}

// Drops rows whose instance was not locked in the sorted pass, and marks the list as incomplete.
void keep_locked(Loading<WaitRow>& rows, const std::set<InstanceId>& locked) {
    const std::size_t before = rows.items.size();
    std::erase_if(rows.items, [&](const WaitRow& row) { return !locked.contains(row.instance); });
    rows.more |= rows.items.size() < before;
}

// As PostgreSQL's row counts check it: every row that the round depends on is as it was loaded.
bool is_unmoved(const memory::Tables& tables, const Changes& changes) {
    for (const InstanceChange* change : changes.instances) {
        const InstanceId& id = change->after ? change->after->id : change->before->id;
        const auto stored = tables.instances.find(id);
        if (change->before.has_value() != (stored != tables.instances.end())) return false;
        if (change->before && change->before->rev != stored->second.instance.rev) return false;
    }
    for (const EventId& id : changes.mail->accepted)
        if (tables.pending.contains(id) || tables.fates.contains(id) || tables.dead.contains(id))
            return false;
    for (const auto& [id, event] : changes.mail->queued)
        if (tables.pending.contains(id)) return false;
    for (const EventId& id : changes.mail->taken)
        if (!tables.pending.contains(id)) return false;
    for (const auto& [id, event] : changes.mail->released)
        if (!tables.pending.contains(id)) return false;
    for (const Step* step : changes.steps)
        if (!changes.cleared_journals->contains(step->instance) &&
            tables.steps.contains({step->instance, step->index}))
            return false;
    for (const FateRow& row : changes.mail->fates) {
        const auto fates = tables.fates.find(row.event);
        if (fates == tables.fates.end()) continue;
        for (const FateRow& other : fates->second)
            if (other.instance == row.instance) return false;
    }
    for (const auto& [id, update] : changes.tasks->updated) {
        const auto stored = tables.tasks.find(id);
        if (stored == tables.tasks.end() || stored->second.version != update.before) return false;
    }
    for (const KeyedOutcome* answer : changes.answers)
        if (tables.answers.contains(answer->key)) return false;
    return true;
}

}  // namespace

// Exists until it is committed or rolled back, also when its node is dead.
struct NodeWriter::Transaction {
    explicit Transaction(Database& its) : database(its), number(its.next_transaction()) {}
    ~Transaction() { database.locks().release_all(number); }

    Database& database;
    TransactionNumber number;
    std::optional<View> view;
    std::set<NodeId> alive;  // when it was loaded, or checked
    bool recalled = false;
};

void NodeWriter::lock(Transaction& transaction, const std::string& row, LockMode mode) {
    RowLocks& locks = database_.locks();
    database_.scheduler().wait([&] { return locks.can_take(row, transaction.number, mode); });
    locks.take(row, transaction.number, mode);
}

void NodeWriter::lock_channels(Transaction& transaction, const ReadSet& reads) {
    const bool exclusive =
        std::ranges::any_of(reads.channels(), [](const auto& c) { return c.second.exclusive(); });
    for (const auto& [key, channel] : reads.channels())
        lock(transaction,
             "channel " + key.tenant + '\n' + key.event.name + '\n' + key.event.correlation,
             exclusive ? LockMode::exclusive : LockMode::shared);
}

// The set of instances is read when the statement begins; the locks may be granted later.
std::set<InstanceId> NodeWriter::lock_instances(Transaction& transaction, const ReadSet& reads) {
    std::set<InstanceId> wanted;
    for (const auto& [id, need] : reads.instances()) wanted.insert(id);
    wanted.merge(keys_of(memory::load(database_.tables(), reads).instances));
    std::set<InstanceId> locked;
    for (const InstanceId& id : wanted) {
        if (!database_.tables().instances.contains(id)) continue;  // no row, nothing to lock
        lock(transaction, "instance " + to_string(id), LockMode::exclusive);
        locked.insert(id);
    }
    return locked;
}

void NodeWriter::lock_signals(Transaction& transaction, const ReadSet& reads) {
    const memory::Tables& tables = database_.tables();
    std::set<SignalId> wanted = reads.signals();
    for (const InstanceId& id : reads.continuations())
        if (const auto found = tables.continuations.find(id); found != tables.continuations.end())
            wanted.insert(found->second);
    for (const SignalId& id : wanted)
        if (tables.queue.contains(id))
            lock(transaction, "signal " + to_string(id), LockMode::exclusive);
}

Loaded NodeWriter::load(const ReadSet& reads, const std::set<InstanceId>& locked) {
    memory::Tables& tables = database_.tables();
    tables.latest = std::max(tables.latest, database_.store().clock().now());
    Loaded loaded = memory::load(tables, reads);
    std::erase_if(loaded.instances, [&](const auto& item) { return !locked.contains(item.first); });
    for (auto& [name, rows] : loaded.mail.waits) keep_locked(rows, locked);
    for (auto& [id, rows] : loaded.completions) keep_locked(rows, locked);
    for (auto& [id, rows] : loaded.children) {
        const std::size_t before = rows.items.size();
        std::erase_if(rows.items, [&](const InstanceId& child) { return !locked.contains(child); });
        rows.more |= rows.items.size() < before;
    }
    return loaded;
}

Result<std::variant<Committed, Unknown>> NodeWriter::commit(const Round& round,
                                                            const Decide& decide) {
    auto recalled = attempt_recalled(round, decide);
    if (!recalled) return std::unexpected(recalled.error());
    if (*recalled) return **std::move(recalled);
    for (int tries = 0; tries < most_attempts; ++tries) {
        auto outcome = attempt(round, decide);
        if (!outcome) return std::unexpected(outcome.error());
        if (*outcome) return **std::move(outcome);
        database_.scheduler().sleep(std::chrono::milliseconds(1 << tries));
    }
    return fail(ErrorCode::unavailable,
                "the round conflicted with others on the same rows too often");
}

NodeWriter::Attempt NodeWriter::attempt(const Round& round, const Decide& decide) {
    database_.call_begins();
    if (database_.faults().strikes(Fault::unavailable, database_.random(), 1))
        return fail(ErrorCode::unavailable, "the database is away");
    auto transaction = std::make_shared<Transaction>(database_);
    lock_channels(*transaction, round.reads);
    database_.scheduler().yield();
    const auto locked = lock_instances(*transaction, round.reads);
    lock_signals(*transaction, round.reads);
    database_.scheduler().yield();  // the next statement reads after the locks are held
    Loaded loaded = load(round.reads, locked);
    for (const auto& [key, definition] : loaded.newest) definitions_.add(definition);
    for (const auto& [key, definition] : loaded.definitions) definitions_.add(definition);
    transaction->view.emplace(round.reads, std::move(loaded));
    transaction->alive = database_.alive();
    database_.scheduler().yield();
    database_.call_ends();
    decide(*transaction->view);
    if (transaction->view->changes().empty()) return Committed{};
    return write(round, std::move(transaction));
}

NodeWriter::Attempt NodeWriter::attempt_recalled(const Round& round, const Decide& decide) {
    auto recalled = recall(round.reads, residents_, definitions_,
                           std::max(database_.tables().latest, database_.store().clock().now()));
    if (!recalled) return std::nullopt;
    auto transaction = std::make_shared<Transaction>(database_);
    transaction->view.emplace(round.reads, std::move(recalled->loaded));
    decide(*transaction->view);
    if (!is_guarded(round.reads, transaction->view->changes())) return std::nullopt;
    if (transaction->view->changes().empty()) return Committed{};
    database_.call_begins();
    if (database_.faults().strikes(Fault::unavailable, database_.random(), 1))
        return fail(ErrorCode::unavailable, "the database is away");
    transaction->recalled = true;
    Attempt written = std::nullopt;
    lock_channels(*transaction, round.reads);
    if (lock_and_check(*transaction, recalled->expected))
        written = carry_out(round, std::move(transaction));
    const bool moved = written && !*written;
    if (!written || moved)
        for (const auto& [id, need] : round.reads.instances()) residents_.doubt(id);
    ++database_.ledger().answers[moved ? "a resident was stale" : "a round was one trip"];
    return written;
}

bool NodeWriter::lock_and_check(Transaction& transaction, const Expected& expected) {
    memory::Tables& tables = database_.tables();
    const Changes& changes = transaction.view->changes();
    for (const InstanceChange* change : changes.instances)
        if (change->before)
            lock(transaction, "instance " + to_string(change->before->id), LockMode::exclusive);
    for (const auto& [id, expecting] : expected.leases)
        if (tables.queue.contains(id))
            lock(transaction, "signal " + to_string(id), LockMode::exclusive);
    database_.scheduler().yield();
    transaction.alive = database_.alive();
    tables.latest = std::max(tables.latest, database_.store().clock().now());
    for (const auto& [id, expecting] : expected.leases) {
        const auto& [node, epoch] = expecting.lease;
        const auto held = tables.queue.find(id);
        if (held == tables.queue.end() || held->second.leased_by != node ||
            held->second.epoch != epoch || !transaction.alive.contains(node))
            return false;
    }
    ReadSet again;
    for (const InstanceId& id : expected.unawaited) again.completion_waiters(id);
    for (const auto& [key, version] : expected.newest) again.definition(key);
    for (const ChannelKey& key : expected.quiet) again.broadcasts(key);
    for (const InstanceId& id : expected.without_events) again.ending_inbox(id);
    for (const InstanceId& id : expected.without_tasks) again.open_tasks(id);
    const Loaded now = memory::load(tables, again);
    for (const auto& [id, waiters] : now.completions)
        if (!waiters.items.empty()) return false;
    for (const auto& [key, events] : now.mail.broadcasts)
        if (!events.items.empty()) return false;
    for (const auto& [id, inbox] : now.mail.ending_inboxes)
        if (inbox.filled) return false;
    if (!now.tasks.empty()) return false;
    return std::ranges::all_of(expected.newest, [&](const auto& item) {
        return now.newest.at(item.first)->ref.version == item.second;
    });
}

NodeWriter::Attempt NodeWriter::write(const Round& round,
                                      std::shared_ptr<Transaction> transaction) {
    database_.call_begins();
    return carry_out(round, std::move(transaction));
}

NodeWriter::Attempt NodeWriter::carry_out(const Round& round,
                                          std::shared_ptr<Transaction> transaction) {
    Faults& faults = database_.faults();
    Random& random = database_.random();
    if (faults.strikes(Fault::crash_in_commit, random, 0.3)) {
        database_.on_crash(database_.scheduler().current_node());
        throw Crashed{};
    }
    if (faults.strikes(Fault::moved, random, 1)) return std::nullopt;
    if (faults.strikes(Fault::refused, random, 0.5))
        return fail(ErrorCode::refused, "a constraint");
    const Changes& changes = transaction->view->changes();
    const bool believed = transaction->recalled && defect("stale_resident_believed");
    if (!believed && !is_unmoved(database_.tables(), changes)) return std::nullopt;
    if (auto fits = memory::check(database_.tables(), changes); !fits)
        return std::unexpected(fits.error());
    if (faults.strikes(Fault::lost_commit, random, 0.5)) return lose(round, std::move(transaction));
    database_.check_leases(changes, transaction->alive);
    memory::apply(database_.tables(), round.id, changes);
    database_.check_always();
    const std::size_t rows = memory::count_rows(changes);
    if (faults.strikes(Fault::crash_in_commit, random, 0.3)) {
        database_.on_crash(database_.scheduler().current_node());
        throw Crashed{};
    }
    // The commit releases the locks before its result arrives.
    database_.locks().release_all(transaction->number);
    database_.scheduler().yield();
    database_.call_ends();
    residents_.keep(round.reads, changes, [](const InstanceId&) { return std::int64_t{0}; });
    for (const InstanceId& id : round.reads.continuations())
        residents_.learn(id, transaction->view->signals().loaded_continuation(id));
    return Committed{rows};
}

std::variant<Committed, Unknown> NodeWriter::lose(const Round& round,
                                                  std::shared_ptr<Transaction> transaction) {
    const auto carry_out = [this, id = round.id, transaction] {
        memory::Tables& tables = database_.tables();
        if (tables.rounds.contains(id)) return;  // commit_status() has already answered "never"
        const Changes& changes = transaction->view->changes();
        database_.check_leases(changes, transaction->alive);
        memory::apply(tables, id, changes);
        database_.check_always();
    };
    residents_.forget_all();
    switch (database_.random().below(3)) {
        case 0: carry_out(); break;
        case 1: break;
        default:
            // The server commits it later, although the client is gone.
            database_.scheduler().spawn(server, [this, carry_out] {
                database_.scheduler().sleep(
                    std::chrono::milliseconds(database_.random().below(300)));
                carry_out();
            });
    }
    return Unknown{};
}

Result<CommitStatus> NodeWriter::commit_status(const RoundId& round) {
    database_.call_begins();
    if (database_.faults().strikes(Fault::unavailable, database_.random(), 3))
        return fail(ErrorCode::unavailable, "the database is away");
    const CommitStatus status =
        database_.tables().rounds.emplace(round, CommitStatus::never).first->second;
    database_.scheduler().yield();
    database_.call_ends();
    return status;
}

}  // namespace holdfast::sim
