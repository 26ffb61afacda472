// Claims signals of a SQLite file for its one node.
#pragma once

#include "store/nodes.h"
#include "store/sqlite/database.h"

namespace holdfast::sqlite {

Result<bool> is_joined(Database& database, const NodeId& node);
// Whether a claim would do anything. Reads only.
Result<bool> has_claimable(Database& database, const std::vector<std::string>& programs,
                           Moment now);
// When there will be something to claim, or to be moved. Absent: there is nothing.
Result<std::optional<Moment>> next_claimable(Database& database,
                                             const std::vector<std::string>& programs);
// Inside a transaction.
Result<Claimed> claim(Database& database, const Claim& claim, Moment now);

}  // namespace holdfast::sqlite
