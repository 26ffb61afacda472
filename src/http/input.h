// Reading requests: bodies, ids, names and headers, each with the error that says what to send
// instead.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id_source.h"
#include "base/result.h"
#include "coordinator/refusals.h"
#include "http/message.h"
#include "model/history.h"

namespace holdfast::http {

// The media type without parameters, in lower case; empty: none.
std::string content_type(const Request& request);

enum class EmptyBody { refused, allowed };

// The JSON object of an application/json body; an allowed empty body is {}. Members other than
// `known` are refused by name. The error code unsupported_media means 415.
Result<boost::json::object> read_object(const Request& request,
                                        std::initializer_list<std::string_view> known,
                                        EmptyBody empty = EmptyBody::refused);

// Absent: the member is missing or null. invalid_argument: another type.
Result<std::optional<std::string>> read_text(const boost::json::object& object,
                                             std::string_view name);
// A document member must be a JSON object.
Result<std::optional<Document>> read_document(const boost::json::object& object,
                                              std::string_view name);
// `businessReference: {key, parts}` or `businessKey`, not both.
Result<std::optional<BusinessReference>> read_business(const boost::json::object& object);

Result<InstanceId> read_instance_id(const Request& request);

// [A-Za-z0-9._-]{1,128}; `what` names it in the error.
Result<std::string> read_name(std::string_view text, std::string_view what);

// The acting user (X-User-Id), the correlation id (X-Correlation-Id) and a fresh operation id.
Result<Cause> read_cause(const Request& request, IdSource& ids);

// Idempotency-Key with the digest of method, target and body. Absent: none was sent.
Result<std::optional<op::ClientKey>> read_client_key(const Request& request);

// A query parameter between 1 and `most`; `standard` when it is missing.
Result<std::size_t> read_limit(const Request& request, std::size_t standard, std::size_t most);

// invalid_argument: a query parameter that the route does not know, or that stands twice.
Result<void> check_parameters(const Request& request,
                              std::initializer_list<std::string_view> known);

}  // namespace holdfast::http
