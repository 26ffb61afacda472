// Builds the indexes that definitions declare, without blocking writers.
#pragma once

#include <stop_token>

#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// Returns when every declared path is ready, or after the current index if `stop` is requested. One
// node builds at a time; an invalid index that a crash left is dropped and built again.
Result<void> build_declared_indexes(const Address& address, const std::stop_token& stop);

// The name of the index on a path: a hash, because a path may be too long for a name.
std::string index_name(const std::string& path);

}  // namespace holdfast::postgres
