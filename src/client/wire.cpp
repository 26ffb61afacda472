#include "client/wire.h"

#include <boost/json.hpp>
#include <charconv>

#include "base/json/parse.h"

namespace holdfast::client {
namespace {

// A response may contain many states, each within the server's own limits.
constexpr json::Limits response_limits{.depth = 128, .nodes = 50'000'000};
constexpr std::string_view problem_types = "/problems/";

FailureKind kind_of(int status, std::string_view type) {
    if (type == "outcome-unknown") return FailureKind::outcome_unknown;
    switch (status) {
        case 401:
        case 403: return FailureKind::unauthorized;
        case 404: return FailureKind::not_found;
        case 409:
        case 412: return FailureKind::conflict;
        case 429: return FailureKind::overloaded;
        case 503: return FailureKind::unavailable;
        default: return status < 500 ? FailureKind::invalid : FailureKind::server_failed;
    }
}

FailureKind kind_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_argument: return FailureKind::invalid;
        case ErrorCode::unavailable: return FailureKind::unavailable;
        case ErrorCode::outcome_unknown: return FailureKind::outcome_unknown;
        default: return FailureKind::server_failed;
    }
}

std::string text_of(const boost::json::object& object, std::string_view name) {
    const Json* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::optional<std::chrono::seconds> retry_after(const http::Headers& headers) {
    const auto text = headers.find("Retry-After");
    if (!text) return std::nullopt;
    std::uint32_t seconds = 0;
    const char* end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, seconds);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return std::chrono::seconds(seconds);
}

std::string message_of(const boost::json::object& problem, int status) {
    for (const char* member : {"detail", "message", "title"})
        if (std::string text = text_of(problem, member); !text.empty()) return text;
    return "the server responded with status " + std::to_string(status);
}

}  // namespace

Failure failure_of(const http::Response& response) {
    Failure failure{.status = response.status};
    if (auto body = json::parse(response.body, response_limits); body && body->is_object())
        failure.problem = std::move(body->get_object());
    failure.type = text_of(failure.problem, "type");
    if (failure.type.starts_with(problem_types)) failure.type.erase(0, problem_types.size());
    failure.kind = kind_of(response.status, failure.type);
    failure.message = message_of(failure.problem, response.status);
    failure.retry_after = retry_after(response.headers);
    return failure;
}

Failure failure_of(const Error& error) {
    return {.kind = kind_of(error.code), .message = error.message};
}

Failure unexpected_answer(std::string message) {
    return {.kind = FailureKind::server_failed, .message = std::move(message)};
}

std::optional<Conflict> conflict_of(const Failure& failure) {
    if (failure.status != 409 || failure.type != "stale-version") return std::nullopt;
    const boost::json::object& problem = failure.problem;
    const Json* version = problem.if_contains("currentVersion");
    const Json* state = problem.if_contains("currentState");
    if (!version || !version->is_int64() || !state) return std::nullopt;
    const Json* metadata = problem.if_contains("currentStateMetadata");
    Conflict conflict{.current_version = static_cast<Version>(version->get_int64()),
                      .current_state = *state,
                      .current_state_metadata = metadata ? *metadata : Json(),
                      .resolution = text_of(problem, "resolution"),
                      .paths = {},
                      .message = text_of(problem, "message")};
    const Json* paths = problem.if_contains("paths");
    if (paths && paths->is_array())
        for (const Json& path : paths->get_array())
            if (path.is_string()) conflict.paths.emplace_back(path.get_string());
    return conflict;
}

Call get(std::string target) { return {.target = std::move(target)}; }

Call with_json(http::Method method, std::string target, const Json& body) {
    return {.method = method,
            .target = std::move(target),
            .content_type = "application/json",
            .body = boost::json::serialize(body)};
}

Client::Wire::Wire(const std::string& server_url, ClientOptions given)
    : options(std::move(given)),
      connection(http::ClientConnection::to(server_url, {.connect_time = options.connect_time,
                                                         .exchange_time = options.exchange_time,
                                                         .ca = options.ca,
                                                         .certificate = options.certificate,
                                                         .key = options.key})) {}

Answer<Reply> Client::Wire::send(Call call) {
    if (!connection) return std::unexpected(failure_of(connection.error()));
    call.headers.add("Accept", "application/json");
    if (!call.content_type.empty()) call.headers.add("Content-Type", call.content_type);
    if (!options.token.empty()) call.headers.add("Authorization", "Bearer " + options.token);
    if (!options.user_id.empty()) call.headers.add("X-User-Id", options.user_id);
    const auto response =
        connection->exchange(call.method, call.target, call.headers, call.body, call.repeat);
    if (!response) return std::unexpected(failure_of(response.error()));
    if (response->status >= 400) return std::unexpected(failure_of(*response));
    Reply reply{.status = response->status, .body = {}};
    if (response->body.empty()) return reply;
    auto body = json::parse(response->body, response_limits);
    if (!body || !body->is_object())
        return std::unexpected(
            unexpected_answer("the response is not a JSON object; is this a Holdfast server?"));
    reply.body = std::move(body->get_object());
    return reply;
}

}  // namespace holdfast::client
