// Why an exchange with PostgreSQL failed, sorted by what the caller can do about it.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::postgres {

enum class FailureKind {
    moved,         // a guard tripped: somebody changed a row between load and write
    contended,     // a deadlock or a lock that did not come in time; run it again
    refused,       // a constraint, a size or an encoding: the same statement fails again
    unavailable,   // the server answered that it cannot now
    lost,          // the connection is gone, or its answer did not come in time
    unreplicated,  // committed here, but the wait for the standby was cancelled: not to be
                   // acknowledged
    corrupt,       // stored rows that cannot be understood
    broken,        // our own mistake: a statement that the schema does not know
};

struct Failure {
    FailureKind kind = FailureKind::broken;
    std::string sqlstate;  // empty: it did not come from the server
    std::string message;
};

template <class T>
using Reply = std::expected<T, Failure>;

// `constraint` is the one that a 23505 names, or empty.
FailureKind classify(std::string_view sqlstate, std::string_view constraint);

Error to_error(const Failure& failure);

// A warning that COMMIT sends when the wait for a synchronous standby was cancelled. A cancelled
// statement warns with a code that says nothing (01000), so the server's function that sent it has
// to tell.
bool means_unreplicated(std::string_view server_function);

}  // namespace holdfast::postgres
