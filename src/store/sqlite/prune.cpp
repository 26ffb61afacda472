#include "store/sqlite/prune.h"

#include <span>

#include "store/processed_window.h"
#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/rows.h"
#include "store/tables/node_tables.h"

namespace holdfast::sqlite {
namespace {

constexpr std::size_t most_counted = 10'000;

struct Prunable {
    std::int64_t seq = 0;
    InstanceId id;
};

class Pruning {
public:
    Pruning(WriteSide& side, const Prune& prune, Moment now)
        : side_(side), database_(*side.database), prune_(prune), now_(now) {}

    // At most `most` instances that may be deleted, definition by definition.
    Result<std::vector<Prunable>> find(std::size_t most) {
        std::vector<std::string> keys;
        HF_CHECK(for_each_row(database_["read_ended_definitions"].bind(),
                              [&](Statement& row) { keys.push_back(row.text()); }));
        std::vector<Prunable> found;
        for (const std::string& key : keys) {
            if (found.size() == most) break;
            const auto special = prune_.keep_for_by_definition.find(key);
            const auto window =
                special == prune_.keep_for_by_definition.end() ? prune_.keep_for : special->second;
            HF_CHECK(for_each_row(database_["read_prunable"].bind(
                                      key, now_ - window, std::uint64_t{most - found.size()}),
                                  [&](Statement& row) {
                                      const std::int64_t seq = row.integer();
                                      found.push_back({seq, row.id<InstanceId>()});
                                  }));
        }
        return found;
    }

    Result<void> erase(const Prunable& one) {
        HF_TRY(const auto stored, load_instance(database_, one.id, Depth::document));
        if (!stored) return {};
        const Instance& instance = stored->row.instance;
        for (const auto& [path, value] : path_values(side_.index_paths, instance.state))
            HF_CHECK(run("delete_state_path", path, value, one.seq));
        for (const auto& [name, value] : instance.business.parts)
            HF_CHECK(run("delete_business_part", name, value, one.seq));
        // An ended instance has no rows in waits, completion_waits and timers.
        for (const char* statement : {"delete_parallel_waits_of", "delete_steps", "delete_winners",
                                      "delete_checkpoints", "delete_documents"})
            HF_CHECK(run(statement, one.seq));
        HF_CHECK(erase_traces(one.id));
        for (const char* statement : {"delete_processed_of", "delete_task_events"})
            HF_CHECK(run(statement, one.id));
        HF_CHECK(database_["release_operations"].bind(one.id, now_).run());
        return run("delete_instances", one.seq);  // cascades to the children
    }

    // The ids of expired events stay known (I3).
    Result<void> expire_events() {
        HF_CHECK(database_["expire_events"].bind(now_, std::uint64_t{prune_.limit}).run());
        return run_up_to("delete_expired", now_, prune_.limit);
    }

    // Rows that belong to no instance.
    Result<void> erase_old() {
        const Moment cutoff = now_ - prune_.keep_records;
        HF_CHECK(
            database_["forget_positions"].bind(cutoff, std::uint64_t{prune_.limit * 10}).run());
        HF_CHECK(run_up_to("delete_old_rounds", cutoff, prune_.limit * 10));
        HF_CHECK(run_up_to("delete_old_fates", cutoff, prune_.limit * 10));
        HF_CHECK(
            run_up_to("delete_old_processed", now_ - processed_window(prune_), prune_.limit * 10));
        HF_CHECK(run_up_to("delete_old_values", cutoff, prune_.limit));
        HF_CHECK(run_up_to("delete_old_nodes", cutoff, prune_.limit * 10));
        if (prune_.keep_conflicts)
            HF_CHECK(run_up_to("delete_old_conflicts", now_ - *prune_.keep_conflicts,
                               prune_.limit * 10));
        return run_up_to("delete_old_operations", cutoff, prune_.limit * 10);
    }

    Result<void> erase_cleared() {
        if (!prune_.keep_cleared) return {};
        std::vector<InstanceId> ids;
        HF_CHECK(for_each_row(database_["read_cleared"].bind(now_ - *prune_.keep_cleared,
                                                             std::uint64_t{prune_.limit}),
                              [&](Statement& row) { ids.push_back(row.id<InstanceId>()); }));
        more_ = more_ || ids.size() == prune_.limit;
        for (const InstanceId& id : ids) HF_CHECK(erase_traces(id));
        return {};
    }

    bool more() const { return more_; }

    std::size_t rows() const { return rows_; }
    void forget_rows() { rows_ = 0; }

private:
    // What outlives a clear.
    Result<void> erase_traces(const InstanceId& id) {
        for (const char* statement :
             {"delete_history_of", "delete_history_anchor_of", "delete_conflicts_of",
              "delete_fates_of", "delete_dead_events_of"})
            HF_CHECK(run(statement, id));
        return {};
    }

    Result<void> run_up_to(std::string_view statement, Moment cutoff, std::uint64_t most) {
        HF_CHECK(run(statement, cutoff, most));
        more_ = more_ || database_.changed() >= most;
        return {};
    }

    template <class... Values>
    Result<void> run(std::string_view statement, const Values&... values) {
        auto done = database_[statement].bind(values...).run();
        if (done) rows_ += database_.changed();
        return done;
    }

    WriteSide& side_;
    Database& database_;
    const Prune& prune_;
    Moment now_;
    std::size_t rows_ = 0;
    bool more_ = false;
};

}  // namespace

Result<bool> holds_lock(Database& database, const HostLock& lock, Moment now) {
    bool is_held = false;
    HF_CHECK(for_each_row(database["read_host_lock"].bind(lock.name), [&](Statement& row) {
        const HostLock held = read_row<tables::HostLocks>(row);
        is_held = held.owner == lock.owner && held.term == lock.term && held.until > now;
    }));
    return is_held;
}

Result<Pruned> prune(WriteSide& side, const Prune& prune, Moment now) {
    Pruning pruning(side, prune, now);
    Pruned pruned{.now = now};
    HF_TRY(pruned.lock_held, holds_lock(*side.database, prune.lock, now));
    if (!pruned.lock_held && !prune.dry_run) return pruned;
    HF_CHECK(pruning.expire_events());
    HF_TRY(const auto found, pruning.find(prune.skip + prune.limit));
    const std::size_t skipped = std::min(found.size(), prune.skip);
    if (skipped > 0) pruning.forget_rows();  // the first batch has counted them
    for (const Prunable& one : std::span(found).subspan(skipped)) HF_CHECK(pruning.erase(one));
    if (prune.skip == 0) {
        HF_CHECK(pruning.erase_cleared());
        HF_CHECK(pruning.erase_old());
    }
    pruned.more = pruning.more();
    pruned.instances = found.size() - skipped;
    pruned.rows = pruning.rows();
    // If the batch was not full, nothing is left.
    if (pruned.instances == prune.limit) {
        HF_TRY(const auto left, pruning.find(prune.skip + most_counted));
        pruned.eligible = left.size() - skipped;
    }
    return pruned;
}

}  // namespace holdfast::sqlite
