#include "store/sqlite/claim.h"

#include <boost/json.hpp>

#include "store/sqlite/rows.h"
#include "store/sqlite/signal_rows.h"

namespace holdfast::sqlite {
namespace {

Result<bool> has_row(Statement& statement) {
    bool found = false;
    HF_CHECK(for_each_row(statement, [&](Statement&) { found = true; }));
    return found;
}

}  // namespace

std::string programs_text(const std::vector<std::string>& programs) {
    return boost::json::serialize(boost::json::array(programs.begin(), programs.end()));
}

Result<bool> is_joined(Database& database, const NodeId& node) {
    bool joined = false;
    HF_CHECK(for_each_row(database["read_nodes"].bind(),
                          [&](Statement& row) { joined |= read_node(row).id == node; }));
    return joined;
}

Result<bool> has_claimable(Database& database, const std::string& programs, Moment now) {
    HF_TRY(const bool due, has_row(database["has_due"].bind(now)));
    if (due) return true;
    return has_row(database["read_claimable"].bind(now, programs, 1));
}

Result<std::optional<Moment>> next_claimable(Database& database, const std::string& programs) {
    std::optional<Moment> next;
    HF_CHECK(for_each_row(database["read_next_claimable"].bind(programs), [&](Statement& row) {
        next = row.optional([](Statement& column) { return column.moment(); });
    }));
    return next;
}

Result<Claimed> claim(Database& database, const Claim& claim, Moment now) {
    Claimed claimed{.now = now};
    const std::string programs = programs_text(claim.programs);
    HF_CHECK(database["enqueue_due"].bind(now).run());
    HF_CHECK(database["delete_due"].bind(now).run());
    auto& signals = claimed.signals;
    HF_CHECK(
        for_each_row(database["read_claimable"].bind(now, programs, std::uint64_t{claim.limit + 1}),
                     [&](Statement& row) { signals.push_back(read_signal(row)); }));
    // One more than wanted: there is something left right now.
    if (signals.size() > claim.limit) {
        claimed.next = signals.back().visible_at;
        signals.pop_back();
    }
    for (SignalRow& row : signals) {
        HF_CHECK(database["lease_signal"].bind(row.id, claim.node).run());
        row.leased_by = claim.node;
        ++row.epoch;
        ++row.attempts;
    }
    if (!claimed.next) {
        HF_TRY(claimed.next, next_claimable(database, programs));
    }
    return claimed;
}

}  // namespace holdfast::sqlite
