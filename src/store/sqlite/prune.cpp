#include "store/sqlite/prune.h"

#include <span>

#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/signal_rows.h"

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

    Result<bool> lock_held() {
        bool is_held = false;
        HF_CHECK(
            for_each_row(database_["read_host_lock"].bind(prune_.lock.name), [&](Statement& row) {
                const HostLock held = sqlite::read_host_lock(row);
                is_held = held.owner == prune_.lock.owner && held.term == prune_.lock.term &&
                          held.until > now_;
            }));
        return is_held;
    }

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
        // An ended instance has no rows in waits and completion_waits.
        for (const char* statement : {"delete_timers", "delete_steps", "delete_winners",
                                      "delete_checkpoints", "delete_documents"})
            HF_CHECK(run(statement, one.seq));
        for (const char* statement :
             {"delete_history_of", "delete_conflicts_of", "delete_processed_of", "delete_fates_of",
              "delete_dead_events_of", "delete_task_events"})
            HF_CHECK(run(statement, one.id));
        HF_CHECK(database_["release_operations"].bind(one.id, now_).run());
        return run("delete_instances", one.seq);  // cascades to the children
    }

    // The ids of expired events stay known (I3).
    Result<void> expire_events() {
        HF_CHECK(database_["expire_events"].bind(now_, std::uint64_t{prune_.limit}).run());
        return run("delete_expired", now_, std::uint64_t{prune_.limit});
    }

    // Rows that detect repeats are kept for at least a day.
    Result<void> erase_old() {
        const auto window =
            std::max<std::chrono::microseconds>(prune_.keep_for, std::chrono::hours(24));
        const std::uint64_t most = prune_.limit * 10;
        HF_CHECK(run("delete_old_rounds", now_ - window, most));
        HF_CHECK(run("delete_old_fates", now_ - window, most));
        return run("delete_old_operations", now_ - window, most);
    }

    std::size_t rows() const { return rows_; }
    void forget_rows() { rows_ = 0; }

private:
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
};

}  // namespace

Result<Pruned> prune(WriteSide& side, const Prune& prune, Moment now) {
    Pruning pruning(side, prune, now);
    Pruned pruned{.now = now};
    HF_TRY(pruned.lock_held, pruning.lock_held());
    if (!pruned.lock_held && !prune.dry_run) return pruned;
    HF_CHECK(pruning.expire_events());
    HF_TRY(const auto found, pruning.find(prune.skip + prune.limit));
    const std::size_t skipped = std::min(found.size(), prune.skip);
    if (skipped > 0) pruning.forget_rows();  // the first batch has counted them
    for (const Prunable& one : std::span(found).subspan(skipped)) HF_CHECK(pruning.erase(one));
    if (prune.skip == 0) HF_CHECK(pruning.erase_old());
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
