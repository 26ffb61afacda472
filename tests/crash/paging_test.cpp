// Reads a list page by page while others add to it.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>
#include <mutex>
#include <set>

#include "support/fleet.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

constexpr int inserters = 4;
constexpr int most_inserts = 2'000;  // of each
constexpr std::size_t present_at_first = 120;
constexpr int walks = 6;

bj::object state_of(std::size_t n) {
    return {{"currentStep", "review"}, {"n", n}, {"kind", n % 2 == 0 ? "even" : "odd"}};
}

// Starts workflows on all servers until it is destroyed, and collects the acknowledged ones.
class Inserts {
public:
    explicit Inserts(const Fleet& fleet) {
        for (int number = 0; number < inserters; ++number)
            threads_.emplace_back([this, number, url = fleet.url(static_cast<std::size_t>(number))](
                                      std::stop_token stop) { run(url, number, stop); });
    }

    void wait_for(std::size_t count) {
        std::unique_lock lock(mutex_);
        ASSERT_TRUE(
            grown_.wait_for(lock, std::chrono::seconds(60), [&] { return ids_.size() >= count; }));
    }
    std::set<std::string> acknowledged() {
        const std::lock_guard lock(mutex_);
        return ids_;
    }

private:
    void run(const std::string& url, int number, const std::stop_token& stop) {
        ServerClient client(url);
        for (int i = 0; i < most_inserts && !stop.stop_requested(); ++i) {
            const auto n = static_cast<std::size_t>(i * inserters + number);
            const auto reply = client.start({.definition = "item", .state = state_of(n)});
            if (!reply || reply->status != 201) continue;
            std::string id(reply->body.at("id").as_string());
            if (i % 3 == 0)
                (void)client.patch({.id = id, .expected = 1, .body = R"({"edited": true})"});
            const std::lock_guard lock(mutex_);
            ids_.insert(std::move(id));
            grown_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable grown_;
    std::set<std::string> ids_;
    std::vector<std::jthread> threads_;
};

// How often each workflow appears on the pages of one walk.
std::map<std::string, int> walk(ServerClient& client, const std::string& filters) {
    std::map<std::string, int> seen;
    const std::string target = "/api/v1/workflows?limit=7&" + filters;
    std::string cursor;
    for (int pages = 0; pages < inserters * most_inserts; ++pages) {
        const bj::value page = client.must_get(target + cursor);
        for (const bj::value& item : page.at("items").as_array())
            ++seen[std::string(item.at("id").as_string())];
        if (page.at("nextCursor").is_null()) return seen;
        cursor = "&cursor=" + std::string(page.at("nextCursor").as_string());
    }
    ADD_FAILURE() << "the pages do not end";
    return seen;
}

class Paging : public ::testing::TestWithParam<FleetPlan> {};

TEST_P(Paging, RepeatsNothingAndMissesNothingWhileOthersInsert) {
    const Fleet fleet(GetParam());
    ServerClient client(fleet.url());
    ASSERT_EQ(client.define("item", R"({"indexes": ["currentStep"]})")->status, 201);
    Inserts inserts(fleet);
    std::size_t present = present_at_first;
    std::size_t inserted_meanwhile = 0;
    for (int i = 0; i < walks; ++i) {
        inserts.wait_for(present += 20);
        const char* filters[] = {"definition=item", "status=open", "path.currentStep=review"};
        const auto before = inserts.acknowledged();
        const auto seen = walk(client, filters[i % 3]);
        inserted_meanwhile += inserts.acknowledged().size() - before.size();
        for (const std::string& id : before) EXPECT_TRUE(seen.contains(id)) << "missed " << id;
        for (const auto& [id, times] : seen) EXPECT_EQ(times, 1) << "repeated " << id;
    }
    EXPECT_GT(inserted_meanwhile, 0u);
}

INSTANTIATE_TEST_SUITE_P(OnEveryFleet, Paging, ::testing::ValuesIn(fleet_plans),
                         [](const auto& plan) { return std::string(plan.param.name); });

}  // namespace
}  // namespace holdfast::testing
