#include "faults/stream.h"

#include <atomic>
#include <boost/json.hpp>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/threads/pause.h"
#include "client/event_reader.h"
#include "faults/cluster.h"
#include "support/eventually.h"
#include "support/server_client.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using namespace std::chrono_literals;

// Where the nodes are now; a node that is restarted has another address.
class Addresses {
public:
    explicit Addresses(std::vector<std::string> urls) : urls_(std::move(urls)) {}
    void set(std::size_t node, std::string url) {
        const std::lock_guard lock(mutex_);
        urls_[node] = std::move(url);
    }
    std::string any(std::mt19937_64& random) const {
        const std::lock_guard lock(mutex_);
        return urls_[random() % urls_.size()];
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> urls_;
};

// What a reader knows of a workflow, or what the history says of it.
struct Told {
    std::uint64_t version = 0;
    std::string types;

    bool operator==(const Told&) const = default;
};
using Log = std::unordered_map<std::string, Told>;

class Reader {
public:
    Reader(const Addresses& addresses, std::uint64_t seed, std::string definition)
        : addresses_(addresses), random_(seed), definition_(std::move(definition)) {
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }

    bool has_seen_end() const { return ended_; }
    void stop() {
        thread_.request_stop();
        thread_.join();
    }
    // After stop.
    const Log& log() const { return log_; }
    const std::string& definition() const { return definition_; }
    std::size_t connections = 0;
    std::size_t received = 0;
    std::size_t gaps = 0;
    std::size_t repeats = 0;

private:
    void run(const std::stop_token& stop) {
        std::string last = "0";
        while (!stop.stop_requested() && !ended_) {
            auto link = http::ClientConnection::to(addresses_.any(random_),
                                                   {.connect_time = 2s, .exchange_time = 20s});
            client::EventReader events;
            http::Headers headers;
            headers.add("Last-Event-ID", last);
            const auto take = [&](std::string_view bytes) {
                events.add(bytes, [this](const client::ServerEvent& event) { return note(event); });
                if (!events.last_id().empty()) last = events.last_id();
                return !ended_ && !stop.stop_requested();
            };
            ++connections;
            const std::string filter = definition_.empty() ? "" : "?definition=" + definition_;
            if (link) (void)link->follow("/api/v1/stream" + filter, headers, take);
            if (!ended_) pause_for(20ms);
        }
    }

    bool note(const client::ServerEvent& event) {
        if (event.type != "workflow") return true;
        ++received;
        const bj::value record = bj::parse(event.data);
        const std::string type(record.at("type").as_string());
        Told& told = log_[std::string(record.at("workflow").as_string())];
        const auto version = record.at("version").to_number<std::uint64_t>();
        gaps += version > told.version + 1;
        repeats += version <= told.version;
        told.version = version;
        told.types += type + " ";
        if (const auto* key = record.as_object().if_contains("businessKey"))
            ends_ += key->as_string() == "the end";
        ended_ = ends_ >= (definition_.empty() ? 2 : 1);
        return true;
    }

    const Addresses& addresses_;
    std::mt19937_64 random_;
    const std::string definition_;
    Log log_;
    int ends_ = 0;  // one of each definition
    std::atomic<bool> ended_ = false;
    std::jthread thread_;
};

// One edit; the version to expect next. 0: the node did not answer.
Version edit(ServerClient& client, const std::string& id, Version expected) {
    const auto reply = client.patch({.id = id, .expected = expected, .body = R"({"n": 1})"});
    if (!reply) return 0;
    if (reply->status == 200) return expected + 1;
    const auto* problem = reply->body.if_object();
    const auto* current = problem ? problem->if_contains("currentVersion") : nullptr;
    return current ? current->to_number<Version>() : expected;
}

// On any node that answers: starts workflows of its own, edits and cancels them, and edits those
// that all writers edit.
void write(const Addresses& addresses, const std::vector<std::string>& shared, std::uint64_t seed,
           const std::stop_token& stop) {
    std::mt19937_64 random(seed);
    while (!stop.stop_requested()) {
        ServerClient client(addresses.any(random));
        for (Version version = 1; version > 0 && !stop.stop_requested();) {
            const auto started = client.start(
                {.definition = random() % 2 ? "tea" : "coffee", .state = bj::object{{"n", 0}}});
            if (!started || started->status != 201) break;
            const std::string id(started->body.at("id").as_string());
            version = 1;
            for (int i = 0; i < 3 && version > 0; ++i) version = edit(client, id, version);
            if (random() % 4 == 0) (void)client.post("/api/v1/workflows/" + id + "/cancel", "{}");
            const std::string& others = shared[random() % shared.size()];
            Version theirs = 1;
            for (int i = 0; i < 4 && version > 0; ++i)
                version = theirs = edit(client, others, theirs);
        }
    }
}

Log history_of(const Cluster& cluster, const std::string& definition) {
    const std::string rows = cluster.query(
        "select string_agg(line, E'\\n') from (select h.instance_id || ' ' || max(h.version) || ' "
        "' || "
        "string_agg(h.type, ' ' order by h.version) as line from history h join instances i on "
        "i.id = h.instance_id where '" +
        definition + "' in ('', i.definition_key) group by h.instance_id) lines");
    Log log;
    std::istringstream lines(rows);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t id = line.find(' ');
        const std::size_t version = line.find(' ', id + 1);
        log[line.substr(0, id)] = {std::stoull(line.substr(id + 1, version - id - 1)),
                                   line.substr(version + 1) + " "};
    }
    return log;
}

std::size_t differences(const Log& got, const Log& history) {
    std::size_t count = 0;
    for (const auto& [id, told] : history) {
        const auto found = got.find(id);
        count += found == got.end() || found->second != told;
    }
    for (const auto& [id, told] : got) count += !history.contains(id);
    return count;
}

void kill_nodes(Cluster& cluster, Addresses& addresses, const StreamPlan& plan) {
    std::mt19937_64 random(plan.seed);
    for (int kill = 0; kill < plan.kills; ++kill) {
        pause_for(std::chrono::milliseconds(50 + random() % 300));
        const std::size_t node = random() % cluster.size();
        cluster.node(node).kill9();
        pause_for(std::chrono::milliseconds(random() % 100));
        cluster.node(node).restart();
        addresses.set(node, cluster.node(node).url());
    }
}

// What the readers cost while nothing happens.
std::string statements_while_idle(const Cluster& cluster, std::chrono::seconds time) {
    cluster.query("create extension if not exists pg_stat_statements");
    pause_for(2 * node_lease);  // what the last kill left is taken over
    cluster.query("select pg_stat_statements_reset()::text");
    pause_for(time);
    return cluster.query(
        "select coalesce(string_agg(calls || ' x ' || left(query, 120), E'\\n'), '') "
        "from pg_stat_statements s join pg_database d on d.oid = s.dbid "
        "where d.datname = current_database() and query not like '%pg_stat_statements%' "
        "and query not like '%update nodes%' and query not like '%current_setting%' "
        "and query not like '%set_config%'");  // this connection's own
}

}  // namespace

std::string StreamReport::figures() const {
    std::string text;
    const auto add = [&](const char* name, std::size_t figure) {
        text += std::string(text.empty() ? "" : ", ") + name + " " + std::to_string(figure);
    };
    add("workflows", workflows);
    add("records", records);
    add("received by all readers", received);
    add("connections", connections);
    add("gaps", gaps);
    add("repeats", repeats);
    add("differences", differences);
    add("unfinished readers", unfinished);
    return text + ", statements while idle " + (idle_statements.empty() ? "0" : idle_statements);
}

StreamReport follow_through_kills(const StreamPlan& plan) {
    Cluster cluster({});
    Addresses addresses(cluster.urls());
    ServerClient client(cluster.urls().front());
    for (const char* definition : {"tea", "coffee"})
        if (!client.define(definition)) throw std::runtime_error("cannot define");
    std::vector<std::string> shared;
    for (int i = 0; i < 4; ++i)
        shared.push_back(client.must_start({.definition = "tea", .state = bj::object{}}));
    std::vector<std::unique_ptr<Reader>> readers;
    const std::string filters[] = {"", "", "tea", "coffee"};
    for (std::size_t i = 0; i < plan.readers; ++i)
        readers.push_back(std::make_unique<Reader>(addresses, plan.seed + i, filters[i % 4]));
    {
        std::vector<std::jthread> writers;
        for (std::size_t i = 0; i < plan.writers; ++i)
            writers.emplace_back([&, seed = plan.seed + i](const std::stop_token& stop) {
                write(addresses, shared, seed, stop);
            });
        kill_nodes(cluster, addresses, plan);
    }
    StreamReport report;
    report.idle_statements = statements_while_idle(cluster, plan.idle);
    ServerClient last(cluster.urls().front());
    for (const char* definition : {"tea", "coffee"})
        last.must_start(
            {.definition = definition, .state = bj::object{}, .business_key = "the end"});
    for (const auto& reader : readers)
        report.unfinished += !eventually([&] { return reader->has_seen_end(); });
    std::map<std::string, Log> histories;
    for (const std::string& filter : filters)
        histories.emplace(filter, history_of(cluster, filter));
    report.workflows = histories.at("").size();
    for (const auto& [id, told] : histories.at("")) report.records += told.version;
    for (const auto& reader : readers) {
        reader->stop();
        report.received += reader->received;
        report.connections += reader->connections;
        report.gaps += reader->gaps;
        report.repeats += reader->repeats;
        report.differences += differences(reader->log(), histories.at(reader->definition()));
    }
    return report;
}

}  // namespace holdfast::testing
