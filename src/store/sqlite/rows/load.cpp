#include "store/sqlite/rows/load.h"

#include "model/codec/snapshot.h"
#include "store/sqlite/rows/load_mail.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/signal_rows.h"
#include "store/sqlite/rows/task_rows.h"

namespace holdfast::sqlite {
namespace {

class InstanceLoading {
public:
    InstanceLoading(WriteSide& side, Moment now, Sequences& sequences)
        : side_(side), database_(*side.database), sequences_(sequences) {
        loaded_.now = now;
    }

    Result<void> instance(const InstanceId& id, const ReadSet::Need& need) {
        if (const Resident* known = side_.residents.find(id); known && need.depth <= known->depth) {
            sequences_.emplace(id, known->row);
            loaded_.instances.emplace(id, Loaded::Row{known->instance});
            return definition_version({known->instance.tenant, known->instance.definition});
        }
        auto stored = load_instance(database_, id, need.depth);
        if (!stored) return std::unexpected(stored.error());
        if (!*stored) return need.past == Past::looked_up ? lineage(id) : Result<void>{};
        // refused, not newer_schema: only the operations on this instance fail.
        if (auto known = check_snapshot_version((*stored)->snapshot_version); !known)
            return fail(ErrorCode::refused, to_string(id) + ": " + known.error().message);
        sequences_.emplace(id, (*stored)->seq);
        const auto [row, added] = loaded_.instances.emplace(id, std::move((*stored)->row));
        const Instance& instance = row->second.instance;
        return definition_version({instance.tenant, instance.definition});
    }

    Result<void> definition_version(TenantRef wanted) {
        auto known = side_.definitions.find(wanted);
        if (!known) {
            HF_TRY(known, load_definition(database_, wanted));
            if (!known) return {};
            side_.definitions.add(known);
        }
        loaded_.definitions.emplace(std::move(wanted), std::move(known));
        return {};
    }

    Result<void> newest_definition(const TenantKey& key) {
        TenantRef newest{key.tenant, {key.key, 0}};
        Digest checksum;
        HF_CHECK(for_each_row(database_["load_newest_version"].bind(key.tenant, key.key),
                              [&](Statement& row) {
                                  newest.ref.version = static_cast<std::uint32_t>(row.integer());
                                  checksum = row.digest();
                              }));
        if (newest.ref.version == 0) return {};
        auto known = side_.definitions.find(newest);
        if (!known || known->checksum != checksum) {
            HF_TRY(known, load_definition(database_, newest));
            side_.definitions.add(known);
        }
        loaded_.newest[key] = std::move(known);
        return {};
    }

    Result<void> state_at(const ReadSet::StateVersion& wanted) {
        return for_each_row(
            database_["load_states"].bind(wanted.first, wanted.second), [&](Statement& row) {
                if (row.is_null()) return;
                std::string state = row.text();
                if (row.is_null()) return;  // pruned: a guessed base could undo other changes
                std::string metadata = row.text();
                loaded_.states[wanted] = {Document::trusted(state, sha256(state)),
                                          Document::trusted(metadata, sha256(metadata))};
            });
    }

    Result<void> checkpoint(const ReadSet::CheckpointName& wanted) {
        return for_each_row(database_["load_checkpoints"].bind(wanted.first, wanted.second),
                            [&](Statement& row) {
                                loaded_.checkpoints[wanted] = read_checkpoint(row, wanted.first);
                            });
    }

    Result<void> answer(const TenantKey& key) {
        return for_each_row(database_["load_answers"].bind(key.tenant, key.key),
                            [&](Statement& row) {
                                KeyedOutcome answer{.key = key};
                                answer.request = row.digest();
                                answer.outcome = row.text();
                                answer.operation = row.id<OperationId>();
                                answer.at = row.moment();
                                loaded_.answers[key] = std::move(answer);
                            });
    }

    Result<void> mail(const ReadSet& reads) {
        return load_mail(side_, reads, loaded_, [this](const InstanceId& id) {
            return loaded_.instances.contains(id) ? Result<void>{} : instance(id, {});
        });
    }

    Result<void> signal(const SignalId& id) {
        if (const SignalRow* job = side_.residents.find_job(id)) {
            KnownSignal& known = loaded_.signals.signals[id];
            known.queued = *job;
            HF_TRY(known.lease_valid, is_alive(*job->leased_by));
            return {};
        }
        HF_TRY(loaded_.signals.signals[id], load_known_signal(database_, id, loaded_.now));
        return {};
    }

    Result<void> continuation(const InstanceId& id) {
        const Resident* known = side_.residents.find(id);
        if (!known || !known->continuation) {
            HF_TRY(loaded_.signals.continuations[id],
                   sqlite::load_continuation(database_, id, loaded_.now));
            return {};
        }
        KnownSignal& continuation = loaded_.signals.continuations[id] = *known->continuation;
        if (!continuation.queued || !continuation.queued->leased_by) return {};
        HF_TRY(continuation.lease_valid, is_alive(*continuation.queued->leased_by));
        return {};
    }

    Result<void> tasks(const ReadSet& reads) { return load_tasks(side_, reads, loaded_); }

    Loaded take() { return std::move(loaded_); }

private:
    // On this store leases do not expire.
    Result<bool> is_alive(const NodeId& node) {
        if (!side_.joined) {
            side_.joined.emplace();
            HF_CHECK(for_each_row(database_["load_joined"].bind(),
                                  [&](Statement& row) { side_.joined->insert(row.id<NodeId>()); }));
        }
        return side_.joined->contains(node);
    }

    Result<void> lineage(const InstanceId& id) {
        return for_each_row(database_["load_lineages"].bind(id), [&](Statement& row) {
            const auto version = static_cast<Version>(row.integer());
            const Digest hash = row.digest();
            loaded_.lineages[id] = {version, hash, row.text()};
        });
    }

    WriteSide& side_;
    Database& database_;
    Sequences& sequences_;
    Loaded loaded_;
};

template <class Range, class Visit>
Result<void> each(const Range& range, Visit visit) {
    for (const auto& item : range)
        if (auto done = visit(item); !done) return done;
    return {};
}

}  // namespace

Result<Loaded> load(WriteSide& side, const ReadSet& reads, Moment now, Sequences& sequences) {
    InstanceLoading loading(side, now, sequences);
    auto done = each(reads.instances(),
                     [&](const auto& item) { return loading.instance(item.first, item.second); });
    if (done)
        done = each(reads.definitions(),
                    [&](const auto& key) { return loading.newest_definition(key); });
    if (done)
        done = each(reads.definition_versions(),
                    [&](const auto& wanted) { return loading.definition_version(wanted); });
    if (done) done = each(reads.states(), [&](const auto& item) { return loading.state_at(item); });
    if (done)
        done =
            each(reads.checkpoints(), [&](const auto& item) { return loading.checkpoint(item); });
    if (done) done = each(reads.answers(), [&](const auto& key) { return loading.answer(key); });
    if (done) done = loading.mail(reads);
    if (done) done = each(reads.signals(), [&](const auto& id) { return loading.signal(id); });
    if (done)
        done =
            each(reads.continuations(), [&](const auto& id) { return loading.continuation(id); });
    if (done) done = loading.tasks(reads);
    if (!done) return std::unexpected(done.error());
    return loading.take();
}

}  // namespace holdfast::sqlite
