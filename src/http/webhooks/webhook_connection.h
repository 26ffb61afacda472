// One post to a webhook's URL: whether it may, signed, and what came of it.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "base/time/clock.h"
#include "http/webhooks/webhook_rules.h"
#include "http/wire/client_connection.h"

namespace holdfast::http {

struct WebhookAnswer {
    enum class Outcome { taken, refused, failed };

    Outcome outcome = Outcome::taken;
    int status = 0;   // that it answered; 0: nothing
    std::string why;  // empty: it was taken
};

std::string_view text_of(WebhookAnswer::Outcome outcome);

// Keeps its connection, so that it serves one URL. One thread at a time; `rules` and `clock`
// outlive it.
class WebhookConnection {
public:
    WebhookConnection(const WebhookRules& rules, const Clock& clock)
        : rules_(&rules), clock_(&clock) {}

    WebhookAnswer post(const InstanceId& webhook, const std::string& url,
                       const boost::json::object& message);

private:
    Result<void> connect(const WebhookUrl& url);

    const WebhookRules* rules_;
    const Clock* clock_;
    std::optional<ClientConnection> connection_;
};

}  // namespace holdfast::http
