// One client's connection: sends requests with its headers, converts responses to JSON or Failure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "holdfast/client.h"
#include "http/wire/client_connection.h"

namespace holdfast::client {

struct Call {
    http::Method method = http::Method::get;
    std::string target;
    std::string content_type;  // empty: no body
    std::string body;
    http::Headers headers;
    http::Repeat repeat = http::Repeat::if_safe;
};

struct Reply {
    int status = 200;
    boost::json::object body;  // empty if the response has none
};

// For a status of 400 and above.
Failure failure_of(const http::Response& response);
Failure failure_of(const Error& error);
Failure unexpected_answer(std::string message);
// Absent: the failure is not a stale version.
std::optional<Conflict> conflict_of(const Failure& failure);

struct Client::Wire {
    Wire(const std::string& server_url, ClientOptions options);

    // A response below 400, with a JSON object or an empty body.
    Answer<Reply> send(Call call);

    ClientOptions options;
    Result<http::ClientConnection> connection;
};

Call get(std::string target);
Call with_json(http::Method method, std::string target, const Json& body);

}  // namespace holdfast::client
