#include "attack/normal_load.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/threads/pause.h"
#include "support/server_client.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using Steady = std::chrono::steady_clock;

constexpr int clients = 4;
constexpr std::chrono::milliseconds pace{5};  // between two requests of a client

// Measures the requests of one client.
class Client {
public:
    Client(const std::string& url, NormalLoad::Figures& figures,
           const std::atomic<std::uint64_t>* others)
        : server_(url), figures_(figures), others_(others) {}

    template <class Call>
    ServerReply measure(const std::string& what, int wanted, Call call) {
        const std::uint64_t before = others_ ? others_->load() : 0;
        const auto began = Steady::now();
        const Result<ServerReply> reply = call(server_);
        const std::chrono::duration<double, std::milli> took = Steady::now() - began;
        figures_.milliseconds.push_back(took.count());
        figures_.slowest[what] = std::max(figures_.slowest[what], took.count());
        if (others_) figures_.overtaken = std::max(figures_.overtaken, others_->load() - before);
        if (!reply)
            figures_.wrong.push_back(what + ": " + reply.error().message);
        else if (reply->status != wanted)
            figures_.wrong.push_back(what + ": " + std::to_string(reply->status) + " " +
                                     bj::serialize(reply->body).substr(0, 300));
        pause_for(pace);
        return reply ? *reply : ServerReply{};
    }

private:
    ServerClient server_;
    NormalLoad::Figures& figures_;
    const std::atomic<std::uint64_t>* others_;
};

// Where to ask what happened to an accepted event.
std::string fate_of(const bj::value& accepted) {
    const auto* event = accepted.as_object().if_contains("id");
    return event ? "/api/v1/event-fates/" + std::string(event->as_string()) : "";
}

std::string path_of(const std::string& id) { return "/api/v1/workflows/" + id; }

}  // namespace

double NormalLoad::Figures::percentile(double share) const {
    if (milliseconds.empty()) return 0;
    std::vector<double> sorted = milliseconds;
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

void NormalLoad::Figures::add(const Figures& others) {
    milliseconds.insert(milliseconds.end(), others.milliseconds.begin(), others.milliseconds.end());
    for (const auto& [kind, took] : others.slowest) slowest[kind] = std::max(slowest[kind], took);
    wrong.insert(wrong.end(), others.wrong.begin(), others.wrong.end());
    overtaken = std::max(overtaken, others.overtaken);
}

NormalLoad::NormalLoad(std::string url) : url_(std::move(url)) {
    ServerClient(url_).define("normal", R"({"indexes": ["place"]})").value();
}

void NormalLoad::run_client(int rounds, Figures& figures,
                            const std::atomic<std::uint64_t>* others) {
    Client client(url_, figures, others);
    for (int round = 0; round < rounds; ++round) {
        const auto started = client.measure("start", 201, [](ServerClient& server) {
            return server.start({.definition = "normal", .state = bj::object{{"place", "here"}}});
        });
        if (started.status != 201) continue;
        const std::string id(started.body.at("id").as_string());
        Version version = 1;
        const auto edited = client.measure("edit", 200, [&](ServerClient& server) {
            return server.patch({id, version, R"({"place": "there"})"});
        });
        if (edited.status == 200) version = 2;
        client.measure("read", 200, [&](ServerClient& server) { return server.get(path_of(id)); });
        const auto sent = client.measure("event", 202, [&](ServerClient& server) {
            return server.post(path_of(id) + "/events/paid", R"({"value": 5})");
        });
        client.measure("list", 200, [&](ServerClient& server) {
            return server.get("/api/v1/workflows?definition=normal&limit=5");
        });
        const std::lock_guard lock(mutex_);
        acknowledged_[id].version = version;
        if (sent.status == 202) acknowledged_[id].event = fate_of(sent.body);
    }
}

NormalLoad::Figures NormalLoad::run(int rounds, const std::atomic<std::uint64_t>* others) {
    std::vector<Figures> parts(clients);
    {
        std::vector<std::jthread> threads;
        for (Figures& part : parts)
            threads.emplace_back([=, this, &part] { run_client(rounds, part, others); });
    }
    Figures all;
    for (const Figures& part : parts) all.add(part);
    return all;
}

std::vector<std::string> NormalLoad::lost() {
    ServerClient server(url_);
    std::vector<std::string> lost;
    const std::lock_guard lock(mutex_);
    for (const auto& [id, acknowledged] : acknowledged_) {
        const auto reply = server.get(path_of(id));
        const bool there = reply && reply->status == 200 &&
                           reply->body.at("version").to_number<Version>() >= acknowledged.version;
        if (!there) lost.push_back(id);
        if (acknowledged.event.empty()) continue;
        const auto fate = server.get(acknowledged.event);
        if (!fate || fate->status != 200 || fate->body.at("fate") != "queued")
            lost.push_back("event of " + id);
    }
    return lost;
}

}  // namespace holdfast::testing
