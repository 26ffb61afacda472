// Everything that a store holds, as text that is the same on every store: one line for each row,
// sorted. Left out are the rounds and the revs, which depend on how operations were folded.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/store.h"
#include "support/world.h"

namespace holdfast::testing {

using Dump = std::map<std::string, std::vector<std::string>>;  // rows by table

// Closes the store, as its tables are read behind its back. `ids` are those an instance may have.
Dump dump(std::unique_ptr<Store> store, const StorePlace& place,
          const std::vector<InstanceId>& ids);

// The rows that only one of them has; empty: they are equal.
std::string difference(const Dump& a, const Dump& b);

}  // namespace holdfast::testing
