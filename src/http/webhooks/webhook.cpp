#include "http/webhooks/webhook.h"

#include <algorithm>
#include <boost/json.hpp>

#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

std::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::invalid_argument, std::move(message));
}

std::string text_in(const bj::object& object, std::string_view name) {
    const bj::value* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : "";
}

std::uint64_t number_in(const bj::object& object, std::string_view name) {
    const bj::value* value = object.if_contains(name);
    boost::system::error_code error;
    const auto number = value ? value->to_number<std::uint64_t>(error) : 0;
    return error ? 0 : number;
}

Result<StreamFilter> filter_from(const bj::object& state) {
    StreamFilter filter;
    for (const auto& [name, place] :
         {std::pair{"definition", &filter.definition}, {"businessKey", &filter.business_key}})
        if (auto text = text_in(state, name); !text.empty()) *place = std::move(text);
    if (const auto text = text_in(state, "workflow"); !text.empty()) {
        filter.workflow = parse_id<InstanceId>(text);
        if (!filter.workflow) return refuse("'workflow' must be a workflow id (a UUID)");
    }
    const bj::value* kinds = state.if_contains("kinds");
    if (!kinds || kinds->is_null()) return filter;
    if (!kinds->is_array()) return refuse("'kinds' must be a list");
    for (const bj::value& one : kinds->get_array()) {
        const auto kind = one.is_string() ? parse_record_kind(one.get_string()) : std::nullopt;
        if (!kind)
            return refuse("'kinds' has workflow, incident, task, deadLetter and deadEvent only");
        filter.kinds.push_back(*kind);
    }
    return filter;
}

RefusedRecord refused_from(const bj::object& object) {
    RefusedRecord refused{.position = text_in(object, "position"),
                          .record = {},
                          .why = text_in(object, "why"),
                          .at = text_in(object, "at"),
                          .again = object.contains("again")};
    if (const bj::value* record = object.if_contains("record"); record && record->is_object())
        refused.record = record->get_object();
    return refused;
}

bj::object refused_json(const RefusedRecord& refused) {
    bj::object object{{"position", refused.position},
                      {"record", refused.record},
                      {"why", refused.why},
                      {"at", refused.at}};
    if (refused.again) object["again"] = true;
    return object;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), to_lower);
    return lower;
}

bj::value text_or_null(const std::string& text) {
    return text.empty() ? bj::value(nullptr) : bj::value(text);
}

}  // namespace

bool is_host_name(std::string_view text) {
    return !text.empty() && text.size() <= 253 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
    });
}

std::string WebhookUrl::host_header() const {
    const std::string name = host.contains(':') ? "[" + host + "]" : host;
    return port == "80" ? name : name + ":" + port;
}

Result<WebhookUrl> parse_webhook_url(std::string_view url) {
    constexpr std::string_view scheme = "http://";
    if (lower_case(url.substr(0, 8)) == "https://")
        return refuse(
            "'url' cannot be https: webhooks do not speak TLS yet; let a proxy near the server "
            "speak TLS to the receiver");
    if (url.size() > 2'000 || lower_case(url.substr(0, scheme.size())) != scheme)
        return refuse("'url' must be http://host[:port]/path, at most 2,000 characters");
    for (const char c : url)
        if (c <= ' ' || c == '#' || c == '@' || c == '\\' || static_cast<unsigned char>(c) >= 0x7f)
            return refuse("'url' must have no user, fragment, spaces or characters beyond ASCII");
    std::string_view rest = url.substr(scheme.size());
    const std::size_t slash = std::min(rest.find_first_of("/?"), rest.size());
    WebhookUrl parsed{.host = {}, .port = "80", .target = std::string(rest.substr(slash))};
    if (!parsed.target.starts_with('/')) parsed.target.insert(0, "/");
    std::string_view host = rest.substr(0, slash);
    const std::size_t bracket = host.find(']');
    const std::size_t colon = host.rfind(':');
    if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
        parsed.port = std::string(host.substr(colon + 1));
        host = host.substr(0, colon);
        const bool is_number =
            !parsed.port.empty() && parsed.port.size() <= 5 &&
            std::ranges::all_of(parsed.port, [](char c) { return c >= '0' && c <= '9'; });
        if (!is_number || std::stoul(parsed.port) == 0 || std::stoul(parsed.port) > 65'535)
            return refuse("the port of 'url' must be a number from 1 to 65535");
    }
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    parsed.host = lower_case(host);
    if (!is_host_name(parsed.host)) return refuse("'url' has no proper host name");
    return parsed;
}

Result<Webhook> webhook_from(const bj::value& state) {
    if (!state.is_object()) return refuse("a webhook is an object");
    const bj::object& object = state.get_object();
    Webhook webhook{.url = text_in(object, "url")};
    HF_TRY(const auto url, parse_webhook_url(webhook.url));
    (void)url;
    HF_TRY(webhook.filter, filter_from(object));
    const auto position = parse_stream_position(text_in(object, "delivered"));
    if (!position) return refuse("'delivered' must be a position of the stream");
    webhook.delivered = *position;
    webhook.count = number_in(object, "count");
    webhook.failures = number_in(object, "failures");
    webhook.failure = text_in(object, "failure");
    webhook.failed_at = text_in(object, "failedAt");
    webhook.gaps = number_in(object, "gaps");
    const bj::value* refused = object.if_contains("refused");
    for (const bj::value& one : refused && refused->is_array() ? refused->get_array() : bj::array{})
        if (one.is_object()) webhook.refused.push_back(refused_from(one.get_object()));
    return webhook;
}

bj::object webhook_state(const Webhook& webhook) {
    const StreamFilter& filter = webhook.filter;
    bj::array kinds;
    for (const RecordKind kind : filter.kinds) kinds.emplace_back(name_of(kind));
    bj::array refused;
    for (const RefusedRecord& one : webhook.refused) refused.push_back(refused_json(one));
    bj::object object{{"url", webhook.url},
                      {"definition", text_or_null(filter.definition.value_or(""))},
                      {"businessKey", text_or_null(filter.business_key.value_or(""))},
                      {"workflow", nullptr},
                      {"kinds", std::move(kinds)},
                      {"delivered", to_string(webhook.delivered)},
                      {"count", webhook.count},
                      {"failures", webhook.failures},
                      {"failure", text_or_null(webhook.failure)},
                      {"failedAt", text_or_null(webhook.failed_at)},
                      {"gaps", webhook.gaps},
                      {"refused", std::move(refused)}};
    if (filter.workflow) object["workflow"] = to_string(*filter.workflow);
    return object;
}

}  // namespace holdfast::http
