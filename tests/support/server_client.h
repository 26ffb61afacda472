// An HTTP client for tests: one connection, JSON in and out, any status is a result.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>

#include "http/wire/client_connection.h"
#include "model/instance.h"

namespace holdfast::testing {

struct ServerReply {
    int status = 0;
    boost::json::value body;

    // The last segment of a problem's type, such as "stale-version"; empty: not a problem.
    std::string problem() const;
};

struct StatePatch {
    std::string id;
    Version expected = 0;
    std::string body;
    std::string content_type = "application/merge-patch+json";
    std::string correlation = {};  // empty: none
};

struct StartRequest {
    std::string definition;
    boost::json::value state;
    std::string business_key = {};     // empty: none
    std::string idempotency_key = {};  // empty: none
};

// One thread at a time. Errors are those of http::ClientConnection::exchange: unavailable (nothing
// was done) or outcome_unknown (the response was lost).
class ServerClient {
public:
    explicit ServerClient(const std::string& url);

    Result<ServerReply> get(const std::string& target);
    Result<ServerReply> post(const std::string& target, const std::string& body);
    Result<ServerReply> put(const std::string& target, const std::string& body);
    Result<ServerReply> remove(const std::string& target);
    // A POST that names the version to change.
    Result<ServerReply> change(const std::string& target, const std::string& if_match,
                               const std::string& body);
    Result<ServerReply> define(const std::string& key, const std::string& body = "{}");
    Result<ServerReply> start(const StartRequest& request);
    Result<ServerReply> patch(const StatePatch& patch);

    // The same, but any other status than success throws std::runtime_error.
    boost::json::value must_get(const std::string& target);
    std::string must_start(const StartRequest& request);

    // The value of one sample in /metrics, such as `holdfast_conflicts_total{resolution="merged"}`.
    double metric(const std::string& sample);

private:
    Result<ServerReply> send(http::Method method, const std::string& target,
                             const http::Headers& headers, const std::string& body);

    http::ClientConnection connection_;
};

}  // namespace holdfast::testing
