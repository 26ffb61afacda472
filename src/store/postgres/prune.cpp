#include "store/postgres/prune.h"

#include <algorithm>

#include "store/postgres/connection/trip.h"
#include "store/processed_window.h"

namespace holdfast::postgres {
namespace {

constexpr std::uint64_t most_counted = 10'000;

class PruneBatch {
public:
    PruneBatch(Connection& connection, const Prune& prune)
        : connection_(connection), prune_(prune) {}

    Reply<Pruned> run() {
        auto done = remove();
        if (done) return pruned_;
        if (!connection_.is_lost() && !connection_.is_idle()) {
            connection_.queue("rollback_round");
            if (!connection_.exchange()) connection_.drop();
        }
        return std::unexpected(done.error());
    }

private:
    // The retention periods by definition, the default, and the shortest of all.
    Parameters windows(std::uint64_t most) const {
        std::chrono::microseconds shortest = prune_.keep_for;
        for (const auto& [key, time] : prune_.keep_for_by_definition)
            shortest = std::min(shortest, time);
        Parameters parameters;
        parameters.array(prune_.keep_for_by_definition,
                         [](const auto& item) -> const auto& { return item.first; });
        parameters.array(prune_.keep_for_by_definition,
                         [](const auto& item) { return std::int64_t{item.second.count()}; });
        parameters.add(std::int64_t{prune_.keep_for.count()});
        parameters.add(std::int64_t{shortest.count()}).add(most);
        return parameters;
    }
    std::uint64_t ledger_rows() const { return 10 * prune_.limit; }
    void add_lock(Parameters& parameters) const {
        parameters.add(prune_.lock.name).add(prune_.lock.owner).add(prune_.lock.term);
        parameters.add(prune_.dry_run);
    }

    void query_clock(Trip& trip) {
        trip.query_rows("read_clock", {}, [this](Row& row) { pruned_.now = row.moment(); });
    }
    void query_count(Trip& trip) {
        trip.query_rows("count_prunable", windows(prune_.skip + most_counted), [this](Row& row) {
            const auto left = static_cast<std::size_t>(row.int8());
            pruned_.eligible = left - std::min(left, prune_.skip);
        });
    }

    Reply<void> remove() {
        std::vector<InstanceId> locked;
        Trip first(connection_);
        first.query("begin_claim", {}, ignore);
        query_expiry(first);
        Parameters parameters = windows(prune_.limit);
        parameters.add(std::uint64_t{prune_.skip});
        first.query_rows("lock_prunable", parameters,
                         [&](Row& row) { locked.push_back(row.id<InstanceId>()); });
        if (auto done = first.run(); !done) return done;

        Trip second(connection_);
        query_removal(second, locked);
        if (prune_.skip == 0) query_ledgers(second);
        if (prune_.skip == 0) query_channels(second);
        if (prune_.skip == 0 && prune_.keep_cleared) query_cleared(second);
        if (prune_.skip == 0 && prune_.keep_conflicts) query_conflicts(second);
        query_count(second);
        query_clock(second);
        // A dry run deletes too, and is rolled back: its counts are those of the real one.
        second.query(prune_.dry_run ? "rollback_round" : "commit_claim", {}, ignore);
        return second.run();
    }

    void query_expiry(Trip& trip) {
        Parameters parameters;
        parameters.add(ledger_rows());
        add_lock(parameters);
        trip.query_rows("expire_events", parameters, [this](Row& row) {
            const std::uint64_t rows = row.int8();
            pruned_.rows += prune_.skip == 0 ? rows : 0;
            pruned_.more = pruned_.more || rows >= ledger_rows();
        });
    }

    void query_removal(Trip& trip, const std::vector<InstanceId>& locked) {
        Parameters parameters = windows(prune_.limit);
        parameters.array(locked);
        add_lock(parameters);
        trip.query_rows("prune_instances", parameters, [this](Row& row) {
            pruned_.lock_held = row.boolean();
            pruned_.instances = row.int8();
            pruned_.rows += row.int8();
        });
    }

    void query_ledgers(Trip& trip) {
        Parameters parameters;
        parameters.add(std::int64_t{prune_.keep_records.count()}).add(ledger_rows());
        add_lock(parameters);
        parameters.add(std::int64_t{processed_window(prune_).count()});
        trip.query_rows("prune_ledgers", parameters, [this](Row& row) {
            pruned_.rows += row.int8();
            pruned_.more = pruned_.more || row.int8() >= ledger_rows();
        });
        Parameters lives;
        lives.add(std::int64_t{prune_.keep_records.count()});
        add_lock(lives);
        trip.query_rows("prune_nodes", lives, [this](Row& row) { pruned_.rows += row.int8(); });
    }

    void query_channels(Trip& trip) {
        Parameters parameters;
        parameters.add(ledger_rows());
        add_lock(parameters);
        trip.query_rows("prune_channels", parameters, [this](Row& row) {
            const std::uint64_t rows = row.int8();
            pruned_.more = pruned_.more || rows >= ledger_rows();
        });
    }

    void query_cleared(Trip& trip) {
        Parameters parameters;
        parameters.add(std::int64_t{prune_.keep_cleared->count()});
        parameters.add(std::uint64_t{prune_.limit});
        add_lock(parameters);
        trip.query_rows("prune_cleared", parameters, [this](Row& row) {
            pruned_.rows += row.int8();
            pruned_.more = pruned_.more || row.int8() >= prune_.limit;
        });
    }

    void query_conflicts(Trip& trip) {
        Parameters parameters;
        parameters.add(std::int64_t{prune_.keep_conflicts->count()}).add(ledger_rows());
        add_lock(parameters);
        trip.query_rows("prune_conflicts", parameters, [this](Row& row) {
            const std::uint64_t rows = row.int8();
            pruned_.rows += rows;
            pruned_.more = pruned_.more || rows >= ledger_rows();
        });
    }

    Connection& connection_;
    const Prune& prune_;
    Pruned pruned_;
};

// A place between two pages is the last id.
InstanceId place_of(const std::string& after) {
    return parse_id<InstanceId>(after).value_or(InstanceId{});
}

}  // namespace

Reply<Pruned> prune(Connection& connection, const Prune& prune) {
    return PruneBatch(connection, prune).run();
}

Reply<TrimmedHistories> trim_histories(Connection& connection, const TrimHistories& trim) {
    Parameters parameters;
    parameters.add(place_of(trim.after)).add(std::uint64_t{trim.instances});
    parameters.add(least_history).add(std::uint64_t{trim.rows});
    parameters.add(std::int64_t{trim.keep_for.count()});
    parameters.add(trim.lock.name).add(trim.lock.owner).add(trim.lock.term);
    parameters.add(trim.dry_run);
    TrimmedHistories trimmed;
    Trip trip(connection);
    if (trim.dry_run) trip.query("begin_claim", {}, ignore);
    trip.query_rows("trim_histories", parameters, [&](Row& row) {
        trimmed.rows = row.int8();
        trimmed.more = row.int8() >= trim.rows;
        const bool full = row.int8() == trim.instances;
        const auto last = row.optional(&Row::id<InstanceId>);
        if (full && last) trimmed.next = to_string(*last);
        trimmed.lock_held = row.boolean();
    });
    if (trim.dry_run) trip.query("rollback_round", {}, ignore);
    if (auto done = trip.run(); !done) return std::unexpected(done.error());
    return trimmed;
}

Reply<StalePage> find_stale(Connection& connection, const FindStale& query) {
    Parameters parameters;
    parameters.add(place_of(query.after)).add(std::uint64_t{query.look_at});
    parameters.add(query.unchanged_since);
    StalePage page;
    Trip trip(connection);
    trip.query_rows("find_stale", parameters, [&](Row& row) {
        const auto id = row.id<InstanceId>();
        if (row.boolean()) page.candidates.push_back(id);
        if (row.int8() == query.look_at) page.next = to_string(id);
    });
    if (auto done = trip.run(); !done) return std::unexpected(done.error());
    return page;
}

}  // namespace holdfast::postgres
