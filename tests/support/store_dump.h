// The content of a store as text that is the same on every store: one line per row, sorted. Without
// rounds and revs, which depend on how operations were grouped into rounds.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/store.h"
#include "support/world.h"

namespace holdfast::testing {

using Dump = std::map<std::string, std::vector<std::string>>;  // rows by table

// Closes the store, because its tables are read directly. `ids` are the possible instance ids.
Dump dump(std::unique_ptr<Store> store, const StorePlace& place,
          const std::vector<InstanceId>& ids);

// The rows that only one of them has; empty: equal.
std::string difference(const Dump& a, const Dump& b);

}  // namespace holdfast::testing
