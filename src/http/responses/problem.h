// JSON responses: results as application/json, failures as RFC 9457 problem documents.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/wire/message.h"

namespace holdfast::http {

// `type` is "/problems/<slug>"; slugs are stable. `members` are added after the standard ones and
// never replace them.
Response problem(int status, std::string_view slug, std::string_view title, std::string_view detail,
                 boost::json::object members = {});

// A request that violates RFC 9112.
Response malformed(std::string_view detail);

// Maps an error to HTTP; its context becomes members of the problem.
Response problem(const Error& error);

Response json_response(int status, const boost::json::value& value);
// `body` is JSON already.
Response json_response(int status, std::string body);

}  // namespace holdfast::http
