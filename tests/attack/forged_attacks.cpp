#include <boost/json.hpp>

#include "attack/attacks.h"
#include "base/threads/pause.h"
#include "http/wire/client_connection.h"
#include "support/server_client.h"

namespace holdfast::testing {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Forged {
    std::string target;
    std::string body;
    Fields headers;
    int status;
};

void send(Victim& victim, http::ClientConnection& connection, const Forged& request) {
    http::Headers headers;
    for (const auto& [name, value] : request.headers) headers.add(name, value);
    const auto response =
        connection.exchange(http::Method::post, request.target, headers, request.body);
    victim.expect(request.target, response ? response->status : 0, {request.status},
                  response ? response->body : response.error().message);
}

// Sends the requests in turn; each must be refused, and none may be committed.
void send_all(Victim& victim, const std::stop_token& stop, const std::vector<Forged>& requests) {
    auto connection = http::ClientConnection::to(victim.url());
    if (!connection) return victim.wrong("no connection");
    while (!stop.stop_requested())
        for (const Forged& request : requests) {
            send(victim, *connection, request);
            pause_for(attack_pace);
        }
}

std::string a_workflow(Victim& victim) {
    ServerClient server(victim.url());
    victim.expect("define", server.define("forged").value().status, {200, 201});
    return "/api/v1/workflows/" +
           server.must_start({.definition = "forged", .state = boost::json::object{}});
}

const std::pair<std::string, std::string> json_type{"Content-Type", "application/json"};

// What a page of another site can make a browser send.
void come_from_another_site(Victim& victim, const std::stop_token& stop) {
    const std::string workflow = a_workflow(victim);
    send_all(victim, stop,
             {{workflow + "/cancel", "", {{"Origin", "https://evil.example"}}, 403},
              {workflow + "/events/paid", "", {{"Origin", "null"}}, 403},
              {"/api/v1/retention/run", "", {{"Sec-Fetch-Site", "cross-site"}}, 403},
              {workflow + "/events/paid",
               "value=1",
               {{"Content-Type", "application/x-www-form-urlencoded"}},
               415},
              {workflow + "/events/paid", "{}", {{"Content-Type", "text/plain"}}, 415}});
}

// The end of a human task, sent as an event.
void forge_task(Victim& victim, const std::stop_token& stop) {
    const std::string workflow = a_workflow(victim);
    const std::string task = "task%2F01890a5d-ac96-774b-bcce-b302099a8057";
    send_all(victim, stop,
             {{workflow + "/events/" + task, R"({"value": {"approved": true}})", {json_type}, 400},
              {"/api/v1/events/" + task, R"({"value": 1})", {json_type}, 400},
              {"/api/v1/events/process%2Fx", R"({"value": 1})", {json_type}, 400}});
}

// Text that acts on the terminal that prints it.
void send_control_characters(Victim& victim, const std::stop_token& stop) {
    const std::string workflow = a_workflow(victim);
    send_all(victim, stop,
             {{"/api/v1/workflows",
               R"({"definition": "forged", "businessKey": "\u001b]0;owned\u0007"})",
               {json_type},
               400},
              {workflow + "/events/a%0Ab", "{}", {json_type}, 400},
              {workflow + "/cancel", R"({"reason": "\u001b[2J"})", {json_type}, 400}});
}

void compress(Victim& victim, const std::stop_token& stop) {
    const std::string workflow = a_workflow(victim);
    send_all(victim, stop,
             {{workflow + "/events/paid", "{}", {json_type, {"Content-Encoding", "gzip"}}, 415}});
}

}  // namespace

std::vector<Attack> forged_attacks() {
    const auto nothing = [](Victim&) {};
    return {{"requests of another site", nothing, come_from_another_site, 2},
            {"forged ends of tasks", nothing, forge_task, 2},
            {"control characters", nothing, send_control_characters, 2},
            {"compressed bodies", nothing, compress, 1}};
}

}  // namespace holdfast::testing
