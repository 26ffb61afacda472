// Just enough of PostgreSQL's protocol to see messages go by: where one ends, and which it is.
#pragma once

#include <optional>
#include <string_view>

namespace holdfast::testing::wire {

// The first message of a client has no type byte.
enum class Form { opening, typed };

// The first whole message of `bytes`; absent: it is not all there yet.
std::optional<std::string_view> first_message(std::string_view bytes, Form form);

// A wish for encryption, which comes before the opening and is answered with a single byte.
bool asks_for_encryption(std::string_view opening);

// Binds the prepared statement with which a round commits.
bool begins_commit(std::string_view message);
bool is_sync(std::string_view message);

bool is_commit_done(std::string_view answer);
bool is_ready(std::string_view answer);
bool is_notification(std::string_view answer);

}  // namespace holdfast::testing::wire
