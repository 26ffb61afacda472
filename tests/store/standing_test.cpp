// Which workflows need somebody, and why one stands where it does: the same on every store.
#include <algorithm>

#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

class StandingOn : public ::testing::TestWithParam<const char*> {
protected:
    StandingOn() : world(GetParam()) {
        world.define("plain");
        world.define_program("flow");
        for (const char* name : {"still", "paused", "waits"}) add(name, "plain");
        world.self.programs.clear();  // nobody takes the flows
        for (const char* name : {"stranded", "retries"}) add(name, "flow");
        world.run(op::Pause{.cause = world.cause("ann"), .instance = ids["paused"]});
        world.run(op::Suspend{.cause = world.cause(),
                              .instance = ids["waits"],
                              .wait = {.names = {"paid", "called"}}});
        report_stranded();
        put_off();
    }

    void add(const std::string& name, const std::string& definition) {
        ids[name] = world.start(definition, "{}", {.key = name, .parts = {}}).id;
    }
    void report_stranded() {
        const auto page = world.store->ask(FindStranded{});
        for (const Stranded& one : page->items)
            if (one.instance == ids["stranded"])
                world.run(op::ReportStranded{.cause = world.cause(),
                                             .instance = one.instance,
                                             .signal = one.signal,
                                             .detail = "nobody has it"});
    }
    // A node that has the program comes and holds the continuations.
    void bring_program() {
        const NodeId node = world.ids.next<NodeId>();
        EXPECT_TRUE(world.store->join({node, "with", 1h, {"flow"}}));
        const auto claimed = world.store->claim({.node = node, .programs = {"flow"}});
        for (const SignalRow& row : claimed->signals) leases[row.instance] = {node, row.epoch};
    }
    op::Run run_of(const std::string& name) {
        const Instance instance = world.read(ids[name]);
        return {instance.run, instance.index, leases.at(instance.id)};
    }
    void put_off() {
        bring_program();
        const op::Run run = run_of("retries");
        EXPECT_TRUE(std::holds_alternative<op::PutOffUntil>(
            world.run(op::PutOff{.cause = world.cause(),
                                 .instance = ids["retries"],
                                 .run = run,
                                 .error = document(R"({"message":"refused"})"),
                                 .pause = 1h})));
    }

    // The business keys of what a query finds, in its order, over pages of two.
    Names found(InstanceQuery query) {
        Names keys;
        query.limit = 2;
        for (int i = 0; i < 20; ++i) {
            const auto page = world.store->ask(query);
            EXPECT_TRUE(page) << (page ? "" : page.error().message);
            if (!page) break;
            for (const auto& item : page->items) keys.push_back(item.instance.business.key);
            query.cursor = page->next;
            if (!page->next) break;
        }
        return keys;
    }
    bool is_scanned(const InstanceQuery& query) { return world.store->ask(query)->scanned; }

    World world;
    std::map<std::string, InstanceId> ids;
    std::map<InstanceId, Lease> leases;
};

INSTANTIATE_TEST_SUITE_P(Stores, StandingOn, all_stores(), store_name);

TEST_P(StandingOn, OnlyFindsThoseThatNeedSomebody) {
    EXPECT_EQ(found({.only = {Only::paused}}), Names{"paused"});
    EXPECT_EQ(found({.only = {Only::incident}}), Names{"stranded"});
    EXPECT_EQ(found({.only = {Only::stuck}}), Names{"stranded"});
    EXPECT_EQ(found({.only = {Only::quarantined}}), Names{});
    EXPECT_EQ(found({.only = {Only::retrying}}), Names{"retries"});
    EXPECT_EQ(found({.only = {Only::incident, Only::paused}}), Names{});
    EXPECT_EQ(found({.statuses = {Status::suspended}, .only = {Only::stuck}}), Names{});
    world.run(op::Pause{.cause = world.cause(), .instance = ids["stranded"]});
    EXPECT_EQ(found({.only = {Only::incident, Only::paused}}), Names{"stranded"});
    EXPECT_EQ(found({.only = {Only::paused}}), (Names{"stranded", "paused"}));
    EXPECT_EQ(found({.only = {Only::paused}, .order = PageOrder::oldest_first}),
              (Names{"paused", "stranded"}));
    world.run(op::Cancel{.cause = world.cause(), .instance = ids["stranded"]});
    EXPECT_EQ(found({.only = {Only::stuck}}), Names{}) << "it has ended";
}

TEST_P(StandingOn, AWaitIsFoundByTheNameOfItsEvent) {
    EXPECT_EQ(found({.waits_for = "paid"}), Names{"waits"});
    EXPECT_EQ(found({.waits_for = "called"}), Names{"waits"});
    EXPECT_EQ(found({.waits_for = "pai"}), Names{});
    for (const char* name : {"w1", "w2", "w3"}) {
        add(name, "plain");
        world.run(op::Suspend{
            .cause = world.cause(), .instance = ids[name], .wait = {.names = {"paid"}}});
    }
    EXPECT_EQ(found({.waits_for = "paid"}), (Names{"w3", "w2", "w1", "waits"}));
    EXPECT_EQ(found({.waits_for = "paid", .order = PageOrder::oldest_first}),
              (Names{"waits", "w1", "w2", "w3"}));
    world.run(op::Pause{.cause = world.cause(), .instance = ids["w2"]});
    EXPECT_EQ(found({.waits_for = "paid"}), (Names{"w3", "w1", "waits"}))
        << "a paused one takes nothing";
}

TEST_P(StandingOn, ATimerIsFoundByWhenItIsDue) {
    const Moment now = *world.store->ask(FindTime{});
    EXPECT_EQ(found({.due_before = now + 2h}), Names{"retries"}) << "its next attempt";
    EXPECT_EQ(found({.due_before = now + 30min}), Names{});
    world.run(
        op::Suspend{.cause = world.cause(), .instance = ids["still"], .wait = {.until = now + 1h}});
    EXPECT_EQ(found({.due_before = now + 2h}), (Names{"retries", "still"}));
    EXPECT_EQ(found({.due_before = now + 1h}), Names{"retries"}) << "it was put off before";
}

TEST_P(StandingOn, ChildrenAreFoundByTheirParent) {
    const op::Run run = run_of("stranded");
    const op::StartChild start{.cause = world.cause(),
                               .instance = ids["stranded"],
                               .run = run,
                               .step_name = "child",
                               .definition = "flow",
                               .business = {.key = "child", .parts = {}},
                               .arguments = document("[1]")};
    ASSERT_TRUE(std::holds_alternative<op::ChildStarted>(world.run(start)));
    EXPECT_EQ(found({.parent = ids["stranded"]}), Names{"child"});
    EXPECT_EQ(found({.statuses = {Status::failed}, .parent = ids["stranded"]}), Names{});
    EXPECT_EQ(found({.parent = ids["still"]}), Names{});
}

TEST_P(StandingOn, APageBeginsAtEitherEnd) {
    const Names oldest{"still", "paused", "waits", "stranded", "retries"};
    Names newest = oldest;
    std::ranges::reverse(newest);
    EXPECT_EQ(found({}), newest);
    EXPECT_EQ(found({.order = PageOrder::oldest_first}), oldest);
    EXPECT_EQ(found({.definition = "flow", .order = PageOrder::oldest_first}),
              (Names{"stranded", "retries"}));
    EXPECT_EQ(
        found({.statuses = {Status::running, Status::suspended}, .order = PageOrder::oldest_first}),
        oldest);
    EXPECT_EQ(found({.business_key = "waits", .order = PageOrder::oldest_first}), Names{"waits"});
}

TEST_P(StandingOn, UsersIdsAndTimesOfChangesAreFilters) {
    const Instance mine =
        std::get<op::Started>(world.run(op::Start{.cause = world.cause("bob"),
                                                  .definition = "plain",
                                                  .business = {.key = "bobs"},
                                                  .state = document("{}"),
                                                  .state_metadata = document("{}")}))
            .instance;
    EXPECT_EQ(found({.user = "bob"}), Names{"bobs"});
    EXPECT_EQ(found({.user = "eve"}), Names{});
    EXPECT_EQ(found({.ids = IdRange{mine.id, mine.id}}), Names{"bobs"});
    EXPECT_EQ(found({.ids = IdRange{ids["still"], ids["waits"]}}),
              (Names{"waits", "paused", "still"}));
    EXPECT_EQ(found({.updated_from = mine.updated_at}), Names{"bobs"});
    const Names before = found({.updated_before = mine.updated_at});
    EXPECT_EQ(before.size(), 5u);
    EXPECT_EQ(std::ranges::find(before, "bobs"), before.end());
}

TEST_P(StandingOn, ScannedSaysWhetherAnIndexServed) {
    if (std::string_view(GetParam()) == "memory") return;  // it has no indexes
    for (const InstanceQuery& query :
         {InstanceQuery{.only = {Only::paused}}, InstanceQuery{.only = {Only::stuck}},
          InstanceQuery{.parent = ids["still"]}, InstanceQuery{.waits_for = "paid"},
          InstanceQuery{.ids = IdRange{ids["still"], ids["waits"]}},
          InstanceQuery{.due_before = Moment{}}})
        EXPECT_FALSE(is_scanned(query));
    EXPECT_TRUE(is_scanned({.only = {Only::retrying}}));
    EXPECT_TRUE(is_scanned({.user = "bob"}));
    EXPECT_TRUE(is_scanned({.updated_from = Moment{}}));
}

TEST_P(StandingOn, TheStandingHasTheContinuationAndTheIncident) {
    const Standing stranded = *world.store->ask(FindStanding{ids["stranded"]});
    ASSERT_TRUE(stranded.continuation);
    EXPECT_EQ(stranded.continuation->program, "flow");
    ASSERT_TRUE(stranded.incident);
    EXPECT_EQ(stranded.incident->type, HistoryType::incident_raised);
    EXPECT_NE(stranded.incident->payload.find("nobody has it"), std::string::npos);
    const Standing still = *world.store->ask(FindStanding{ids["still"]});
    EXPECT_FALSE(still.continuation);
    EXPECT_FALSE(still.incident);
    const Standing unknown = *world.store->ask(FindStanding{world.ids.next<InstanceId>()});
    EXPECT_FALSE(unknown.continuation || unknown.incident);
}

}  // namespace
}  // namespace holdfast::testing
