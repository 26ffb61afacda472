// Failures as values: Result<T> holds a T or an Error with a closed code, a message and context.
#pragma once

#include <boost/json/object.hpp>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {

// Mapped once to HTTP (http/responses/problem.cpp) and once to exit codes (app/exit_code.cpp).
enum class ErrorCode {
    invalid_argument,   // bad input; the message says what to send instead
    malformed_json,     // not JSON, or JSON that the parser refuses (duplicate keys, NUL, depth)
    unrepresentable,    // a number that neither a 64-bit integer nor a double represents exactly
    unsupported_media,  // a media type that this request does not accept
    not_found,
    conflict,
    refused,     // the store refused this change (constraint, size, encoding)
    key_reused,  // an Idempotency-Key was reused for a different request
    overloaded,  // a bounded queue is full
    shutting_down,
    unavailable,      // the store cannot be reached; nothing was written
    outcome_unknown,  // the connection was lost during commit and the commit status is not known
    corrupt,          // stored bytes fail their checksum or cannot be decoded
    newer_schema,     // the database was written by a newer holdfast
    in_use,           // another process owns the SQLite file
    internal,
};

std::string_view name_of(ErrorCode code);

struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;
    boost::json::object context;  // machine-readable detail, copied into problem+json as members
};

template <class T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(ErrorCode code, std::string message,
                                                 boost::json::object context = {}) {
    return std::unexpected<Error>(Error{code, std::move(message), std::move(context)});
}

}  // namespace holdfast

// HF_TRY(auto id, read_id(text)): binds the value, or returns the error to the caller.
#define HF_TRY(declaration, expression) HF_TRY_AT(declaration, expression, __LINE__)
#define HF_TRY_AT(declaration, expression, line) HF_TRY_ON(declaration, expression, line)
#define HF_TRY_ON(declaration, expression, line) HF_TRY_AS(declaration, expression, tried_##line)
#define HF_TRY_AS(declaration, expression, tried)                 \
    auto tried = (expression);                                    \
    if (!tried) return std::unexpected(std::move(tried).error()); \
    declaration = *std::move(tried)
// HF_CHECK(write(...)): continues, or returns the error to the caller.
#define HF_CHECK(expression) \
    if (auto checked = (expression); !checked) return std::unexpected(std::move(checked).error())
