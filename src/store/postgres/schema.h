// Migrates a database to the schema of this binary; advisory locks for maintenance.
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/result.h"
#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// Applies the pending migrations, each in its own transaction, under an advisory lock that excludes
// other nodes. newer_schema: a newer holdfast wrote this database; it is unchanged.
Result<void> migrate(const Address& address);
// The same, up to migration `last`.
Result<void> migrate_to(const Address& address, int last);

// Keys of advisory locks for maintenance that one node does at a time. Never change the numbers:
// all nodes must use the same.
enum class AdvisoryLock : std::int64_t {
    migrate = 0x686f6c64'00000001,
    build_indexes = 0x686f6c64'00000002
};

enum class LockOutcome { taken, stopped };

// Waits until no other session holds the lock; then held until the connection closes.
Reply<LockOutcome> take_advisory_lock(Connection& connection, AdvisoryLock lock,
                                      const std::stop_token& stop);

}  // namespace holdfast::postgres
