#include <algorithm>

#include "model/job.h"
#include "store/memory/prune.h"
#include "store/memory/signals.h"
#include "store/memory/store.h"

namespace holdfast::memory {
namespace {

template <class Map>
auto values_of(const Map& map) {
    std::vector<typename Map::mapped_type> values;
    for (const auto& [key, value] : map) values.push_back(value);
    return values;
}

}  // namespace

Result<std::vector<std::vector<JournalEntry>>> MemoryStore::answer(const ListJournals& query) {
    const std::lock_guard lock(mutex_);
    std::vector<std::vector<JournalEntry>> journals;
    for (const auto& [id, from, limit] : query.parts) {
        auto& entries = journals.emplace_back();
        for (auto step = tables_.steps.lower_bound({id, from});
             step != tables_.steps.end() && step->first.first == id && entries.size() < limit;
             ++step) {
            JournalEntry& entry = entries.emplace_back(step->second, std::nullopt);
            const auto winner = tables_.winners.find(step->first);
            if (winner != tables_.winners.end()) entry.winner = winner->second;
        }
    }
    return journals;
}

// Several nodes share these tables in a simulation, so a join ends only expired lives.
Result<void> MemoryStore::join(const Joining& joining) {
    const std::lock_guard lock(mutex_);
    const Moment now = tick();
    std::erase_if(tables_.nodes, [&](const auto& item) { return item.second.lease_until <= now; });
    tables_.nodes.insert_or_assign(
        joining.id, NodeRow{joining.id, joining.name, now, now, now + joining.lease, joining.kind,
                            joining.programs});
    return {};
}

Result<Beat> MemoryStore::beat(const NodeId& node, std::chrono::microseconds lease,
                               const std::vector<std::string>& programs) {
    const std::lock_guard lock(mutex_);
    Beat beat{.now = tick()};
    beat.alive = is_alive(tables_, node);
    if (!beat.alive) return beat;
    NodeRow& row = tables_.nodes.at(node);
    row.beat_at = beat.now;
    row.lease_until = beat.now + lease;
    beat.claimable_at = claimable_at(tables_, node, programs);
    beat.due_at = earliest_timer(tables_);
    for (const auto& [id, other] : tables_.nodes)
        if (id != node && other.kind == HolderKind::node && is_alive(tables_, id)) ++beat.others;
    return beat;
}

Result<void> MemoryStore::leave(const NodeId& node) {
    const std::lock_guard lock(mutex_);
    memory::leave(tables_, node);
    return {};
}

Result<std::vector<NodeRow>> MemoryStore::answer(const ListNodes&) {
    const std::lock_guard lock(mutex_);
    return values_of(tables_.nodes);
}

Result<std::optional<NodeRow>> MemoryStore::answer(const FindNode& query) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.nodes.find(query.id);
    if (found == tables_.nodes.end()) return std::nullopt;
    return found->second;
}

Result<Claimed> MemoryStore::claim(const Claim& claim) {
    const std::lock_guard lock(mutex_);
    tick();
    return memory::claim(tables_, claim);
}

Result<void> MemoryStore::give_back(const SignalId& signal, const Lease& lease,
                                    std::chrono::microseconds pause, GiveBack attempt) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.queue.find(signal);
    if (found == tables_.queue.end()) return {};
    SignalRow& row = found->second;
    if (row.leased_by != lease.node || row.epoch != lease.epoch) return {};
    row.leased_by.reset();
    row.visible_at = tick() + pause;
    if (attempt == GiveBack::was_not_begun) --row.attempts;
    return {};
}

Result<std::optional<DeadLetter>> MemoryStore::answer(const FindDeadLetter& query) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.dead_letters.find(query.id);
    if (found == tables_.dead_letters.end()) return std::nullopt;
    return found->second;
}

Result<DeadLetterPage> MemoryStore::answer(const DeadLetterQuery& query) {
    const std::lock_guard lock(mutex_);
    const auto& letters = tables_.dead_letters;
    DeadLetterPage page;
    for (auto at = query.after ? letters.upper_bound(*query.after) : letters.begin();
         at != letters.end(); ++at) {
        if (query.tenant && at->second.tenant != *query.tenant) continue;
        if (query.reason && at->second.reason != *query.reason) continue;
        if (query.instance && at->second.signal.instance != *query.instance) continue;
        if (page.items.size() == query.limit) {
            page.next = page.items.back().signal.id;
            break;
        }
        page.items.push_back(at->second);
    }
    return page;
}

Result<JobPage> MemoryStore::answer(const JobQuery& query) {
    const std::lock_guard lock(mutex_);
    JobPage page;
    for (const auto& [id, row] : tables_.queue) {
        const auto found = tables_.instances.find(row.instance);
        if (row.type != SignalType::job || found == tables_.instances.end()) continue;
        const Instance& instance = found->second.instance;
        if (query.after && id <= *query.after) continue;
        if (query.type && row.program != program_of_jobs(*query.type)) continue;
        if (query.definition && instance.definition.key != *query.definition) continue;
        if (query.instance && instance.id != *query.instance) continue;
        if (query.tenant && instance.tenant != *query.tenant) continue;
        if (page.items.size() == query.limit) {
            page.next = page.items.back().id;
            break;
        }
        page.items.push_back(row);
    }
    return page;
}

Result<IncidentPage> MemoryStore::answer(const IncidentQuery& query) {
    const std::lock_guard lock(mutex_);
    IncidentPage page;
    for (const auto& [id, row] : tables_.instances) {
        const Instance& instance = row.instance;
        if (!instance.incident || !is_open(instance.status)) continue;
        if (query.after && id <= *query.after) continue;
        if (query.code && instance.last_error != query.code) continue;
        if (query.definition && instance.definition.key != *query.definition) continue;
        if (query.instance && id != *query.instance) continue;
        if (query.tenant && instance.tenant != *query.tenant) continue;
        if (page.items.size() == query.limit) {
            page.next = page.items.back().instance;
            break;
        }
        page.items.push_back({id, instance.definition, instance.business.key, instance.last_error,
                              instance.updated_at});
    }
    return page;
}

// There are no other nodes.
Result<void> MemoryStore::announce(const Announcement&) { return {}; }

Result<void> MemoryStore::listen(const std::function<void()>& listening,
                                 const std::function<void(const Announcement&)>&, std::stop_token) {
    listening();
    return {};
}

Result<std::optional<HostLock>> MemoryStore::lock_host(const std::string& name,
                                                       const std::string& owner,
                                                       std::chrono::microseconds lease) {
    const std::lock_guard lock(mutex_);
    const Moment now = tick();
    HostLock& held = tables_.host_locks[name];
    const bool runs = held.term > 0 && held.until > now;
    if (runs && held.owner != owner) return std::nullopt;
    held = {name, owner, now + lease, runs ? held.term : held.term + 1};
    return held;
}

Result<std::vector<HostLock>> MemoryStore::answer(const ListHostLocks&) {
    const std::lock_guard lock(mutex_);
    return values_of(tables_.host_locks);
}

Result<StreamPage> MemoryStore::answer(const StreamQuery& query) {
    const std::lock_guard lock(mutex_);
    const auto& stream = tables_.stream;
    StreamPage page{.forgotten = tables_.forgotten};
    page.newest = page.reached = stream.empty() ? page.forgotten : stream.rbegin()->first;
    if (!query.after) return page;
    for (auto at = stream.upper_bound(*query.after); at != stream.end(); ++at) {
        if (page.rows.size() == query.limit) {
            page.reached = page.rows.back().position;
            break;
        }
        page.rows.push_back({at->first, at->second});
    }
    return page;
}

Result<std::optional<Moment>> MemoryStore::answer(const FindMark& query) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.marks.find(query.name);
    return found == tables_.marks.end() ? std::nullopt : std::optional(found->second);
}

Result<void> MemoryStore::set_mark(const std::string& name, Moment at) {
    const std::lock_guard lock(mutex_);
    tables_.marks[name] = at;
    return {};
}

Result<Moment> MemoryStore::answer(const FindTime&) {
    const std::lock_guard lock(mutex_);
    return tick();
}

Result<TrimmedHistories> MemoryStore::trim_histories(const TrimHistories& trim) {
    const std::lock_guard lock(mutex_);
    tick();
    if (!trim.dry_run) return memory::trim_histories(tables_, trim);
    Tables copy = tables_;
    return memory::trim_histories(copy, trim);
}

Result<StalePage> MemoryStore::answer(const FindStale& query) {
    const std::lock_guard lock(mutex_);
    return memory::find_stale(tables_, query);
}

Result<Backlog> MemoryStore::answer(const CountBacklog& query) {
    const std::lock_guard lock(mutex_);
    return backlog_of(tables_, query);
}

Result<StrandedPage> MemoryStore::answer(const FindStranded& query) {
    const std::lock_guard lock(mutex_);
    tick();
    return memory::find_stranded(tables_, query);
}

Result<Pruned> MemoryStore::prune(const Prune& prune) {
    const std::lock_guard lock(mutex_);
    tick();
    return memory::prune(tables_, prune);
}

// Versions of a key come in order, so the newest one overwrites the others.
Result<std::map<std::string, Retention>> MemoryStore::answer(const ListRetentions&) {
    const std::lock_guard lock(mutex_);
    std::map<std::string, Retention> retentions;
    for (const auto& [key, definition] : tables_.definitions)
        if (key.tenant == Caller{}.tenant)
            retentions.insert_or_assign(key.ref.key, definition->retention);
    std::erase_if(retentions, [](const auto& item) { return item.second == Retention{}; });
    return retentions;
}

// Versions of a key come in order here too.
Result<std::vector<DefinitionSummary>> MemoryStore::answer(const DefinitionQuery& query) {
    const std::lock_guard lock(mutex_);
    std::vector<DefinitionSummary> found;
    for (const auto& [key, definition] : tables_.definitions) {
        const DefinitionRef& ref = key.ref;
        if (key.tenant != query.tenant || ref.key <= query.after) continue;
        const bool same_key = !found.empty() && found.back().ref.key == ref.key;
        if (!same_key && found.size() == query.limit) break;
        if (!same_key) found.emplace_back();
        found.back() = {ref, definition->kind, definition->created_at, definition->disabled};
    }
    return found;
}

Result<std::vector<DefinitionSummary>> MemoryStore::answer(const VersionQuery& query) {
    const std::lock_guard lock(mutex_);
    std::vector<DefinitionSummary> found;
    for (const auto& [key, definition] : tables_.definitions) {
        const bool older = query.before == 0 || key.ref.version < query.before;
        if (key.tenant == query.tenant && key.ref.key == query.key && older)
            found.insert(found.begin(),
                         {key.ref, definition->kind, definition->created_at, definition->disabled});
    }
    if (found.size() > query.limit) found.resize(query.limit);
    return found;
}

}  // namespace holdfast::memory
