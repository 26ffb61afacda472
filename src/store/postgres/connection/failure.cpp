#include "store/postgres/connection/failure.h"

namespace holdfast::postgres {
namespace {

constexpr std::string_view division_by_zero = "22012";  // raised by the guards
constexpr std::string_view unique_violation = "23505";
constexpr std::string_view query_cancelled = "57014";  // also by statement_timeout
constexpr std::string_view read_only_transaction =
    "25006";  // a standby: another server is the primary now

ErrorCode code_of(FailureKind kind) {
    switch (kind) {
        case FailureKind::collided:
        case FailureKind::refused: return ErrorCode::refused;
        case FailureKind::corrupt: return ErrorCode::corrupt;
        case FailureKind::broken: return ErrorCode::internal;
        case FailureKind::moved:
        case FailureKind::contended:
        case FailureKind::unavailable:
        case FailureKind::cancelled:
        case FailureKind::lost: return ErrorCode::unavailable;
        case FailureKind::unknown:
        case FailureKind::unreplicated: return ErrorCode::outcome_unknown;
    }
    return ErrorCode::internal;
}

}  // namespace

FailureKind classify(std::string_view sqlstate) {
    if (sqlstate.empty() || sqlstate == read_only_transaction) return FailureKind::lost;
    if (sqlstate == division_by_zero) return FailureKind::moved;
    // A missing instance cannot be locked: another round may have started and cleared it meanwhile.
    if (sqlstate == unique_violation) return FailureKind::collided;
    if (sqlstate == "40001" || sqlstate == "40P01" || sqlstate == "55P03")
        return FailureKind::contended;
    if (sqlstate == query_cancelled) return FailureKind::cancelled;
    const std::string_view family = sqlstate.substr(0, 2);
    if (family == "22" || family == "23" || family == "54") return FailureKind::refused;
    if (family == "08") return FailureKind::lost;
    // A proxy reset the session, or gave another one: its prepared statements are gone.
    if (family == "26") return FailureKind::lost;
    if (family == "42" || family == "25") return FailureKind::broken;
    return FailureKind::unavailable;
}

Error to_error(const Failure& failure) {
    Error error{code_of(failure.kind), "PostgreSQL: " + failure.message, {}};
    if (!failure.sqlstate.empty()) error.context["sqlstate"] = failure.sqlstate;
    return error;
}

// The SQLSTATE is not enough: a server in immediate shutdown warns with the same one, and then it
// is not known whether the transaction committed.
bool means_unreplicated(std::string_view server_function) {
    return server_function == "SyncRepWaitForLSN";
}

}  // namespace holdfast::postgres
