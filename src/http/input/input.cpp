#include "http/input/input.h"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>

#include "base/json/parse.h"
#include "base/plain_name.h"
#include "base/printable.h"
#include "base/time/duration.h"
#include "http/input/trace_context.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t longest_business_text = 256;
constexpr std::size_t most_business_parts = 16;
constexpr std::size_t longest_label = 256;
constexpr std::uint64_t largest_number = (std::uint64_t{1} << 53) - 1;

bool is_visible(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

std::string listed(std::initializer_list<std::string_view> names) {
    std::string text;
    for (const std::string_view name : names)
        text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

// Absent: not sent. A repeated header is ambiguous and therefore refused.
Result<std::optional<std::string_view>> read_header(const Request& request, const char* name) {
    if (request.headers.count(name) > 1)
        return fail(ErrorCode::invalid_argument,
                    std::string(name) + " appears twice; send it once");
    return request.headers.find(name);
}

Result<void> check_business_text(std::string_view text, const std::string& member) {
    if (text.size() <= longest_business_text && !has_control(text)) return {};
    return refuse("'" + member +
                  "' must have at most 256 bytes of UTF-8 without control characters");
}

// `key_member` has the key.
Result<void> check_business(const BusinessReference& business, const char* key_member) {
    HF_CHECK(check_business_text(business.key, key_member));
    if (business.parts.size() > most_business_parts)
        return fail(ErrorCode::invalid_argument, "a business reference must have at most 16 parts");
    for (const auto& [name, value] : business.parts) {
        HF_CHECK(read_name(name, "the name of a business part"));
        HF_CHECK(check_business_text(value, "businessReference.parts." + name));
    }
    return {};
}

Result<BusinessReference> business_of(const bj::value& value) {
    const bj::object* object = value.if_object();
    if (!object)
        return fail(ErrorCode::invalid_argument,
                    "businessReference must be an object {key, parts}");
    BusinessReference business;
    HF_TRY(auto key, read_text(*object, "key"));
    business.key = key.value_or("");
    for (const auto& member : *object)
        if (member.key() != "key" && member.key() != "parts")
            return fail(ErrorCode::invalid_argument,
                        "businessReference takes only the members key and parts");
    const bj::value* parts = object->if_contains("parts");
    if (!parts || parts->is_null()) return business;
    if (!parts->is_object())
        return fail(ErrorCode::invalid_argument,
                    "businessReference.parts must be an object of strings");
    for (const auto& part : parts->as_object()) {
        if (!part.value().is_string())
            return fail(ErrorCode::invalid_argument,
                        "businessReference.parts must be an object of strings");
        business.parts.emplace(part.key(), part.value().as_string());
    }
    return business;
}

}  // namespace

std::string content_type(const Request& request) {
    const auto header = request.headers.find("Content-Type");
    if (!header) return {};
    std::string type(header->substr(0, header->find(';')));
    while (!type.empty() && type.back() == ' ') type.pop_back();
    std::ranges::transform(type, type.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return type;
}

Result<bj::object> read_object(const Request& request,
                               std::initializer_list<std::string_view> known, EmptyBody empty) {
    if (request.body.empty() && empty == EmptyBody::allowed) return bj::object{};
    HF_TRY(auto value, json::parse(request.body));
    if (!value.is_object())
        return fail(ErrorCode::invalid_argument, "the body must be a JSON object");
    for (const auto& member : value.as_object())
        if (std::ranges::find(known, std::string_view(member.key())) == known.end())
            return fail(ErrorCode::invalid_argument, "unknown member '" +
                                                         std::string(member.key()) +
                                                         "': this request takes " + listed(known));
    return std::move(value.as_object());
}

Result<std::optional<std::string>> read_text(const bj::object& object, std::string_view name) {
    const bj::value* member = object.if_contains(name);
    if (!member || member->is_null()) return std::nullopt;
    if (!member->is_string())
        return fail(ErrorCode::invalid_argument, "'" + std::string(name) + "' must be a string");
    return std::string(member->as_string());
}

Result<std::optional<std::string>> read_line(const bj::object& object, std::string_view name) {
    HF_TRY(auto text, read_text(object, name));
    if (text && has_control(*text))
        return refuse("'" + std::string(name) +
                      "' must be one line of text without control characters");
    return text;
}

Result<std::optional<bool>> read_flag(const bj::object& object, std::string_view name) {
    const bj::value* member = object.if_contains(name);
    if (!member || member->is_null()) return std::nullopt;
    if (!member->is_bool())
        return fail(ErrorCode::invalid_argument,
                    "'" + std::string(name) + "' must be true or false");
    return member->as_bool();
}

Result<std::optional<std::uint64_t>> read_number(const bj::object& object, std::string_view name) {
    const bj::value* member = object.if_contains(name);
    if (!member || member->is_null()) return std::nullopt;
    boost::system::error_code error;
    const auto number = member->to_number<std::uint64_t>(error);
    if (error || member->is_double() || number > largest_number)
        return fail(ErrorCode::invalid_argument,
                    "'" + std::string(name) + "' must be a whole number, 0 or more");
    return number;
}

Result<std::uint64_t> read_number(std::string_view text, std::string_view what) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc{} || stop != end || number > largest_number)
        return fail(ErrorCode::invalid_argument,
                    std::string(what) + " must be a whole number, 0 or more");
    return number;
}

Document read_value(const bj::object& object, std::string_view name) {
    const bj::value* member = object.if_contains(name);
    return Document::of(member ? *member : bj::value(nullptr));
}

Result<std::optional<Document>> read_document(const bj::object& object, std::string_view name) {
    const bj::value* member = object.if_contains(name);
    if (!member) return std::nullopt;
    if (!member->is_object())
        return fail(ErrorCode::invalid_argument,
                    "'" + std::string(name) + "' must be a JSON object");
    return Document::keeping(*member);
}

Result<std::optional<BusinessReference>> read_business(const bj::object& object) {
    const bj::value* reference = object.if_contains("businessReference");
    HF_TRY(auto key, read_text(object, "businessKey"));
    if (reference && key)
        return fail(ErrorCode::invalid_argument,
                    "send businessReference or businessKey, not both: a businessKey is a "
                    "businessReference without parts");
    BusinessReference business;
    if (key) business.key = *key;
    if (reference && !reference->is_null()) {
        HF_TRY(business, business_of(*reference));
    }
    if (!reference && !key) return std::nullopt;
    HF_CHECK(check_business(business, key ? "businessKey" : "businessReference.key"));
    return business;
}

Result<InstanceId> read_instance_id(const Request& request) {
    const auto id = parse_id<InstanceId>(request.param("id"));
    if (!id)
        return fail(ErrorCode::invalid_argument,
                    "a workflow id must be a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057");
    return *id;
}

Result<std::string> read_name(std::string_view text, std::string_view what) {
    if (!is_plain_name(text))
        return fail(ErrorCode::invalid_argument,
                    std::string(what) + " " + std::string(plain_name_rule));
    return std::string(text);
}

Result<std::string> read_own_key(std::string_view text, std::string_view what) {
    HF_TRY(auto key, read_name(text, what));
    if (is_engine_key(key))
        return fail(ErrorCode::invalid_argument,
                    std::string(what) +
                        " must not begin with 'holdfast.': those definitions belong to the engine");
    return key;
}

Result<std::string> read_label(std::string_view text, std::string_view what) {
    if (text.empty() || text.size() > longest_label || has_control(text))
        return fail(
            ErrorCode::invalid_argument,
            std::string(what) + " must have 1 to 256 bytes of UTF-8 without control characters");
    return std::string(text);
}

Result<std::chrono::microseconds> read_duration(std::string_view text, std::string_view what,
                                                const TimeRange& range) {
    const auto time = parse_duration(text);
    if (time && *time >= range.least && *time <= range.most) return *time;
    const std::string bounds =
        range.most == some_time.most
            ? "more than 0 and at most ten years"
            : "at most " + std::to_string(range.most / std::chrono::seconds{1}) + "s";
    return fail(ErrorCode::invalid_argument,
                std::string(what) + " must be a duration such as 10s, 24h or PT1H30M, " + bounds);
}

Result<Moment> read_moment(std::string_view text, std::string_view what) {
    const auto moment = parse_iso8601(text);
    if (!moment)
        return refuse(std::string(what) + " must be a UTC time such as 2026-01-28T10:00:00Z");
    return *moment;
}

std::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::invalid_argument, std::move(message));
}

namespace {

// Of later versions, which may have more.
constexpr std::size_t longest_traceparent = 128;

}  // namespace

Result<Cause> read_cause(const Request& request, IdSource& ids) {
    Cause cause{.operation = ids.next<OperationId>(), .caller = request.caller};
    HF_TRY(auto correlation, read_header(request, "X-Correlation-Id"));
    if (correlation) {
        if (correlation->size() > 128 || !is_visible(*correlation))
            return fail(ErrorCode::invalid_argument,
                        "X-Correlation-Id must have at most 128 visible ASCII characters");
        cause.correlation = *correlation;
        return cause;
    }
    // As the standard demands, one that is not well-formed is passed over.
    const auto trace = request.headers.find("traceparent");
    if (trace && request.headers.count("traceparent") == 1 &&
        trace->size() <= longest_traceparent && parse_traceparent(*trace))
        cause.correlation = *trace;
    return cause;
}

Result<std::optional<op::ClientKey>> read_client_key(const Request& request) {
    HF_TRY(auto key, read_header(request, "Idempotency-Key"));
    if (!key) return std::nullopt;
    if (key->empty() || key->size() > 255 || !is_visible(*key))
        return fail(ErrorCode::invalid_argument,
                    "Idempotency-Key must have 1 to 255 visible ASCII characters, for example a "
                    "UUID");
    std::string content(name_of(request.method));
    content += ' ' + request.target + '\n' + request.body;
    return op::ClientKey{std::string(*key), sha256(content)};
}

}  // namespace holdfast::http
