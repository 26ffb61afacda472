// Many writers on a few workflows, through real servers: no update is lost, no refusal is wrong.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <latch>
#include <mutex>
#include <numeric>
#include <set>

#include "base/json/canonical.h"
#include "holdfast/client.h"
#include "support/fleet.h"
#include "support/history_audit.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

constexpr std::size_t writers = 64;
constexpr int edits_per_writer = 20;
constexpr std::size_t shared_instances = 4;

struct Seen {
    Version version = 0;
    bj::value state;
};

struct StaleAnswer {
    std::size_t instance = 0;
    Version expected = 0;
    Seen current;
};

// The answers that all writers received.
struct Tally {
    std::vector<std::int64_t> accepted = std::vector<std::int64_t>(shared_instances);
    std::vector<StaleAnswer> stale;
    std::vector<std::string> odd;

    void add(const Tally& more) {
        for (std::size_t i = 0; i < shared_instances; ++i) accepted[i] += more.accepted[i];
        stale.insert(stale.end(), more.stale.begin(), more.stale.end());
        odd.insert(odd.end(), more.odd.begin(), more.odd.end());
    }
    std::int64_t all_accepted() const {
        return std::accumulate(accepted.begin(), accepted.end(), std::int64_t{0});
    }
};

std::vector<std::string> start_counters(const std::string& url, std::size_t count) {
    ServerClient client(url);
    EXPECT_EQ(client.define("counter")->status, 201);
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < count; ++i)
        ids.push_back(
            client.must_start({.definition = "counter", .state = bj::object{{"counter", 0}}}));
    return ids;
}

// One user: reads, adds one, writes on condition that nothing changed in between.
class CounterWriter {
public:
    CounterWriter(const std::string& url, const std::vector<std::string>& ids)
        : client_(url), ids_(ids), known_(ids.size()) {}

    // Every other time it uses the state from the last refusal, as a user interface would.
    void edit(std::size_t instance, int turn) {
        std::optional<Seen>& known = known_[instance];
        if (turn % 2 == 0 || !known) known = read(ids_[instance]);
        if (!known) return tally_.odd.push_back("cannot read " + ids_[instance]);
        bj::object next = known->state.as_object();
        next["counter"] = next.at("counter").to_number<std::int64_t>() + 1;
        next["last"] = turn;
        const auto reply = client_.patch(
            {.id = ids_[instance], .expected = known->version, .body = bj::serialize(next)});
        if (!reply) return tally_.odd.push_back(reply.error().message);
        if (reply->status == 200) {
            ++tally_.accepted[instance];
            known = Seen{reply->body.at("version").to_number<Version>(), reply->body.at("state")};
        } else if (reply->status == 409 && reply->problem() == "stale-version") {
            const Version expected = known->version;
            known = Seen{reply->body.at("currentVersion").to_number<Version>(),
                         reply->body.at("currentState")};
            tally_.stale.push_back({instance, expected, *known});
        } else {
            tally_.odd.push_back(bj::serialize(reply->body));
        }
    }

    const Tally& tally() const { return tally_; }

private:
    std::optional<Seen> read(const std::string& id) {
        const auto reply = client_.get("/api/v1/workflows/" + id);
        if (!reply || reply->status != 200) return std::nullopt;
        return Seen{reply->body.at("version").to_number<Version>(), reply->body.at("state")};
    }

    ServerClient client_;
    const std::vector<std::string>& ids_;
    std::vector<std::optional<Seen>> known_;
    Tally tally_;
};

Tally write_all(const Fleet& fleet, const std::vector<std::string>& ids) {
    Tally all;
    std::mutex mutex;
    std::latch together(writers);
    {
        std::vector<std::jthread> threads;
        for (std::size_t number = 0; number < writers; ++number)
            threads.emplace_back([&, number] {
                CounterWriter writer(fleet.url(number), ids);
                together.arrive_and_wait();
                for (int turn = 0; turn < edits_per_writer; ++turn)
                    writer.edit((number + static_cast<std::size_t>(turn / 4)) % ids.size(), turn);
                const std::lock_guard lock(mutex);
                all.add(writer.tally());
            });
    }
    return all;
}

std::vector<bj::value> rejected_conflicts(const std::string& url) {
    ServerClient client(url);
    std::vector<bj::value> rows;
    std::string target = "/api/v1/conflicts?resolution=rejected&limit=500";
    for (std::string cursor;;) {
        const bj::value page = client.must_get(target + cursor);
        for (const bj::value& row : page.at("items").as_array()) rows.push_back(row);
        if (page.at("nextCursor").is_null()) return rows;
        cursor = "&cursor=" + std::string(page.at("nextCursor").as_string());
    }
}

// Refusals by instance and versions: the same for the clients and in the ledger.
using Refusals = std::multiset<std::tuple<std::string, Version, Version>>;

class ConcurrentEdits : public ::testing::TestWithParam<FleetPlan> {};

TEST_P(ConcurrentEdits, LoseNoUpdateAndReportEveryRefusalCorrectly) {
    const Fleet fleet(GetParam());
    const auto ids = start_counters(fleet.url(), shared_instances);
    const Tally tally = write_all(fleet, ids);
    EXPECT_EQ(tally.odd, std::vector<std::string>{});
    EXPECT_EQ(tally.all_accepted() + std::ssize(tally.stale), writers * edits_per_writer);
    EXPECT_GT(tally.stale.size(), writers) << "too few writers collided";

    ServerClient client(fleet.url());
    std::vector<HistoryAudit> audits;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        HistoryAudit& audit = audits.emplace_back(ids[i]);
        EXPECT_EQ(audit.follow(client), std::vector<std::string>{});
        EXPECT_EQ(bj::parse(audit.state()).at("counter"), tally.accepted[i]);
        EXPECT_EQ(audit.version(), static_cast<Version>(tally.accepted[i] + 1));
        for (std::size_t row = 0; row < audit.rows().size(); ++row)
            EXPECT_EQ(bj::parse(audit.rows()[row].payload).at("counter"), row);
    }

    Refusals received;
    for (const StaleAnswer& stale : tally.stale) {
        received.emplace(ids[stale.instance], stale.expected, stale.current.version);
        ASSERT_LE(stale.current.version, audits[stale.instance].version());
        EXPECT_LT(stale.expected, stale.current.version);
        EXPECT_EQ(json::canonical(stale.current.state),
                  audits[stale.instance].rows()[stale.current.version - 1].payload);
    }
    Refusals recorded;
    for (const bj::value& row : rejected_conflicts(fleet.url()))
        recorded.emplace(row.at("instance").as_string(), row.at("expected").to_number<Version>(),
                         row.at("actual").to_number<Version>());
    EXPECT_EQ(recorded, received);
    EXPECT_EQ(fleet.metric("holdfast_conflicts_total{resolution=\"rejected\"}"),
              static_cast<double>(received.size()));
    std::printf("%s: %lld accepted, %zu refused\n", GetParam().name,
                static_cast<long long>(tally.all_accepted()), received.size());
}

TEST_P(ConcurrentEdits, AddUpThroughTheClientLibrary) {
    constexpr std::size_t clients = 16;
    constexpr int increments = 25;
    const Fleet fleet(GetParam());
    const std::string id = start_counters(fleet.url(), 1).front();
    const client::RetryOptions patient{.attempts = 2'000,
                                       .first_delay = std::chrono::milliseconds(1),
                                       .factor = 1.5,
                                       .longest_delay = std::chrono::milliseconds(30)};
    const auto add_one = [](const client::Json& state) {
        client::Json next = state;
        next.at("counter") = next.at("counter").to_number<std::int64_t>() + 1;
        return next;
    };
    std::atomic<int> written = 0;
    {
        std::vector<std::jthread> threads;
        for (std::size_t number = 0; number < clients; ++number)
            threads.emplace_back([&, number] {
                client::Client client(fleet.url(number));
                for (int i = 0; i < increments; ++i) {
                    const auto done = retry_on_conflict(client, id, add_one, patient);
                    const auto* settled = done ? std::get_if<client::Settled>(&*done) : nullptr;
                    written += settled && settled->how == client::Settled::How::written;
                }
            });
    }
    EXPECT_EQ(written, 400);
    ServerClient client(fleet.url());
    HistoryAudit audit(id);
    EXPECT_EQ(audit.follow(client), std::vector<std::string>{});
    EXPECT_EQ(bj::parse(audit.state()).at("counter"), 400);
    EXPECT_EQ(audit.version(), 401u);
}

INSTANTIATE_TEST_SUITE_P(OnEveryFleet, ConcurrentEdits, ::testing::ValuesIn(fleet_plans),
                         [](const auto& plan) { return std::string(plan.param.name); });

}  // namespace
}  // namespace holdfast::testing
