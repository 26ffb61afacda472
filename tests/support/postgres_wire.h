// Just enough of PostgreSQL's protocol to split messages and recognise their types.
#pragma once

#include <optional>
#include <string_view>

namespace holdfast::testing::wire {

// The first message of a client has no type byte.
enum class Form { opening, typed };

// The first message in `bytes`; absent: it is incomplete.
std::optional<std::string_view> first_message(std::string_view bytes, Form form);

// An SSLRequest or GSSENCRequest, which precedes the startup message and is answered with one byte.
bool is_encryption_request(std::string_view opening);

// Binds the prepared statement of that name, which commits.
bool begins_commit(std::string_view message, std::string_view statement);
bool is_sync(std::string_view message);

bool is_commit_done(std::string_view answer);
bool is_ready(std::string_view answer);
bool is_notification(std::string_view answer);

}  // namespace holdfast::testing::wire
