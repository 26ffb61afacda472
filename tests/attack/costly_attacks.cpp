#include <boost/json.hpp>
#include <list>

#include "attack/attacks.h"
#include "base/threads/pause.h"
#include "http/raw_client.h"
#include "http/wire/client_connection.h"
#include "support/server_client.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using namespace std::chrono_literals;
using http::IfRefused;
using http::RawClient;

const std::string workflows = "/api/v1/workflows";

std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

std::string numbers_text(int first, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i ? "," : "") + std::to_string(first + i);
    return text;
}

int status_of(const Result<ServerReply>& reply) { return reply ? reply->status : 0; }

std::string start(ServerClient& server, const std::string& definition, const std::string& state) {
    const auto reply = server.post(
        workflows, R"({"definition": ")" + definition + R"(", "state": )" + state + "}");
    return reply && reply->status == 201 ? std::string(reply->body.at("id").as_string()) : "";
}

void define(Victim& victim, const std::string& key, const std::string& body = "{}") {
    victim.expect("define", status_of(ServerClient(victim.url()).define(key, body)), {200, 201});
}

void send_get(RawClient& client, const std::string& target) {
    client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

// A search that compares 1,200 values with each long list, and finds none.
std::string containment() {
    std::string filter;
    for (const char c : R"({"list":[)" + numbers_text(97'700, 1'200) + R"(,"none"]})") {
        const std::string_view plain = "0123456789,abcdefghijklmnopqrstuvwxyz";
        constexpr char digits[] = "0123456789ABCDEF";
        if (plain.contains(c))
            filter += c;
        else
            filter += std::string("%") + digits[c >> 4 & 15] + digits[c & 15];
    }
    return workflows + "?definition=long&contains=" + filter;
}

void prepare_long_lists(Victim& victim) {
    define(victim, "long");
    ServerClient server(victim.url());
    for (int i = 0; i < 6; ++i)
        if (start(server, "long", R"({"list": [)" + numbers_text(0, 99'000) + "]}").empty())
            victim.wrong("a long list was not stored");
}

void search_lists(Victim& victim, const std::stop_token& stop) {
    ServerClient server(victim.url());
    const std::string target = containment();
    while (!stop.stop_requested())
        victim.expect("containment", status_of(server.get(target)), {200, 429});
}

// Clients that ask and leave: what they asked for must not go on.
void search_and_leave(Victim& victim, const std::stop_token& stop) {
    const std::string target = containment();
    while (!stop.stop_requested()) {
        std::list<RawClient> clients;
        for (int i = 0; i < 4; ++i)
            send_get(clients.emplace_back(victim.port(), IfRefused::is_ignored), target);
        pause_for(20ms);
        victim.count(clients.size());
    }
}

void prepare_patterns(Victim& victim) {
    const std::string pattern = R"({"pattern": "(x?y?z?){300}(a|aa|b|bb){300}c"})";
    std::string schema = R"({"schema": {"properties": {)";
    for (int i = 0; i < 8; ++i)
        schema += (i ? ", \"t" : "\"t") + std::to_string(i) + "\": " + pattern;
    define(victim, "patterns", schema + "}}}");
}

void match_patterns(Victim& victim, const std::stop_token& stop) {
    ServerClient server(victim.url());
    const std::string id = start(server, "patterns", "{}");
    std::string texts;
    for (int i = 0; i < 8; ++i)
        texts +=
            (i ? ", \"t" : "\"t") + std::to_string(i) + R"(": ")" + std::string(100'000, 'a') + '"';
    while (!stop.stop_requested())
        victim.expect("patterns", status_of(server.patch({id, 1, "{" + texts + "}"})), {422, 429});
}

void move_back_and_forth(Victim& victim, const std::stop_token& stop) {
    ServerClient server(victim.url());
    const std::string id = start(server, "long", R"({"list": [)" + repeated("0,", 90'000) + "0]}");
    const std::string step =
        R"({"op":"move","from":"/list","path":"/x"},{"op":"move","from":"/x","path":"/list"})";
    const std::string patch = "[" + step + repeated("," + step, 9'000) + "]";
    while (!stop.stop_requested())
        victim.expect("patch",
                      status_of(server.patch({id, 1, patch, "application/json-patch+json"})),
                      {422, 429});
}

void prepare_large_states(Victim& victim) {
    define(victim, "large");
    ServerClient server(victim.url());
    for (int i = 0; i < 40; ++i)
        start(server, "large", R"({"text": ")" + std::string(900'000, 'a') + "\"}");
}

// Readers that ask for pages of large states and do not read them.
void read_slowly(Victim& victim, const std::stop_token& stop) {
    const std::string page = workflows + "?definition=large&include=state&limit=500";
    while (!stop.stop_requested()) {
        std::list<RawClient> clients;
        for (int i = 0; i < 8; ++i)
            send_get(clients.emplace_back(victim.port(), IfRefused::is_ignored), page);
        for (int i = 0; i < 100 && !stop.stop_requested(); ++i) pause_for(10ms);
    }
}

// Another one each time: equal values are stored once.
std::string large_text(const std::string& begin) {
    return '"' + begin + std::string(900'000, 'a') + '"';
}

void define_waiting(Victim& victim) { define(victim, "waiting"); }

// The value reaches 200 waits at once, which begin again.
void fan_out(Victim& victim, const std::stop_token& stop) {
    ServerClient server(victim.url());
    std::vector<std::string> waiters;
    for (int i = 0; i < 200 && !stop.stop_requested(); ++i)
        waiters.push_back(workflows + "/" + start(server, "waiting", "{}") + "/wait");
    for (int index = 0; !stop.stop_requested(); ++index) {
        const std::string body =
            R"({"fanOut": "all", "value": )" + large_text(std::to_string(index)) + "}";
        for (const std::string& wait : waiters)
            server.post(wait, R"({"run": 1, "names": ["everybody"], "index": )" +
                                  std::to_string(index) + "}");
        victim.expect("fan-out", status_of(server.post("/api/v1/events/everybody", body)),
                      {200, 202, 429});
    }
}

void poll_and_leave(Victim& victim, const std::stop_token& stop) {
    ServerClient server(victim.url());
    const std::string id = start(server, "waiting", "{}");
    server.post(workflows + "/" + id + "/wait", R"({"run": 1, "index": 0, "names": ["x"]})");
    while (!stop.stop_requested()) {
        std::list<RawClient> clients;
        for (int i = 0; i < 150; ++i)
            send_get(clients.emplace_back(victim.port(), IfRefused::is_ignored),
                     workflows + "/" + id + "/wait?index=0&timeout=60s");
        pause_for(500ms);
        victim.count(clients.size());
    }
}

void run_retention(Victim& victim, const std::stop_token& stop) {
    ServerClient server(victim.url());
    while (!stop.stop_requested()) {
        const char* kind = "/api/v1/retention/run?dryRun=true";
        victim.expect("retention", status_of(server.post(kind, "{}")), {200, 409, 429});
        pause_for(attack_pace);
    }
}

// Events that nobody takes, up to what may be queued, and then the end of their workflow.
void end_with_full_inbox(Victim& victim, const std::stop_token& stop) {
    ServerClient server(victim.url());
    while (!stop.stop_requested()) {
        const std::string id = start(server, "waiting", "{}");
        for (int i = 0; i < 50 && !stop.stop_requested(); ++i)
            victim.expect(
                "event",
                status_of(server.post(workflows + "/" + id + "/events/n",
                                      R"({"value": )" + large_text(id + std::to_string(i)) + "}")),
                {202, 413, 429});
        victim.expect(
            "end",
            status_of(server.post(workflows + "/" + id + "/complete", R"({"run": 1, "index": 0})")),
            {200});
    }
}

void begin_workers(Victim& victim, const std::stop_token& stop) {
    define(victim, "leased", R"({"runner": "worker"})");
    ServerClient server(victim.url());
    while (!stop.stop_requested()) {
        victim.expect("worker",
                      status_of(server.post("/api/v1/workers",
                                            R"({"name": "w", "definitions": ["leased"]})")),
                      {201, 429});
        pause_for(attack_pace);
    }
}

// As large as a body may be.
void deploy_models(Victim& victim, const std::stop_token& stop) {
    std::string xml =
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='t'>"
        "<process id='large' isExecutable='true'><startEvent id='t0'/>";
    int last = 0;
    for (; xml.size() < 4'000'000; ++last) {
        const std::string next = std::to_string(last + 1);
        xml += "<manualTask id='t" + next + "'/><sequenceFlow id='f" + next + "' sourceRef='t" +
               std::to_string(last) + "' targetRef='t" + next + "'/>";
    }
    xml += "</process></definitions>";
    auto connection = http::ClientConnection::to(victim.url());
    if (!connection) return victim.wrong("no connection");
    http::Headers headers;
    headers.add("Content-Type", "application/xml");
    while (!stop.stop_requested()) {
        const auto deployed =
            connection->exchange(http::Method::post, "/api/v1/definitions", headers, xml);
        victim.expect("deploy", deployed ? deployed->status : 0, {200, 201, 429});
    }
}

}  // namespace

std::vector<Attack> costly_attacks() {
    const auto nothing = [](Victim&) {};
    constexpr std::uint64_t few = 50;
    return {
        {"containment queries over long lists", prepare_long_lists, search_lists, 6, few},
        {"containment queries whose clients leave", prepare_long_lists, search_and_leave, 2},
        {"schema patterns on long texts", prepare_patterns, match_patterns, 4, few},
        {"patches of 18,000 steps", prepare_long_lists, move_back_and_forth, 4, few},
        {"pages of large states, slow readers", prepare_large_states, read_slowly, 2},
        {"large events to 200 waits at once", define_waiting, fan_out, 1},
        {"ends with a full inbox", define_waiting, end_with_full_inbox, 2},
        {"long polls of clients that leave", define_waiting, poll_and_leave, 4},
        {"twelve retention runs at once", nothing, run_retention, 12},
        {"deploys of large models", nothing, deploy_models, 4, few},
        {"workers without end", nothing, begin_workers, 2},
    };
}

}  // namespace holdfast::testing
