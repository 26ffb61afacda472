#include "store/memory/prune.h"

#include <algorithm>

#include "store/memory/signals.h"
#include "store/processed_window.h"

namespace holdfast::memory {
namespace {

bool has_signals(const Tables& tables, const InstanceId& id) {
    return std::ranges::any_of(tables.queue,
                               [&](const auto& item) { return item.second.instance == id; }) ||
           std::ranges::any_of(
               tables.schedule,
               [&](const auto& item) { return item.second.signal.instance == id; }) ||
           std::ranges::any_of(tables.dead_letters,
                               [&](const auto& item) { return item.second.signal.instance == id; });
}

// Whether another instance waits for its end, or its parent or a child is open.
bool is_referenced(const Tables& tables, const Instance& instance) {
    if (instance.parent) {
        const auto parent = tables.instances.find(*instance.parent);
        if (parent != tables.instances.end() && is_open(parent->second.instance.status))
            return true;
    }
    return std::ranges::any_of(tables.instances, [&](const auto& item) {
        const Instance& other = item.second.instance;
        if (other.parent == instance.id && is_open(other.status)) return true;
        // Also of one that is paused or quarantined, whose waits are not registered.
        return is_open(other.status) &&
               std::ranges::any_of(other.waits, [&](const Waiting& waiting) {
                   const auto& workflows = waiting.wait.workflows;
                   return std::ranges::find(workflows, instance.id) != workflows.end();
               });
    });
}

bool is_deletable(const Tables& tables, const Prune& prune, const Instance& instance) {
    if (is_open(instance.status) || !instance.completed_at) return false;
    const auto special = prune.keep_for_by_definition.find(instance.definition.key);
    const auto window =
        special == prune.keep_for_by_definition.end() ? prune.keep_for : special->second;
    if (*instance.completed_at > tables.latest - window) return false;
    const bool has_events = std::ranges::any_of(
        tables.pending, [&](const auto& item) { return item.second.target == instance.id; });
    const bool has_open_tasks = std::ranges::any_of(tables.tasks, [&](const auto& item) {
        return item.second.instance == instance.id && is_open(item.second.state);
    });
    return !has_events && !has_open_tasks && !has_signals(tables, instance.id) &&
           !is_referenced(tables, instance);
}

// The longest ended first.
std::vector<InstanceId> eligible(const Tables& tables, const Prune& prune) {
    std::vector<std::pair<Moment, InstanceId>> found;
    for (const auto& [id, row] : tables.instances)
        if (is_deletable(tables, prune, row.instance))
            found.emplace_back(*row.instance.completed_at, id);
    std::ranges::sort(found);
    std::vector<InstanceId> ids;
    for (const auto& [at, id] : found) ids.push_back(id);
    return ids;
}

std::size_t erase_instance(Tables& tables, const InstanceId& id) {
    const auto is_its = [&](const auto& item) { return item.first.first == id; };
    release_answers(tables, id);
    std::size_t rows = tables.instances.erase(id);
    rows += std::erase_if(tables.history, is_its);
    rows += tables.history_anchors.erase(id);
    rows += std::erase_if(tables.checkpoints, is_its);
    rows += std::erase_if(tables.steps, is_its);
    rows += std::erase_if(tables.winners, is_its);
    rows +=
        std::erase_if(tables.tasks, [&](const auto& item) { return item.second.instance == id; });
    rows += std::erase_if(tables.task_events,
                          [&](const auto& item) { return item.second.instance == id; });
    rows += std::erase_if(tables.conflicts,
                          [&](const auto& item) { return item.second.instance == id; });
    rows += std::erase_if(tables.dead,
                          [&](const auto& item) { return item.second.event.target == id; });
    for (auto at = tables.fates.begin(); at != tables.fates.end();) {
        rows += std::erase_if(at->second, [&](const FateRow& row) { return row.instance == id; });
        at = at->second.empty() ? tables.fates.erase(at) : std::next(at);
    }
    return rows + erase_signals_of(tables, id);
}

// The id of an expired event stays known (I3).
std::size_t expire_events(Tables& tables, std::size_t limit) {
    std::size_t rows = 0;
    for (auto at = tables.pending.begin(); at != tables.pending.end() && rows < limit;) {
        const Event& event = at->second;
        if (!is_expired(event, tables.latest)) {
            ++at;
            continue;
        }
        tables.fates[event.id].push_back({.event = event.id,
                                          .name = event.name,
                                          .fate = EventFate::expired,
                                          .at = tables.latest});
        at = tables.pending.erase(at);
        ++rows;
    }
    return rows;
}

// Stored outcomes of client keys whose instance is gone. Rounds have no time here; they go with the
// process.
std::size_t erase_old_answers(Tables& tables, const Prune& prune) {
    std::size_t rows = 0;
    for (auto at = tables.answers.begin(); at != tables.answers.end() && rows < prune.limit;) {
        const bool is_old =
            !at->second.instance && at->second.at <= tables.latest - prune.keep_records;
        at = is_old ? tables.answers.erase(at) : std::next(at);
        rows += is_old ? 1 : 0;
    }
    return rows;
}

// A prefix, so that what is left has no gap.
std::size_t erase_old_records(Tables& tables, const Prune& prune) {
    std::size_t rows = 0;
    auto& stream = tables.stream;
    while (!stream.empty() && stream.begin()->second.at <= tables.latest - prune.keep_records) {
        tables.forgotten = stream.begin()->first;
        stream.erase(stream.begin());
        ++rows;
    }
    return rows;
}

// Of events that reached no instance.
std::size_t erase_old_fates(Tables& tables, const Prune& prune) {
    std::size_t rows = 0;
    for (auto at = tables.fates.begin(); at != tables.fates.end() && rows < prune.limit;) {
        rows += std::erase_if(at->second, [&](const FateRow& row) {
            return !row.instance && row.at <= tables.latest - prune.keep_records;
        });
        at = at->second.empty() ? tables.fates.erase(at) : std::next(at);
    }
    return rows;
}

// Repeats of these are no longer recognised.
std::size_t erase_old_processed(Tables& tables, const Prune& prune) {
    return std::erase_if(tables.processed, [&](const auto& item) {
        return item.second <= tables.latest - processed_window(prune);
    });
}

// Values that nothing refers to. A signal refers to a value that is at most half an hour older.
std::size_t erase_old_values(Tables& tables, const Prune& prune) {
    Moment cutoff = tables.latest - prune.keep_records;
    const auto keep_for = [&](const SignalRow& signal) {
        if (signal.type == SignalType::external_signal)
            cutoff = std::min(cutoff, signal.enqueued_at - std::chrono::hours(1));
    };
    for (const auto& [id, signal] : tables.queue) keep_for(signal);
    for (const auto& [id, letter] : tables.dead_letters) keep_for(letter.signal);
    std::set<Digest> used;
    for (const auto& [key, step] : tables.steps)
        if (has_shared_value(step)) used.insert(step.value.checksum());
    for (const auto& [key, row] : tables.history)
        if (row.shared_value) used.insert(*row.shared_value);
    for (const auto& [id, event] : tables.pending)
        if (is_shared(event.value)) used.insert(event.value.checksum());
    for (const auto& [id, dead] : tables.dead)
        if (is_shared(dead.event.value)) used.insert(dead.event.value.checksum());
    return std::erase_if(tables.values, [&](const auto& item) {
        return item.second.at < cutoff && !used.contains(item.first);
    });
}

// Instances that were cleared long ago and not started again.
std::size_t erase_cleared(Tables& tables, const Prune& prune) {
    if (!prune.keep_cleared) return 0;
    std::vector<InstanceId> ids;
    for (const auto& [key, row] : tables.history)
        if (row.type == HistoryType::cleared && row.at <= tables.latest - *prune.keep_cleared &&
            !tables.instances.contains(row.instance) && ids.size() < prune.limit &&
            (ids.empty() || ids.back() != row.instance))
            ids.push_back(row.instance);
    std::size_t rows = 0;
    for (const InstanceId& id : ids) rows += erase_instance(tables, id);
    return rows;
}

std::size_t erase_old_nodes(Tables& tables, const Prune& prune) {
    return std::erase_if(tables.nodes, [&](const auto& item) {
        return item.second.lease_until < tables.latest - prune.keep_records;
    });
}

std::size_t erase_old_conflicts(Tables& tables, const Prune& prune) {
    if (!prune.keep_conflicts) return 0;
    std::size_t looked_at = 0;
    std::size_t rows = 0;
    for (auto at = tables.conflicts.begin();
         at != tables.conflicts.end() && looked_at < prune.limit * 10; ++looked_at) {
        const bool is_old = at->second.at <= tables.latest - *prune.keep_conflicts;
        at = is_old ? tables.conflicts.erase(at) : std::next(at);
        rows += is_old ? 1 : 0;
    }
    return rows;
}

constexpr std::size_t most_counted = 10'000;

void remove_batch(Tables& tables, const Prune& prune, Pruned& pruned) {
    const bool is_first = prune.skip == 0;
    const std::size_t expired = expire_events(tables, prune.limit);
    const auto ids = eligible(tables, prune);
    const std::size_t skipped = std::min(ids.size(), prune.skip);
    pruned.instances = std::min(ids.size() - skipped, prune.limit);
    pruned.eligible = std::min(ids.size() - skipped - pruned.instances, most_counted);
    for (std::size_t i = 0; i < pruned.instances; ++i)
        pruned.rows += erase_instance(tables, ids[skipped + i]);
    if (!is_first) return;
    const std::size_t answers = erase_old_answers(tables, prune);
    const std::size_t fates = erase_old_fates(tables, prune);
    const std::size_t conflicts = erase_old_conflicts(tables, prune);
    pruned.more =
        std::max({expired, answers, fates}) >= prune.limit || conflicts >= prune.limit * 10;
    pruned.rows += expired + answers + fates + conflicts + erase_old_nodes(tables, prune) +
                   erase_old_processed(tables, prune) + erase_cleared(tables, prune) +
                   erase_old_records(tables, prune) + erase_old_values(tables, prune);
}

}  // namespace

bool is_held(const Tables& tables, const HostLock& lock) {
    const auto found = tables.host_locks.find(lock.name);
    return found != tables.host_locks.end() && found->second.owner == lock.owner &&
           found->second.term == lock.term && found->second.until > tables.latest;
}

Pruned prune(Tables& tables, const Prune& prune) {
    Pruned pruned{.lock_held = is_held(tables, prune.lock), .now = tables.latest};
    if (prune.dry_run) {
        Tables copy = tables;
        remove_batch(copy, prune, pruned);
    } else if (pruned.lock_held) {
        remove_batch(tables, prune, pruned);
    }
    return pruned;
}

}  // namespace holdfast::memory
