// The whole normalised instance on every store: versions, child rows, clearing (000.1 to 000.7).
#include "support/world.h"

namespace holdfast::testing {
namespace {

class NormalisedInstance : public ::testing::TestWithParam<const char*> {
protected:
    NormalisedInstance() : world(GetParam()) {}

    template <class SomeId>
    SomeId fresh() {
        return world.ids.next<SomeId>();
    }

    Instance full_instance() {
        const auto gateway = fresh<ActivityInstanceId>();
        Instance instance{.id = fresh<InstanceId>(), .definition = {"orders", 1}};
        instance.business = {.key = "order-7", .parts = {{"region", "eu"}}};
        instance.started_by = "Zoë";
        instance.created_at = Moment{std::chrono::microseconds{1'700'000'000'123'456}};
        instance.execution_started_at = instance.created_at + std::chrono::seconds{1};
        instance.state =
            document(R"({"nested":{"list":[],"null":null},"text":"Zoë ✓ \"quoted\"","n":1.5})");
        instance.state_metadata = document(R"({"source":"test"})");
        instance.children.active = {{fresh<ActivityInstanceId>(), "b"},
                                    {fresh<ActivityInstanceId>(), "a"}};
        instance.children.completed = {{fresh<ActivityInstanceId>(), "start"}};
        instance.children.variables = {{fresh<ScopeId>(), document(R"({"x":[1,2,{"y":null}]})")},
                                       {fresh<ScopeId>(), document("{}")}};
        instance.children.conditions[gateway] = {{fresh<ConditionId>(), "flow-1", true, true},
                                                 {fresh<ConditionId>(), "flow-2", false, false}};
        instance.children.forks = {
            {fresh<ForkId>(), gateway, {fresh<TokenId>(), fresh<TokenId>()}}};
        return instance;
    }

    Version write(const Instance& instance, std::optional<Version> expected) {
        return std::get<op::Written>(
                   world.run(op::Write{
                       .cause = world.cause(), .instance = instance, .expected = expected}))
            .version;
    }

    op::InconsistentState refused(const Instance& instance, std::optional<Version> expected) {
        return std::get<op::InconsistentState>(world.run(
            op::Write{.cause = world.cause(), .instance = instance, .expected = expected}));
    }

    World world;
};

// Compares everything except what the store itself sets.
void expect_same_content(const Instance& stored, const Instance& written) {
    EXPECT_EQ(stored.id, written.id);
    EXPECT_EQ(stored.definition, written.definition);
    EXPECT_EQ(stored.business, written.business);
    EXPECT_EQ(stored.status, written.status);
    EXPECT_EQ(stored.started_by, written.started_by);
    EXPECT_EQ(stored.created_at, written.created_at);
    EXPECT_EQ(stored.execution_started_at, written.execution_started_at);
    EXPECT_EQ(stored.completed_at, written.completed_at);
    EXPECT_EQ(stored.state, written.state);
    EXPECT_EQ(stored.state_metadata, written.state_metadata);
    EXPECT_EQ(stored.children, written.children);
}

TEST_P(NormalisedInstance, AFirstWriteInsertsVersionOne) {
    const Instance instance = full_instance();
    EXPECT_EQ(write(instance, std::nullopt), 1u);
    EXPECT_EQ(world.read(instance.id).version, 1u);
}

TEST_P(NormalisedInstance, EverythingSurvivesTheRoundTrip) {
    const Instance instance = full_instance();
    write(instance, std::nullopt);
    if (world.place.kind() != "memory") world.restart();
    expect_same_content(world.read(instance.id), instance);
}

TEST_P(NormalisedInstance, EveryWriteMovesTheVersionEvenWithEqualValues) {
    const Instance instance = full_instance();
    write(instance, std::nullopt);
    EXPECT_EQ(write(instance, 1), 2u);
    EXPECT_EQ(write(instance, 2), 3u);
    EXPECT_EQ(world.history(instance.id).size(), 3u);
}

TEST_P(NormalisedInstance, AWriteThatExpectsAVersionOfNothingIsInconsistent) {
    const Instance instance = full_instance();
    const auto outcome = refused(instance, 1);
    EXPECT_EQ(outcome.stored, std::nullopt);
    EXPECT_EQ(outcome.expected, 1u);
    EXPECT_TRUE(std::holds_alternative<op::NotFound>(
        world.run(op::Read{.cause = world.cause(), .instance = instance.id})));
    EXPECT_TRUE(world.history(instance.id).empty());
}

TEST_P(NormalisedInstance, AWriteWithAStaleOrMissingVersionLeavesTheStoredStateUntouched) {
    Instance instance = full_instance();
    write(instance, std::nullopt);
    write(instance, 1);
    Instance changed = instance;
    changed.state = document(R"({"changed":true})");
    changed.children.active.clear();
    EXPECT_EQ(refused(changed, 1).stored, 2u);
    EXPECT_EQ(refused(changed, std::nullopt).stored, 2u);
    EXPECT_EQ(refused(changed, 7).expected, 7u);
    expect_same_content(world.read(instance.id), instance);
    EXPECT_EQ(world.history(instance.id).size(), 2u);
}

TEST_P(NormalisedInstance, ChildrenAreAddedChangedAndRemovedAcrossWrites) {
    Instance instance = full_instance();
    write(instance, std::nullopt);
    auto& children = instance.children;
    children.completed.push_back(children.active.front());
    children.active.erase(children.active.begin());
    children.active.push_back({fresh<ActivityInstanceId>(), "new"});
    children.variables[0].variables = document(R"({"x":2})");
    children.variables.erase(children.variables.begin() + 1);
    children.conditions.begin()->second[1].evaluated = true;
    children.conditions.begin()->second.erase(children.conditions.begin()->second.begin());
    children.forks.clear();
    write(instance, 1);
    expect_same_content(world.read(instance.id), instance);
}

TEST_P(NormalisedInstance, AConditionKeepsItsIdentityWhenItComesBackWithAnother) {
    Instance instance = full_instance();
    write(instance, std::nullopt);
    Instance again = instance;
    again.children.conditions.begin()->second[1].id = fresh<ConditionId>();
    again.children.conditions.begin()->second[1].evaluated = true;
    write(again, 1);
    const Instance stored = world.read(instance.id);
    const auto& conditions = stored.children.conditions.begin()->second;
    EXPECT_EQ(conditions[1].id, instance.children.conditions.begin()->second[1].id);
    EXPECT_TRUE(conditions[1].evaluated);
    EXPECT_FALSE(conditions[1].result);
}

TEST_P(NormalisedInstance, ClearDeletesTheInstanceWithEveryChildRowAndKeepsItsHistory) {
    const Instance instance = full_instance();
    write(instance, std::nullopt);
    world.run(op::Checkpoint{.cause = world.cause(), .instance = instance.id, .checkpoint = "one"});
    const auto cleared =
        world.run(op::Clear{.cause = world.cause(), .instance = instance.id, .expected = 1});
    EXPECT_EQ(std::get<op::Cleared>(cleared).version, 2u);
    EXPECT_FALSE(*world.store->ask(FindInstance{instance.id, Depth::row}));
    const auto history = world.history(instance.id);
    ASSERT_EQ(history.size(), 2u);
    EXPECT_EQ(history.back().type, HistoryType::cleared);
    if (world.place.kind() == "memory") return;
    world.coordinator.reset();
    world.store.reset();
    for (const char* table : {"instances", "documents", "activities", "variables", "conditions",
                              "forks", "checkpoints"})
        EXPECT_EQ(world.place.query(std::string("select count(*) from ") + table), "0") << table;
}

TEST_P(NormalisedInstance, AnOldVersionNeverMatchesAgainAfterAClear) {
    const Instance instance = full_instance();
    write(instance, std::nullopt);
    world.run(op::Clear{.cause = world.cause(), .instance = instance.id, .expected = 1});
    EXPECT_EQ(write(instance, std::nullopt), 3u);
    EXPECT_EQ(refused(instance, 1).stored, 3u);
    expect_same_content(world.read(instance.id), instance);
}

TEST_P(NormalisedInstance, ClearWithAStaleVersionIsRefusedAndOfNothingIsANoOp) {
    const Instance instance = full_instance();
    write(instance, std::nullopt);
    const auto stale =
        world.run(op::Clear{.cause = world.cause(), .instance = instance.id, .expected = 9});
    EXPECT_EQ(std::get<op::Stale>(stale).actual, 1u);
    expect_same_content(world.read(instance.id), instance);
    const auto nothing =
        world.run(op::Clear{.cause = world.cause(), .instance = fresh<InstanceId>()});
    EXPECT_TRUE(std::holds_alternative<op::NothingToClear>(nothing));
}

TEST_P(NormalisedInstance, DifferentInstancesDoNotInterfere) {
    const Instance first = full_instance();
    const Instance second = full_instance();
    write(first, std::nullopt);
    write(second, std::nullopt);
    Instance changed = first;
    changed.children = {};
    write(changed, 1);
    expect_same_content(world.read(second.id), second);
    EXPECT_EQ(world.read(second.id).version, 1u);
    world.run(op::Clear{.cause = world.cause(), .instance = first.id});
    expect_same_content(world.read(second.id), second);
}

INSTANTIATE_TEST_SUITE_P(Stores, NormalisedInstance, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
