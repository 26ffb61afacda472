// A real server with the keys of two tenants, and something of everything that one of them, acme,
// can own. The attackers have keys of the other one.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "http/wire/client_connection.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {

// In everything that acme writes.
inline constexpr const char* acmes_mark = "ACME-SECRET";

struct Answer {
    int status = 0;
    http::Headers headers;
    std::string text;

    boost::json::value json() const;              // null if it is none
    std::string slug() const;                     // of a problem; empty: it is none
    std::string at(std::string_view path) const;  // a member by JSON Pointer, as text
    bool tells_of_acme() const { return text.contains(acmes_mark); }
};

std::ostream& operator<<(std::ostream& out, const Answer& answer);

using Fields = std::vector<std::pair<std::string, std::string>>;

class Town {
public:
    explicit Town(const std::string& store);

    // `key` is one of `keys`, or empty for none.
    Answer ask(const std::string& key, http::Method method, const std::string& target,
               const std::string& body = {}, const Fields& headers = {});
    // With exactly these headers.
    Answer send(http::Method method, const std::string& target, const std::string& body,
                const Fields& headers);
    // What the stream of changes shows to this key until a record of `until`, by its workflow.
    std::string stream_of(const std::string& key, const std::string& query,
                          const std::string& until);
    // Everything of acme that may be read, as text: equal before and after an attack that fails.
    std::string estate();
    // A workflow of the attackers' tenant.
    std::string own_workflow(const std::string& definition = "mine");

    ServerProcess& server() { return *server_; }
    const std::string& text_of(const std::string& key) const { return keys_.at(key); }

    // Of acme.
    std::string workflow;  // open, of the definition `plan`, with checkpoint `c`
    std::string task;
    std::string event;  // pending, for the name `paid`
    std::string delayed;
    std::string bulk_job;
    std::string key_id;

private:
    void add_keys(const std::string& url);
    void settle();
    Answer must(const std::string& key, http::Method method, const std::string& target,
                const std::string& body = {}, const Fields& headers = {});

    StorePlace place_;
    std::map<std::string, std::string> keys_;  // texts by name: "acme operator", "admin", ...
    std::unique_ptr<ServerProcess> server_;
    std::unique_ptr<http::ClientConnection> connection_;
};

}  // namespace holdfast::testing
