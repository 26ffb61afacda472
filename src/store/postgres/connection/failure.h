// Why an exchange with PostgreSQL failed, classified by what the caller can do about it.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::postgres {

enum class FailureKind {
    moved,         // a guard failed: another transaction changed a row between load and write
    collided,      // a key exists: inserted meanwhile, which a retry sees, or it is refused again
    contended,     // a deadlock or a lock timeout; retry
    refused,       // a constraint, a size or an encoding: the same statement fails again
    unavailable,   // the server reported that it cannot do it now
    cancelled,     // took longer than allowed, or nobody waits for it any more
    lost,          // the connection was lost, or the call timed out
    unknown,       // the connection was lost during a COMMIT whose outcome nobody looks up
    unreplicated,  // committed on this server, but the wait for the standby was cancelled: do not
                   // acknowledge
    corrupt,       // stored rows that cannot be decoded
    broken,        // a bug: a statement that does not match the schema
};

struct Failure {
    FailureKind kind = FailureKind::broken;
    std::string sqlstate;  // empty: not reported by the server
    std::string message;
};

template <class T>
using Reply = std::expected<T, Failure>;

FailureKind classify(std::string_view sqlstate);

Error to_error(const Failure& failure);

// Whether a warning of COMMIT means that the wait for a synchronous standby was cancelled. Its
// SQLSTATE is generic (01000), so it is recognised by the server function that raised it.
bool means_unreplicated(std::string_view server_function);

}  // namespace holdfast::postgres
