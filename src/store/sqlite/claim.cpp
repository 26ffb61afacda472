#include "store/sqlite/claim.h"

#include <algorithm>
#include <tuple>

#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/signal_rows.h"

namespace holdfast::sqlite {
namespace {

Result<bool> has_row(Statement& statement) {
    bool found = false;
    HF_CHECK(for_each_row(statement, [&](Statement&) { found = true; }));
    return found;
}

// The values of the column `program` that the node can claim: null, and its own programs.
std::vector<std::optional<std::string>> claimable(const std::vector<std::string>& programs) {
    std::vector<std::optional<std::string>> values = {std::nullopt};
    values.insert(values.end(), programs.begin(), programs.end());
    return values;
}

bool is_older(const SignalRow& one, const SignalRow& other) {
    return std::tie(one.enqueued_at, one.id) < std::tie(other.enqueued_at, other.id);
}

struct Claimable {
    SignalRow row;
    bool sound = true;
};

// The oldest signals, at most one more than the limit.
Result<std::vector<Claimable>> read_claimable(Database& database, const Claim& claim, Moment now) {
    std::vector<Claimable> signals;
    const std::uint64_t most = claim.limit + 1;
    for (const auto& program : claimable(claim.programs)) {
        if (!program && claim.anyones == AnyonesSignals::left) continue;
        HF_CHECK(
            for_each_row(database["read_claimable"].bind(program, now, most), [&](Statement& row) {
                Claimable& found = signals.emplace_back();
                found.sound = read_claimed(row, found.row);
            }));
    }
    std::ranges::sort(signals, is_older, &Claimable::row);
    signals.resize(std::min<std::size_t>(signals.size(), most));
    return signals;
}

}  // namespace

Result<bool> is_joined(Database& database, const NodeId& node, Moment now) {
    return has_row(database["has_joined"].bind(node, now));
}

Result<bool> is_worker(Database& database, const NodeId& id) {
    return has_row(database["has_worker"].bind(id));
}

Result<StrandedPage> find_stranded(Database& database, const FindStranded& query, Moment now) {
    StrandedPage page{.now = now};
    std::size_t looked = 0;
    SignalId last;
    HF_CHECK(for_each_row(database["read_stranded"].bind(query.after.value_or(SignalId{}), now,
                                                         std::uint64_t{query.look_at}),
                          [&](Statement& row) {
                              ++looked;
                              Stranded one{.signal = row.id<SignalId>(),
                                           .instance = row.id<InstanceId>()};
                              one.program = row.text();
                              one.visible_at = row.moment();
                              one.incident = row.integer() != 0;
                              last = one.signal;
                              if (row.integer() != 0) page.items.push_back(std::move(one));
                          }));
    if (looked == query.look_at) page.next = last;
    return page;
}

Result<bool> has_claimable(Database& database, const std::vector<std::string>& programs,
                           Moment now) {
    HF_TRY(bool some, has_row(database["has_due"].bind(now)));
    if (!some) {
        HF_TRY(some, has_row(database["has_dead_workers"].bind(now)));
    }
    for (const auto& program : claimable(programs)) {
        if (some) break;
        HF_TRY(some, has_row(database["read_claimable"].bind(program, now, 1)));
    }
    return some;
}

Result<std::optional<Moment>> next_claimable(Database& database,
                                             const std::vector<std::string>& programs) {
    std::optional<Moment> next;
    const auto keep_earliest = [&](Statement& row) {
        const Moment at = row.moment();
        if (!next || at < *next) next = at;
    };
    for (const auto& program : claimable(programs))
        HF_CHECK(for_each_row(database["read_next_claimable"].bind(program), keep_earliest));
    HF_CHECK(for_each_row(database["read_next_due"].bind(), keep_earliest));
    return next;
}

Result<Claimed> claim(Database& database, const Claim& claim, Moment now) {
    // Freeing reads the whole queue.
    HF_TRY(const bool some_died, has_row(database["has_dead_workers"].bind(now)));
    if (some_died) {
        HF_CHECK(database["free_signals_of_dead"].bind(now).run());
        HF_CHECK(database["delete_dead_nodes"].bind(now).run());
    }
    HF_CHECK(database["enqueue_due"].bind(now, std::uint64_t{most_moved}).run());
    HF_CHECK(database["delete_due"].bind(now, std::uint64_t{most_moved}).run());
    HF_TRY(auto signals, read_claimable(database, claim, now));
    Claimed claimed{.now = now};
    // One more than the limit: another signal is claimable now.
    if (signals.size() > claim.limit) {
        claimed.next = signals.back().row.visible_at;
        signals.pop_back();
    }
    for (auto& [row, sound] : signals) {
        HF_CHECK(database["lease_signal"].bind(row.id, claim.node).run());
        row.leased_by = claim.node;
        ++row.epoch;
        ++row.attempts;
        if (sound)
            claimed.signals.push_back(std::move(row));
        else
            claimed.corrupt.push_back(row.id);
    }
    if (!claimed.next) {
        HF_TRY(claimed.next, next_claimable(database, claim.programs));
    }
    return claimed;
}

}  // namespace holdfast::sqlite
