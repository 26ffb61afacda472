// Compares the answers that clients received with what is stored: nothing lost, nothing doubled, in
// order, every version accounted for (I1 to I6, I13, I15, I18 to I26, I33 to I35).
#pragma once

#include "sim/ledger.h"
#include "store/memory/tables.h"

namespace holdfast::sim {

// The violations as text; empty: none.
std::vector<std::string> judge(const Ledger& ledger, const memory::Tables& tables);

}  // namespace holdfast::sim
