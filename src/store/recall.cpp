#include "store/recall.h"

#include <algorithm>

namespace holdfast {
namespace {

// Each function is false if it needs something that is not known.
class Recalling {
public:
    Recalling(const ReadSet& reads, const Residents& residents, const DefinitionCache& definitions,
              Moment now)
        : reads_(reads), residents_(residents), definitions_(definitions) {
        recalled_.loaded.now = recalled_.expected.now = now;
    }

    bool all() {
        return !reads_anything_else() && instances() && newest_definitions() && channels() &&
               inboxes() && steps() && completions() && continuations() && jobs() && tasks();
    }
    Recalled take() {
        // Unknown ids, as far as is known: their keys show it.
        for (const EventId& id : reads_.events()) recalled_.loaded.mail.events[id];
        return std::move(recalled_);
    }

private:
    bool reads_anything_else() const {
        return !reads_.states().empty() || !reads_.checkpoints().empty() ||
               !reads_.releases().empty() || !reads_.receipts().empty() ||
               !reads_.values().empty() || !reads_.parents().empty() || !reads_.tasks().empty();
    }

    // Only what the round also reads as an instance is guarded by its rev.
    const Resident* known(const InstanceId& id) const {
        return reads_.instances().contains(id) ? residents_.find(id) : nullptr;
    }
    // Whether it has none of them; if that is not known, it is assumed and checked later.
    bool has_none(const InstanceId& id, bool Resident::* known_fact,
                  std::set<InstanceId>& assumed) const {
        const Resident* resident = known(id);
        if (!resident) return false;
        if (resident->*known_fact) return true;
        assumed.insert(id);
        return !resident->may_have_some;
    }

    // An id that is not known, and of which nothing else is read, is one that a start adds: its key
    // shows if it is there.
    bool instances() {
        for (const auto& [id, need] : reads_.instances()) {
            const Resident* resident = known(id);
            if (need.past == Past::looked_up) return false;
            if (need.depth > (resident ? resident->depth : Depth::row)) return false;
            if (!resident && reads_.definitions().empty()) return false;
            if (!resident) continue;
            if (!definition_of(resident->instance)) return false;
            recalled_.loaded.instances.emplace(id, Loaded::Row{resident->instance});
        }
        return true;
    }

    // Version 0 means that its key was not defined.
    bool definition_of(const Instance& instance) {
        TenantRef wanted{instance.tenant, instance.definition};
        if (wanted.ref.version == 0) return true;
        auto& loaded = recalled_.loaded.definitions;
        if (loaded.contains(wanted)) return true;
        auto found = definitions_.find(wanted);
        return found && loaded.emplace(std::move(wanted), std::move(found)).second;
    }

    bool newest_definitions() {
        for (const TenantKey& key : reads_.definitions()) {
            auto newest = definitions_.newest(key);
            if (!newest) return false;
            recalled_.expected.newest.emplace(key, newest->ref.version);
            recalled_.loaded.newest.emplace(key, std::move(newest));
        }
        return true;
    }

    // Most are. Who sends there looks for waits, which only the tables know.
    bool channels() {
        for (const auto& [key, channel] : reads_.channels()) {
            if (channel.exclusive() || channel.size) return false;
            recalled_.loaded.mail.broadcasts[key];
            recalled_.expected.quiet.insert(key);
        }
        return true;
    }

    bool inboxes() {
        LoadedMail& mail = recalled_.loaded.mail;
        std::set<InstanceId> ids = reads_.takers();
        for (const auto& [inbox, count] : reads_.inboxes()) mail.inboxes[inbox];
        for (const InstanceId& id : reads_.inbox_sizes()) mail.inbox_sizes[id];
        for (const InstanceId& id : reads_.ending_inboxes()) mail.ending_inboxes[id];
        ids.insert(reads_.inbox_sizes().begin(), reads_.inbox_sizes().end());
        ids.insert(reads_.ending_inboxes().begin(), reads_.ending_inboxes().end());
        return std::ranges::all_of(ids, [&](const InstanceId& id) {
            return has_none(id, &Resident::no_inbox, recalled_.expected.without_events);
        });
    }

    bool steps() {
        for (const auto& key : reads_.steps()) {
            const Resident* resident = known(key.first);
            if (!resident || !resident->knows_step(key.second)) return false;
            if (key.second >= resident->instance.index) continue;
            recalled_.loaded.steps.emplace(key, resident->newest->step);
            if (resident->newest->winner)
                recalled_.loaded.winners.emplace(key, *resident->newest->winner);
        }
        return true;
    }

    // Others may begin to wait for its end without touching its row, whatever is known.
    bool completions() {
        for (const InstanceId& id : reads_.completions()) recalled_.loaded.completions[id];
        recalled_.expected.unawaited = reads_.completions();
        return std::ranges::all_of(reads_.completions(), [&](const InstanceId& id) {
            return has_none(id, &Resident::no_waiters, recalled_.expected.unawaited);
        });
    }

    // Whether its node lives is checked later: an operation is not refused for that here.
    bool continuations() {
        for (const InstanceId& id : reads_.continuations()) {
            const Resident* resident = known(id);
            if (!resident || !resident->continuation) return false;
            KnownSignal& kept = recalled_.loaded.signals.continuations[id];
            kept = *resident->continuation;
            if (!kept.queued) continue;
            // Anybody may have claimed it meanwhile, which touches nothing that is compared.
            if (!kept.queued->leased_by) return false;
            expect_lease(kept);
        }
        return true;
    }

    // Signals of other types are never known.
    bool jobs() {
        for (const SignalId& id : reads_.signals()) {
            const SignalRow* row = residents_.find_job(id);
            if (!row || !known(row->instance)) return false;
            KnownSignal& kept = recalled_.loaded.signals.signals[id];
            kept.queued = *row;
            expect_lease(kept);
        }
        return true;
    }

    void expect_lease(KnownSignal& kept) {
        kept.lease_valid = true;
        const SignalRow& row = *kept.queued;
        const Lease lease{*row.leased_by, row.epoch};
        recalled_.expected.leases.emplace(row.id, Expected::Held{row.instance, lease, row.type});
    }

    bool tasks() {
        return std::ranges::all_of(reads_.open_tasks(), [&](const InstanceId& id) {
            return has_none(id, &Resident::no_tasks, recalled_.expected.without_tasks);
        });
    }

    const ReadSet& reads_;
    const Residents& residents_;
    const DefinitionCache& definitions_;
    Recalled recalled_;
};

}  // namespace

std::optional<Recalled> recall(const ReadSet& reads, const Residents& residents,
                               const DefinitionCache& definitions, Moment now) {
    Recalling recalling(reads, residents, definitions, now);
    if (!recalling.all()) return std::nullopt;
    return recalling.take();
}

bool is_guarded(const ReadSet& reads, const Changes& changes) {
    const auto id_of = [](const InstanceChange* change) -> const InstanceId& {
        return change->after ? change->after->id : change->before->id;
    };
    const auto written = [&](const InstanceId& id) {
        const auto found = std::ranges::lower_bound(changes.instances, id, {}, id_of);
        return found != changes.instances.end() && id_of(*found) == id && !(*found)->cleared;
    };
    const auto answered = [&](const TenantKey& key) {
        return std::ranges::any_of(changes.answers,
                                   [&](const KeyedOutcome* answer) { return answer->key == key; });
    };
    return std::ranges::all_of(reads.instances(),
                               [&](const auto& item) { return written(item.first); }) &&
           std::ranges::all_of(reads.answers(), answered) &&
           std::ranges::includes(changes.mail->accepted, reads.events()) &&
           changes.definitions->empty();
}

}  // namespace holdfast
