#include "http/responses/problem.h"

#include "base/json/canonical.h"

namespace holdfast::http {
namespace {

struct Mapping {
    int status;
    const char* title;
    const char* retry_after;  // null: retrying does not help
};

Mapping mapping_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_argument: return {400, "Invalid argument", nullptr};
        case ErrorCode::malformed_json: return {400, "Malformed JSON", nullptr};
        case ErrorCode::unrepresentable:
            return {422, "Number cannot be represented exactly", nullptr};
        case ErrorCode::unsupported_media: return {415, "Unsupported media type", nullptr};
        case ErrorCode::not_found: return {404, "Not found", nullptr};
        case ErrorCode::conflict: return {409, "Conflict", nullptr};
        case ErrorCode::refused: return {422, "Refused by the store", nullptr};
        case ErrorCode::key_reused: return {422, "Idempotency-Key reused", nullptr};
        case ErrorCode::overloaded: return {429, "Overloaded", "1"};
        case ErrorCode::shutting_down: return {503, "Shutting down", "5"};
        case ErrorCode::unavailable: return {503, "Store unavailable", "1"};
        case ErrorCode::outcome_unknown: return {503, "Outcome unknown", "1"};
        case ErrorCode::corrupt: return {500, "Stored data is corrupt", nullptr};
        case ErrorCode::newer_schema: return {500, "Database has a newer schema", nullptr};
        case ErrorCode::in_use: return {500, "Database in use", nullptr};
        case ErrorCode::internal: return {500, "Internal error", nullptr};
    }
    return {500, "Internal error", nullptr};
}

std::string detail_of(const Error& error) {
    if (error.code != ErrorCode::outcome_unknown) return error.message;
    return error.message + (error.message.empty() ? "" : "; ") +
           "retry with the same Idempotency-Key to get the outcome";
}

Response typed_response(int status, std::string type, std::string body) {
    Response response{.status = status, .headers = {}, .body = std::move(body)};
    response.headers.add("Content-Type", std::move(type));
    return response;
}

}  // namespace

Response problem(int status, std::string_view slug, std::string_view title, std::string_view detail,
                 boost::json::object members) {
    boost::json::object document;
    document["type"] = "/problems/" + std::string(slug);
    document["status"] = status;
    document["title"] = title;
    document["detail"] = detail;
    for (auto& [name, value] : members) document.emplace(name, std::move(value));
    return typed_response(status, "application/problem+json", json::readable(document));
}

Response malformed(std::string_view detail) {
    return problem(400, "malformed-request", "Malformed request", detail);
}

Response problem(const Error& error) {
    const Mapping mapping = mapping_of(error.code);
    Response response = problem(mapping.status, name_of(error.code), mapping.title,
                                detail_of(error), error.context);
    if (mapping.retry_after) response.headers.add("Retry-After", mapping.retry_after);
    return response;
}

Response json_response(int status, const boost::json::value& value) {
    return json_response(status, json::readable(value));
}

Response json_response(int status, std::string body) {
    return typed_response(status, "application/json", std::move(body));
}

}  // namespace holdfast::http
