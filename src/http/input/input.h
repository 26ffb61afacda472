// Reads bodies, ids, names and headers of requests. Every error says what to send instead.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/id_source.h"
#include "base/result.h"
#include "http/wire/message.h"
#include "model/history.h"
#include "operations/refusals.h"

namespace holdfast::http {

// The media type without parameters, in lower case; empty: none.
std::string content_type(const Request& request);

enum class EmptyBody { refused, allowed };

// The JSON object of a body, whose content type the router has checked; an allowed empty body is
// {}. Members other than `known` are refused by name.
Result<boost::json::object> read_object(const Request& request,
                                        std::initializer_list<std::string_view> known,
                                        EmptyBody empty = EmptyBody::refused);

// Absent: the member is missing or null. invalid_argument: another type.
Result<std::optional<std::string>> read_text(const boost::json::object& object,
                                             std::string_view name);
// Text of one line for people: without control characters.
Result<std::optional<std::string>> read_line(const boost::json::object& object,
                                             std::string_view name);
Result<std::optional<bool>> read_flag(const boost::json::object& object, std::string_view name);
// A whole number from 0 to 2^53 - 1, which every JSON parser represents exactly.
Result<std::optional<std::uint64_t>> read_number(const boost::json::object& object,
                                                 std::string_view name);
// The same from the text of a path segment or a parameter.
Result<std::uint64_t> read_number(std::string_view text, std::string_view what);
// Any JSON value; null if the member is missing.
Document read_value(const boost::json::object& object, std::string_view name);
// A document member must be a JSON object.
Result<std::optional<Document>> read_document(const boost::json::object& object,
                                              std::string_view name);
// `businessReference: {key, parts}` or `businessKey`, not both.
Result<std::optional<BusinessReference>> read_business(const boost::json::object& object);

Result<InstanceId> read_instance_id(const Request& request);

// [A-Za-z0-9._-]{1,128}; `what` is the subject of the error message.
Result<std::string> read_name(std::string_view text, std::string_view what);
// The same, but for the keys of the engine's own definitions.
Result<std::string> read_own_key(std::string_view text, std::string_view what);

// 1 to 256 bytes of UTF-8 without control characters: the name of an event or of a step. Bodies and
// targets were checked for UTF-8 before.
Result<std::string> read_label(std::string_view text, std::string_view what);

struct TimeRange {
    std::chrono::microseconds least;
    std::chrono::microseconds most;
};
// More than 0, at most ten years.
constexpr TimeRange some_time{std::chrono::microseconds{1}, std::chrono::days{3'653}};
// How long a long poll may wait.
constexpr TimeRange poll_time{std::chrono::microseconds{0}, std::chrono::seconds{60}};
// `10s`, `24h`, `PT1H30M`.
Result<std::chrono::microseconds> read_duration(std::string_view text, std::string_view what,
                                                const TimeRange& range = some_time);

// A point in time as ISO 8601, in UTC.
Result<Moment> read_moment(std::string_view text, std::string_view what);

// invalid_argument with this message.
std::unexpected<Error> refuse(std::string message);

// The acting user (X-User-Id), the correlation id (X-Correlation-Id) and a fresh operation id.
Result<Cause> read_cause(const Request& request, IdSource& ids);

// Idempotency-Key with the digest of method, target and body. Absent: none was sent.
Result<std::optional<op::ClientKey>> read_client_key(const Request& request);

}  // namespace holdfast::http
