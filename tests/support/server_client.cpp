#include "support/server_client.h"

#include <boost/json.hpp>
#include <stdexcept>

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

http::ClientConnection connection_to(const std::string& url) {
    auto connection = http::ClientConnection::to(url);
    if (!connection) throw std::runtime_error(connection.error().message);
    return *std::move(connection);
}

const ServerReply& expect(const Result<ServerReply>& reply, int status, const std::string& what) {
    if (!reply) throw std::runtime_error(what + ": " + reply.error().message);
    if (reply->status != status)
        throw std::runtime_error(what + ": " + std::to_string(reply->status) + " " +
                                 bj::serialize(reply->body));
    return *reply;
}

http::Headers typed(const std::string& content_type) {
    http::Headers headers;
    headers.add("Content-Type", content_type);
    return headers;
}

}  // namespace

std::string ServerReply::problem() const {
    const bj::object* object = body.if_object();
    const bj::value* type = object ? object->if_contains("type") : nullptr;
    if (status < 400 || !type || !type->is_string()) return {};
    const std::string text(type->as_string());
    return text.substr(text.rfind('/') + 1);
}

ServerClient::ServerClient(const std::string& url) : connection_(connection_to(url)) {}

Result<ServerReply> ServerClient::send(http::Method method, const std::string& target,
                                       const http::Headers& headers, const std::string& body) {
    HF_TRY(auto response, connection_.exchange(method, target, headers, body));
    const auto type = response.headers.find("Content-Type");
    const bool is_json = type && type->contains("json");
    return ServerReply{response.status,
                       is_json ? bj::parse(response.body) : bj::value(bj::string(response.body))};
}

Result<ServerReply> ServerClient::get(const std::string& target) {
    return send(http::Method::get, target, {}, {});
}

Result<ServerReply> ServerClient::post(const std::string& target, const std::string& body) {
    return send(http::Method::post, target, typed("application/json"), body);
}

Result<ServerReply> ServerClient::change(const std::string& target, const std::string& if_match,
                                         const std::string& body) {
    http::Headers headers = typed("application/json");
    headers.add("If-Match", if_match);
    return send(http::Method::post, target, headers, body);
}

Result<ServerReply> ServerClient::put(const std::string& target, const std::string& body) {
    return send(http::Method::put, target, typed("application/json"), body);
}

Result<ServerReply> ServerClient::remove(const std::string& target) {
    return send(http::Method::del, target, {}, "");
}

Result<ServerReply> ServerClient::define(const std::string& key, const std::string& body) {
    return put("/api/v1/definitions/" + key, body);
}

Result<ServerReply> ServerClient::start(const StartRequest& request) {
    bj::object body{{"definition", request.definition}, {"state", request.state}};
    if (!request.business_key.empty()) body["businessKey"] = request.business_key;
    http::Headers headers = typed("application/json");
    if (!request.idempotency_key.empty()) headers.add("Idempotency-Key", request.idempotency_key);
    return send(http::Method::post, "/api/v1/workflows", headers, bj::serialize(body));
}

Result<ServerReply> ServerClient::patch(const StatePatch& patch) {
    http::Headers headers = typed(patch.content_type);
    headers.add("If-Match", "\"" + std::to_string(patch.expected) + "\"");
    if (!patch.correlation.empty()) headers.add("X-Correlation-Id", patch.correlation);
    return send(http::Method::patch, "/api/v1/workflows/" + patch.id + "/state", headers,
                patch.body);
}

bj::value ServerClient::must_get(const std::string& target) {
    return expect(get(target), 200, "GET " + target).body;
}

std::string ServerClient::must_start(const StartRequest& request) {
    const auto reply = start(request);
    return std::string(expect(reply, 201, "start " + request.definition).body.at("id").as_string());
}

double ServerClient::metric(const std::string& sample) {
    const bj::value body = must_get("/metrics");
    const std::string text = "\n" + std::string(body.as_string());
    const std::size_t at = text.find("\n" + sample + " ");
    if (at == std::string::npos) throw std::runtime_error("no metric " + sample);
    return std::stod(text.substr(at + sample.size() + 2));
}

}  // namespace holdfast::testing
