// Workflows that fell asleep under an older schema wake under this one. The golden files hold the
// rows that the release with schema 21 wrote, when an instance had one wait and one timer.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>

#include "holdfast/node.h"
#include "store/postgres/schema.h"
#include "store/sqlite/schema.h"
#include "support/eventually.h"
#include "support/golden.h"
#include "support/server_client.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

Flow<std::string> by_event(Context& ctx, std::string) {
    const auto value = co_await ctx.event<std::string>("go");
    co_return "event " + value;
}
Flow<std::string> by_timer(Context& ctx, std::string) {
    co_await ctx.sleep(std::chrono::seconds(20));
    co_return "timer";
}
Flow<std::string> by_task(Context& ctx, std::string) {
    const TaskRequest request{.name = "look"};
    co_await ctx.human_task(request);
    co_return "task";
}
Flow<std::string> by_child(Context& ctx, std::string) {
    const auto value = co_await ctx.child<std::string>("by_event", std::string("x"));
    co_return "child " + value;
}

using Ids = std::map<std::string, std::string>;
const std::map<std::string, Ids> ids_in = {{"sqlite",
                                            {{"by_event", "01a1e54f-4077-726e-b182-a885ebed90e2"},
                                             {"by_timer", "01a1e54f-407d-7081-b59a-a8d7da2be5ae"},
                                             {"by_task", "01a1e54f-4082-7075-84a2-a1c7b5ad9dde"},
                                             {"by_child", "01a1e54f-4089-7017-b22f-f5aa0600140e"},
                                             {"event", "01a1e54f-4923-700a-89c0-2b455fdd7c36"},
                                             {"timer", "01a1e54f-49ad-7205-a1ac-efb41c949386"},
                                             {"workflow", "01a1e54f-4a3e-73cf-bc27-26052445509d"},
                                             {"awaited", "01a1e54f-4ac2-7281-8d25-a97c9da3da51"},
                                             {"paused", "01a1e54f-4b93-72c3-b337-8b449fd92fa2"}}},
                                           {"postgres",
                                            {{"by_event", "01a1e54f-4ed4-71ff-9b82-3886452c3121"},
                                             {"by_timer", "01a1e54f-4ef1-71ea-9b49-566749438d3b"},
                                             {"by_task", "01a1e54f-4f02-70c5-8d86-b99d89976c27"},
                                             {"by_child", "01a1e54f-4f09-70c0-aaf5-f5c3433e810e"},
                                             {"event", "01a1e54f-579d-711a-badd-aa57d4a7f4bd"},
                                             {"timer", "01a1e54f-5851-7084-87b8-9cc72b60d7a6"},
                                             {"workflow", "01a1e54f-58c1-7208-b3ec-133addf5c22d"},
                                             {"awaited", "01a1e54f-595c-71e4-8be9-8d504f015252"},
                                             {"paused", "01a1e54f-59d2-71ee-a986-e8d54752a89e"}}}};

class Sleepers : public ::testing::TestWithParam<const char*> {
protected:
    Sleepers() {
        migrate(21);
        place.execute(golden("sleepers_" + place.kind() + "_21.sql"));
        node.add("by_event", by_event);
        node.add("by_timer", by_timer);
        node.add("by_task", by_task);
        node.add("by_child", by_child);
    }

    void migrate(int number) {
        if (place.kind() == "postgres") {
            EXPECT_TRUE(postgres::migrate_to({place.url(), std::chrono::seconds(30)}, number));
            return;
        }
        auto database = *sqlite::Database::open(place.url().substr(7), sqlite::Mode::read_write);
        EXPECT_TRUE(sqlite::migrate(*database, number));
    }
    const std::string& id(const char* name) const { return ids_in.at(place.kind()).at(name); }
    bool runs(const char* name) {
        return eventually([&] { return node.status(id(name)) == "running"; });
    }

    StorePlace place{GetParam(), "", StorePlace::Content::nothing};
    Node node{NodeOptions{.store = place.url(), .workers = 4, .log_level = "off"}};
};

TEST_P(Sleepers, FlowsWakeAndEnd) {
    EXPECT_EQ(node.result<std::string>(id("by_timer")), "timer");
    EXPECT_EQ(node.send<std::string>(id("by_event"), "go", "a"), Sent::delivered);
    EXPECT_EQ(node.result<std::string>(id("by_event")), "event a");
    EXPECT_EQ(node.broadcast<std::string>("go", "b"), Sent::delivered);  // to the child
    EXPECT_EQ(node.result<std::string>(id("by_child")), "child event b");
    for (const OpenTask& task : node.open_tasks(id("by_task")))
        node.complete_task(task.id, {.user = "ann"}, boost::json::object{});
    EXPECT_EQ(node.result<std::string>(id("by_task")), "task");
}

TEST_P(Sleepers, OutsideRunnersWake) {
    ServerClient client(node.serve("127.0.0.1:0"));
    EXPECT_TRUE(runs("timer"));
    EXPECT_EQ(node.send<std::string>(id("event"), "other", "a"), Sent::delivered);
    EXPECT_TRUE(runs("event"));
    EXPECT_EQ(node.status(id("workflow")), "suspended");
    const auto ended = client.post("/api/v1/workflows/" + id("awaited") + "/complete",
                                   R"({"run": 1, "index": 0, "result": 7})");
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->status, 200);
    EXPECT_TRUE(runs("workflow"));
    EXPECT_EQ(node.send<std::string>(id("paused"), "paused", "a"), Sent::queued);
    const auto resumed = client.change("/api/v1/workflows/" + id("paused") + "/resume", "*", "{}");
    ASSERT_TRUE(resumed);
    EXPECT_EQ(resumed->status, 200) << boost::json::serialize(resumed->body);
    EXPECT_TRUE(runs("paused"));
}

INSTANTIATE_TEST_SUITE_P(Stores, Sleepers, ::testing::Values("sqlite", "postgres"), store_name);

}  // namespace
}  // namespace holdfast::testing
