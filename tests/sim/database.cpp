#include "sim/database.h"

#include "program/kinds.h"
#include "sim/transaction.h"
#include "store/memory/signals.h"

namespace holdfast::sim {

Database::Database(Scheduler& scheduler, Random& random, VirtualClock& clock, Faults& faults,
                   Ledger& ledger)
    : scheduler_(scheduler), random_(random), faults_(faults), ledger_(ledger) {
    auto opened = memory::MemoryStore::open({.clock = &clock});
    store_.reset(static_cast<memory::MemoryStore*>(opened->release()));
}

void Database::crash_here() {
    const NodeNumber node = scheduler_.current_node();
    crash_point_.call = 0;
    on_crash(node);
    throw Crashed{};
}

void Database::call_begins() {
    ++calls_;
    if (crash_point_.call == calls_ && !crash_point_.after) crash_here();
    if (faults_.strikes(Fault::crash, random_, 0.15)) crash_here();
    if (faults_.strikes(Fault::pause, random_, 0.2))
        scheduler_.freeze(
            scheduler_.current_node(),
            store_->tables().latest + std::chrono::milliseconds(random_.below(5'000)));
    if (faults_.strikes(Fault::slow, random_, 3))
        scheduler_.sleep(std::chrono::milliseconds(random_.below(200)));
    scheduler_.yield();
}

void Database::call_ends() {
    if (crash_point_.call == calls_ && crash_point_.after) crash_here();
}

void Database::define(const std::string& key, const std::string& kind,
                      std::optional<std::string> source) {
    auto definition = std::make_shared<Definition>();
    definition->ref = {key, 1};
    definition->kind = kind;
    definition->source = std::move(source);
    definition->program = *ProgramKinds::known().compile(*definition);
    tables().definitions.emplace(TenantRef{definition->tenant, definition->ref}, definition);
}

bool Database::is_locked(const SignalId& id) const {
    return !locks_.can_take("signal " + to_string(id), no_transaction, LockMode::exclusive);
}

Result<std::unique_ptr<Writer>> NodeStore::open_writer() {
    return std::make_unique<NodeWriter>(database_);
}

template <class Work>
auto NodeStore::call(Work work) -> decltype(work()) {
    database_.call_begins();
    if (database_.faults().strikes(Fault::unavailable, database_.random(), 1))
        return fail(ErrorCode::unavailable, "the database is away");
    auto result = work();
    database_.scheduler().yield();
    database_.call_ends();
    return result;
}

template <class Write>
auto NodeStore::write(Write write) -> decltype(write()) {
    auto result = call(write);
    if (result && database_.faults().strikes(Fault::lost_commit, database_.random(), 0.5))
        return fail(ErrorCode::unavailable, "the result is lost");
    return result;
}

void NodeStore::read(const AnyQuestion& question) {
    answer_by([&](const auto& query) { return call([&] { return database_.store().ask(query); }); },
              question);
}

Result<void> NodeStore::join(const Joining& joining) {
    return write([&] { return database_.store().join(joining); });
}
Result<Beat> NodeStore::beat(const NodeId& node, std::chrono::microseconds lease,
                             const std::vector<std::string>& programs) {
    return write([&] { return database_.store().beat(node, lease, programs); });
}
Result<void> NodeStore::leave(const NodeId& node) {
    return write([&]() -> Result<void> {
        memory::leave(database_.tables(), node,
                      [&](const SignalId& id) { return database_.is_locked(id); });
        return {};
    });
}
Result<Claimed> NodeStore::claim(const Claim& claim) {
    return call([&]() -> Result<Claimed> {
        memory::Tables& tables = database_.tables();
        tables.latest = std::max(tables.latest, database_.store().clock().now());
        std::map<SignalId, NodeId> holders;
        for (const auto& [id, row] : tables.queue)
            if (row.leased_by) holders.emplace(id, *row.leased_by);
        Claimed claimed = memory::claim(
            tables, claim, [&](const SignalId& id) { return database_.is_locked(id); });
        for (const SignalRow& row : claimed.signals)
            if (holders.contains(row.id)) ++database_.ledger().answers["a signal was taken over"];
        if (!claimed.signals.empty() &&
            database_.faults().strikes(Fault::lost_commit, database_.random(), 2))
            lose(claimed, holders);
        database_.check_always();
        return claimed;
    });
}

// The result of a claim is lost; it may or may not have been committed.
void NodeStore::lose(const Claimed& claimed, const std::map<SignalId, NodeId>& holders) {
    if (database_.random().chance(50)) return;
    for (const SignalRow& claim : claimed.signals) {
        SignalRow& row = database_.tables().queue.at(claim.id);
        const auto holder = holders.find(claim.id);
        row.leased_by.reset();
        if (holder != holders.end()) row.leased_by = holder->second;
        --row.epoch;
        --row.attempts;
    }
}

Result<void> NodeStore::give_back(const SignalId& signal, const Lease& lease,
                                  std::chrono::microseconds pause, GiveBack attempt) {
    return write([&] {
        database_.scheduler().wait([&] { return !database_.is_locked(signal); });
        return database_.store().give_back(signal, lease, pause, attempt);
    });
}
Result<void> NodeStore::announce(const Announcement& announcement) {
    return write([&] { return database_.store().announce(announcement); });
}
Result<void> NodeStore::listen(const std::function<void()>& listening,
                               const std::function<void(const Announcement&)>& received,
                               std::stop_token stop) {
    return call([&] { return database_.store().listen(listening, received, stop); });
}
Result<std::optional<HostLock>> NodeStore::lock_host(const std::string& name,
                                                     const std::string& owner,
                                                     std::chrono::microseconds lease) {
    return write([&] { return database_.store().lock_host(name, owner, lease); });
}
Result<void> NodeStore::set_mark(const std::string& name, Moment at) {
    return write([&] { return database_.store().set_mark(name, at); });
}
Result<Pruned> NodeStore::prune(const Prune& prune) {
    return write([&] { return database_.store().prune(prune); });
}
Result<TrimmedHistories> NodeStore::trim_histories(const TrimHistories& trim) {
    return write([&] { return database_.store().trim_histories(trim); });
}
Result<std::size_t> NodeStore::append_audit(const AuditAppend& append) {
    return write([&] { return database_.store().append_audit(append); });
}

Result<bool> NodeStore::change_keys(const KeyChange& change) {
    return write([&] { return database_.store().change_keys(change); });
}
Result<void> NodeStore::build_indexes(std::stop_token stop) {
    return call([&] { return database_.store().build_indexes(stop); });
}
}  // namespace holdfast::sim
