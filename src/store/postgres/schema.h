// Brings a database to the schema of this binary, and holds the locks that maintenance works under.
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/result.h"
#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// Applies every migration that the database has not seen, each in its own transaction, under a lock
// that keeps other nodes out. newer_schema: a newer holdfast wrote this database; nothing is
// touched.
Result<void> migrate(const Address& address);
// The same, but not beyond migration `last`.
Result<void> migrate_to(const Address& address, int last);

// Work that only one node does at a time. The numbers are held in the database: they never change.
enum class Chore : std::int64_t {
    migrate = 0x686f6c64'00000001,
    build_indexes = 0x686f6c64'00000002
};

enum class Turn { ours, stopped };

// Waits until no other session does this chore; it is ours until the connection closes.
Reply<Turn> take_turn(Connection& connection, Chore chore, const std::stop_token& stop);

}  // namespace holdfast::postgres
