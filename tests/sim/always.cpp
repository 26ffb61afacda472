// Rules that hold in every committed state of a simulated database.
#include "sim/database.h"

namespace holdfast::sim {

void Database::check_always() {
    ++commits;
    check_instances();
    check_continuations();
    check_signals();
}

// No instance waits for something that is already there (I1).
void Database::check_instances() {
    const memory::Tables& all = tables();
    for (const auto& [id, row] : all.instances) {
        const Instance& instance = row.instance;
        if (!instance.waits.empty() && !is_open(instance.status))
            violation("an ended instance waits: " + to_string(id));
        if (takes_deliveries(instance) && all.winners.contains({id, instance.index}))
            violation("I6: suspended at an index that has a winner: " + to_string(id));
        for (const Waiting& waiting : registered_waits(instance)) check_wait(id, waiting.wait);
    }
}

void Database::check_wait(const InstanceId& id, const Wait& wait) {
    const memory::Tables& all = tables();
    for (const InstanceId& workflow : wait.workflows) {
        const auto awaited = all.instances.find(workflow);
        if (awaited != all.instances.end() && !is_open(awaited->second.instance.status))
            violation("001.14: waits for a workflow that has ended: " + to_string(id));
    }
    if (wait.since != Since::any) return;
    for (const auto& [event_id, event] : all.pending) {
        if (event.target && event.target != id) continue;
        if (std::ranges::find(wait.names, event.key()) == wait.names.end()) continue;
        if (is_expired(event, all.latest)) continue;
        const auto fates = all.fates.find(event_id);
        const bool had = fates != all.fates.end() &&
                         std::ranges::any_of(fates->second, [&](const FateRow& fate) {
                             return fate.instance == id;
                         });
        if (!had)
            violation("I1: suspended although its event is queued: " + to_string(id) + " " +
                      event.name + (event.target ? " (targeted)" : " (broadcast)") +
                      (event.keep == Keep::yes ? " (kept)" : "") +
                      (event.expires_at ? " (expires)" : ""));
    }
}

// One continuation for every running instance with a program, none for others (I47).
void Database::check_continuations() {
    const memory::Tables& all = tables();
    std::map<InstanceId, std::size_t> count;
    for (const auto& [id, row] : all.queue)
        if (row.type == SignalType::internal_continue) ++count[row.instance];
    for (const auto& [id, row] : all.instances) {
        const Instance& instance = row.instance;
        const bool runs = instance.run_by != RunBy::outside && !instance.buried &&
                          instance.status == Status::running;
        const auto found = count.find(id);
        const std::size_t has = found == count.end() ? 0 : found->second;
        if (has != (runs ? 1u : 0u))
            violation("I47: " + std::to_string(has) + " continuations of " + to_string(id) + " (" +
                      std::string(name_of(instance.status)) + ")");
        if (found != count.end()) count.erase(found);
    }
    for (const auto& [id, has] : count)
        violation("I47: a continuation without an instance: " + to_string(id));
}

// A signal is in one place, and a leased one has its attempt counted.
void Database::check_signals() {
    const memory::Tables& all = tables();
    for (const auto& [id, row] : all.queue) {
        if (all.schedule.contains(id) || all.dead_letters.contains(id))
            violation("I41: a signal is in two places: " + to_string(id));
        if (all.processed.contains({row.instance, id}))
            violation("I18: queued again after it was processed: " + to_string(id));
        if (row.leased_by && row.attempts == 0)
            violation("I42: leased before the attempt was counted: " + to_string(id));
    }
    for (const auto& [id, scheduled] : all.schedule)
        if (all.dead_letters.contains(id))
            violation("I41: a signal is in two places: " + to_string(id));
}

std::set<NodeId> Database::alive() const {
    const memory::Tables& all = store_->tables();
    std::set<NodeId> lives;
    for (const auto& [id, node] : all.nodes)
        if (node.lease_until > all.latest) lives.insert(id);
    return lives;
}

void Database::check_leases(const Changes& changes, const std::set<NodeId>& alive) {
    const memory::Tables& all = tables();
    for (const HistoryRow& row : *changes.history) {
        const auto acting = ledger_.acting.find(row.cause.operation);
        if (acting == ledger_.acting.end() || acting->second.instance != row.instance) continue;
        const Lease& lease = acting->second.lease;
        const auto continuation = all.continuations.find(row.instance);
        if (continuation == all.continuations.end()) {
            violation("I29: acted without a continuation: " + to_string(row.instance));
            continue;
        }
        const SignalRow& signal = all.queue.at(continuation->second);
        if (signal.leased_by != lease.node || signal.epoch != lease.epoch)
            violation("I29: acted under the lease of another node or epoch: " +
                      to_string(row.instance));
        if (!alive.contains(lease.node))
            violation("I29: acted under an expired lease: " + to_string(row.instance));
    }
}

}  // namespace holdfast::sim
