#include "sim/database.h"

#include "sim/transaction.h"

namespace holdfast::sim {

Database::Database(Scheduler& scheduler, Random& random, VirtualClock& clock, Faults& faults)
    : scheduler_(scheduler), random_(random), faults_(faults) {
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

// Never asleep beside what it sleeps for (I1).
void Database::check_always() {
    ++commits;
    const memory::Tables& all = tables();
    for (const auto& [id, row] : all.instances) {
        const Instance& instance = row.instance;
        if (instance.waiting && !is_open(instance.status))
            violation("an ended instance waits: " + to_string(id));
        if (!is_registered(instance)) continue;
        const Wait& wait = instance.waiting->wait;
        if (all.winners.contains({id, instance.index}))
            violation("I6: asleep at an index that has a winner: " + to_string(id));
        for (const InstanceId& workflow : wait.workflows) {
            const auto awaited = all.instances.find(workflow);
            if (awaited != all.instances.end() && !is_open(awaited->second.instance.status))
                violation("001.14: waits for a workflow that has ended: " + to_string(id));
        }
        if (wait.since != Since::any) continue;
        for (const auto& [event_id, event] : all.pending) {
            if (event.target && event.target != id) continue;
            if (std::ranges::find(wait.names, event.name) == wait.names.end()) continue;
            if (is_expired(event, all.latest)) continue;
            const auto fates = all.fates.find(event_id);
            const bool had = fates != all.fates.end() &&
                             std::ranges::any_of(fates->second, [&](const FateRow& fate) {
                                 return fate.instance == id;
                             });
            if (!had)
                violation("I1: asleep beside its event: " + to_string(id) + " " + event.name +
                          (event.target ? " (targeted)" : " (broadcast)") +
                          (event.keep == Keep::yes ? " (kept)" : "") +
                          (event.expires_at ? " (expires)" : ""));
        }
    }
}

Result<std::unique_ptr<Writer>> NodeStore::open_writer() {
    return std::make_unique<NodeWriter>(database_);
}

template <class Read>
auto NodeStore::read(Read read) -> decltype(read()) {
    database_.call_begins();
    if (database_.faults().strikes(Fault::unavailable, database_.random(), 1))
        return fail(ErrorCode::unavailable, "the database is away");
    auto result = read();
    database_.scheduler().yield();
    database_.call_ends();
    return result;
}

Result<std::optional<FoundInstance>> NodeStore::find(const InstanceId& id, Depth depth) {
    return read([&] { return database_.store().find(id, depth); });
}
Result<InstancePage> NodeStore::search(const InstanceQuery& query) {
    return read([&] { return database_.store().search(query); });
}
Result<HistoryPage> NodeStore::history(const InstanceId& id, Version from, std::size_t limit) {
    return read([&] { return database_.store().history(id, from, limit); });
}
Result<ConflictPage> NodeStore::conflicts(const ConflictQuery& query) {
    return read([&] { return database_.store().conflicts(query); });
}
Result<std::vector<Checkpoint>> NodeStore::checkpoints(const InstanceId& id) {
    return read([&] { return database_.store().checkpoints(id); });
}
Result<std::shared_ptr<const Definition>> NodeStore::definition(const DefinitionRef& ref) {
    return read([&] { return database_.store().definition(ref); });
}
Result<KnownEvent> NodeStore::event(const EventId& id) {
    return read([&] { return database_.store().event(id); });
}
Result<PendingPage> NodeStore::pending_events(const EventQuery& query) {
    return read([&] { return database_.store().pending_events(query); });
}
Result<DeadPage> NodeStore::dead_events(const EventQuery& query) {
    return read([&] { return database_.store().dead_events(query); });
}
Result<std::optional<JournalEntry>> NodeStore::journal(const InstanceId& id, std::uint64_t index) {
    return read([&] { return database_.store().journal(id, index); });
}
Result<DueTimers> NodeStore::due_timers(std::size_t limit) {
    return read([&] { return database_.store().due_timers(limit); });
}
Result<std::vector<IndexState>> NodeStore::indexes() {
    return read([&] { return database_.store().indexes(); });
}
Result<void> NodeStore::build_indexes(std::stop_token stop) {
    return read([&] { return database_.store().build_indexes(stop); });
}
Result<void> NodeStore::ping() {
    return read([&] { return database_.store().ping(); });
}

}  // namespace holdfast::sim
