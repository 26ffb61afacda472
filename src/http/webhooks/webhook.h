// A webhook: the stream's records, posted to an operator's URL. It is a workflow of the engine's
// own definition, whose state says where to, what, and how far it is (ADR 66).
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "http/change_streams.h"

namespace holdfast::http {

inline constexpr std::string_view webhook_definition = "holdfast.webhook";

// "http://host:port/path", taken apart.
struct WebhookUrl {
    std::string host;
    std::string port;
    std::string target;  // with the query

    std::string host_header() const;
};
// In lower case, or an address.
bool is_host_name(std::string_view text);
// invalid_argument: says what is wrong.
Result<WebhookUrl> parse_webhook_url(std::string_view url);

// A record that the receiver refused, as it was posted.
struct RefusedRecord {
    std::string position;
    boost::json::object record;
    std::string why;
    std::string at;
    bool again = false;  // somebody asked for another attempt
};

constexpr std::size_t most_refused_records = 50;

struct Webhook {
    std::string url;
    StreamFilter filter;         // its tenant is that of the instance
    StreamPosition delivered;    // all records up to here were taken, or are in `refused`
    std::uint64_t count = 0;     // records that were taken
    std::uint64_t failures = 0;  // in a row
    std::string failure;         // the last one; empty: none
    std::string failed_at;
    std::uint64_t gaps = 0;  // times that retention had deleted records before they were posted
    std::vector<RefusedRecord> refused;
};

// invalid_argument: says what of it is wrong.
Result<Webhook> webhook_from(const boost::json::value& state);
boost::json::object webhook_state(const Webhook& webhook);

}  // namespace holdfast::http
