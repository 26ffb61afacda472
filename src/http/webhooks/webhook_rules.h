// Where webhooks may post to, and how they are signed: settings of the server, not of a webhook.
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "http/webhooks/webhook.h"

namespace holdfast::http {

struct WebhookRules {
    std::vector<std::string> hosts;  // that are allowed: a name, or *.domain; empty: none
    bool allow_private = false;      // addresses of this machine and of private networks too
    std::string secret;              // of the server; empty: no webhooks
};

// invalid_argument: not a host name, nor "*." and a domain.
Result<void> check_host_pattern(std::string_view pattern);

// invalid_argument: the host is not allowed, or no webhooks are; says which setting allows it.
Result<void> check_webhook(const WebhookRules& rules, const WebhookUrl& url);

// Whether an address may be anywhere in the internet: not of this machine, of a private or
// link-local network, multicast or reserved, also where IPv6 wraps it.
bool is_public(const sockaddr& address);

// The first address of the host, as text, and only if all of its addresses are allowed: it is
// connected to by that text, so that another answer of the name server changes nothing.
Result<std::string> address_for(const WebhookRules& rules, const WebhookUrl& url);

// The key of one webhook: derived from the server's secret, so that none is stored.
std::string webhook_key(const WebhookRules& rules, const InstanceId& webhook);

// Hexadecimal.
std::string hmac_sha256(std::string_view key, std::string_view text);

// "t=1769594442,v1=...": over the time, a dot and the body.
std::string signature_of(std::string_view key, std::int64_t unix_seconds, std::string_view body);

}  // namespace holdfast::http
