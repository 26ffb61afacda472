#include "http/webhooks/webhook_connection.h"

#include <boost/json.hpp>

namespace holdfast::http {
namespace {

using namespace std::chrono_literals;

// A receiver that takes longer has not got it. All of it is shorter than the lock of the sender.
const ClientOptions patience{
    .connect_time = 3s, .exchange_time = 5s, .body_limit = std::size_t{1} << 20};

// That the request is wrong, not that the receiver or a proxy before it is busy or away.
bool is_refusal(int status) {
    return (status >= 400 && status < 500 && status != 408 && status != 425 && status != 429) ||
           status == 500;
}

}  // namespace

std::string_view text_of(WebhookAnswer::Outcome outcome) {
    switch (outcome) {
        case WebhookAnswer::Outcome::taken: return "taken";
        case WebhookAnswer::Outcome::refused: return "refused";
        case WebhookAnswer::Outcome::failed: break;
    }
    return "failed";
}

Result<void> WebhookConnection::connect(const WebhookUrl& url) {
    HF_TRY(const auto address, address_for(*rules_, url));
    const bool is_six = address.contains(':');
    HF_TRY(connection_,
           ClientConnection::to(
               "http://" + (is_six ? "[" + address + "]" : address) + ":" + url.port, patience));
    return {};
}

WebhookAnswer WebhookConnection::post(const InstanceId& webhook, const std::string& url,
                                      const boost::json::object& message) {
    using enum WebhookAnswer::Outcome;
    const auto place = parse_webhook_url(url);
    if (!place) return {failed, 0, place.error().message};
    if (!connection_)
        if (const auto connected = connect(*place); !connected)
            return {failed, 0, connected.error().message};
    const std::string body = boost::json::serialize(message);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(clock_->now());
    Headers headers;
    headers.add("Host", place->host_header());
    headers.add("Content-Type", "application/json");
    headers.add("User-Agent", "holdfast");
    headers.add("Holdfast-Webhook", to_string(webhook));
    headers.add("Holdfast-Signature", signature_of(webhook_key(*rules_, webhook),
                                                   seconds.time_since_epoch().count(), body));
    const auto answer = connection_->exchange(Method::post, place->target, headers, body);
    if (!answer) {
        connection_.reset();  // and resolve again
        return {failed, 0, answer.error().message};
    }
    if (answer->status >= 200 && answer->status < 300) return {taken, answer->status, {}};
    return {is_refusal(answer->status) ? refused : failed, answer->status,
            "it answered " + std::to_string(answer->status)};
}

}  // namespace holdfast::http
