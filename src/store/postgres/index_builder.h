// Builds the indexes that definitions declare, without blocking writers.
#pragma once

#include <stop_token>

#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// Returns when every declared path is ready, or between two indexes once `stop` asks. One node
// builds at a time; an index that a crash left half built is dropped and built again.
Result<void> build_declared_indexes(const Address& address, const std::stop_token& stop);

// The name of the index on a path; the path itself may be too long for one.
std::string index_name(const std::string& path);

}  // namespace holdfast::postgres
