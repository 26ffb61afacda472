// Claims signals from a SQLite file for its only node and for workers outside.
#pragma once

#include "store/nodes.h"
#include "store/sqlite/database.h"

namespace holdfast::sqlite {

// Whether its lease is valid.
Result<bool> is_joined(Database& database, const NodeId& node, Moment now);
// A node is none.
Result<bool> is_worker(Database& database, const NodeId& id);
Result<StrandedPage> find_stranded(Database& database, const FindStranded& query, Moment now);
// Whether a claim would change anything. Read-only.
Result<bool> has_claimable(Database& database, const std::vector<std::string>& programs,
                           Moment now);
// When the next signal is claimable or due. Absent: there is none.
Result<std::optional<Moment>> next_claimable(Database& database,
                                             const std::vector<std::string>& programs);
// Call inside a transaction.
Result<Claimed> claim(Database& database, const Claim& claim, Moment now);

}  // namespace holdfast::sqlite
