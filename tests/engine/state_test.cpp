// The state of a process: `variables` is the root scope, `currentStep` is the engine's (000.10).
#include "engine/process_world.h"

namespace holdfast::testing {
namespace {

const std::string state_ends = "<startEvent id='s'/><endEvent id='e'/><endEvent id='f'/>";
// A task, then a gateway that looks at a variable.
const std::string gated =
    state_ends + "<userTask id='t' name='T'/><exclusiveGateway id='x' default='x-f'/>" +
    flow("s", "t") + flow("t", "x") + flow("x", "e", "go = true") + flow("x", "f");
const std::string watched =
    state_ends +
    "<intermediateCatchEvent id='c'><conditionalEventDefinition>"
    "<condition>=x = 1</condition></conditionalEventDefinition></intermediateCatchEvent>" +
    flow("s", "c") + flow("c", "e");

class StateOfProcesses : public ProcessWorld {
protected:
    op::EditState::Outcome edit(const InstanceId& id, op::Edit edit,
                                std::optional<Version> expected = {},
                                OnConflict on_conflict = OnConflict::reject) {
        return world.run(op::EditState{.cause = world.cause("ann"),
                                       .instance = id,
                                       .expected = expected,
                                       .edit = std::move(edit),
                                       .on_conflict = on_conflict});
    }
    void expect_refused(const op::EditState::Outcome& outcome, const std::string& path) {
        const auto* invalid = std::get_if<op::InvalidState>(&outcome);
        ASSERT_TRUE(invalid);
        EXPECT_EQ(invalid->violations.at(0).path, path);
    }
    void checkpoint(const InstanceId& id, const std::string& name) {
        world.run(op::Checkpoint{.cause = world.cause(), .instance = id, .checkpoint = name});
    }
    void restore(const InstanceId& id, const std::string& name) {
        world.run(op::Restore{.cause = world.cause("ann"), .instance = id, .checkpoint = name});
    }
};

TEST_P(StateOfProcesses, SaysWhereTheProcessIs) {
    deploy(model(state_ends + "<userTask id='a' name='A'/><userTask id='b' name='B'/>" +
                 flow("s", "a") + flow("a", "b") + flow("b", "e")));
    const InstanceId id = start(R"({"n": 1})");
    EXPECT_EQ(world.read(id).state, document(R"({"currentStep": "a", "variables": {"n": 1}})"));
    complete(task(id, "A"));
    reload();
    EXPECT_EQ(world.read(id).state, document(R"({"currentStep": "b", "variables": {"n": 1}})"));
    complete(task(id, "B"));
    EXPECT_EQ(world.read(id).state, document(R"({"variables": {"n": 1}})"));
    EXPECT_EQ(world.read(id).result, document(R"({"n": 1})"));
}

TEST_P(StateOfProcesses, IsFoundByItsStepAndByItsVariables) {
    deploy(model(gated));
    const InstanceId id = start(R"({"customer": "Zoë"})");
    InstanceQuery query;
    query.paths = {{json::Path{{"currentStep"}}, "t"},
                   {json::Path{{"variables", "customer"}}, "Zoë"}};
    const auto found = world.store->ask(query);
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->items.size(), 1u);
    EXPECT_EQ(found->items.front().instance.id, id);
}

TEST_P(StateOfProcesses, AnEditIsSeenByTheNextExpression) {
    deploy(model(gated));
    const InstanceId id = start(R"({"go": false})");
    const Version version = world.read(id).version;
    EXPECT_TRUE(std::holds_alternative<op::Edited>(
        edit(id, op::MergePatch{document(R"({"variables": {"go": true}})")}, version)));
    EXPECT_TRUE(std::holds_alternative<op::Stale>(
        edit(id, op::MergePatch{document(R"({"variables": {"go": false}})")}, version)));
    reload();
    complete(task(id, "T"));
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"go": true})"));
}

TEST_P(StateOfProcesses, EditsOfOtherVariablesMerge) {
    deploy(model(gated));
    const InstanceId id = start(R"({"a": 1, "b": 1})");
    const Version base = world.read(id).version;
    patch_variables(id, R"({"a": 2})");
    const auto merged =
        edit(id, op::MergePatch{document(R"({"variables": {"b": 2}})")}, base, OnConflict::merge);
    ASSERT_TRUE(std::holds_alternative<op::Edited>(merged));
    EXPECT_EQ(variables(id), document(R"({"a": 2, "b": 2})"));
}

// The base is of another step; that is no edit of the step.
TEST_P(StateOfProcesses, AnEditMergesWithAMoveOfTheProcess) {
    deploy(model(state_ends + "<userTask id='a' name='A'/><userTask id='b' name='B'/>" +
                 flow("s", "a") + flow("a", "b") + flow("b", "e")));
    const InstanceId id = start(R"({"n": 1})");
    const Version base = world.read(id).version;
    complete(task(id, "A"), R"({"done": true})");
    const auto merged =
        edit(id, op::MergePatch{document(R"({"variables": {"n": 2}})")}, base, OnConflict::merge);
    ASSERT_TRUE(std::holds_alternative<op::Edited>(merged));
    EXPECT_EQ(world.read(id).state,
              document(R"({"currentStep": "b", "variables": {"done": true, "n": 2}})"));
}

TEST_P(StateOfProcesses, TheStepIsTheEnginesAndVariablesAreAnObject) {
    deploy(model(gated));
    const InstanceId id = start(R"({"n": 1})");
    const Version before = world.read(id).version;
    expect_refused(edit(id, op::MergePatch{document(R"({"currentStep": "e"})")}), "/currentStep");
    expect_refused(edit(id, op::MergePatch{document(R"({"currentStep": null})")}), "/currentStep");
    expect_refused(edit(id, op::Replace{.state = document(R"({"variables": {}})")}),
                   "/currentStep");
    expect_refused(edit(id, op::MergePatch{document(R"({"variables": 7})")}), "/variables");
    EXPECT_EQ(world.read(id).version, before);
    const auto kept = edit(
        id,
        op::Replace{.state = document(R"({"currentStep": "t", "variables": {"n": 2}, "x": 1})")});
    EXPECT_TRUE(std::holds_alternative<op::Edited>(kept));
    complete(task(id, "T"));
    EXPECT_EQ(world.read(id).state, document(R"({"variables": {"n": 2}, "x": 1})"));
    const auto started = world.run(op::Start{.cause = world.cause(),
                                             .definition = "p",
                                             .state = document(R"({"currentStep": "t"})"),
                                             .state_metadata = document("{}")});
    EXPECT_TRUE(std::holds_alternative<op::InvalidState>(started));
}

TEST_P(StateOfProcesses, ARestoredCheckpointIsAnEdit) {
    deploy(model(watched));
    const InstanceId id = start(R"({"x": 0})");
    checkpoint(id, "zero");
    restore(id, "zero");
    EXPECT_EQ(world.read(id).status, Status::suspended);
    world.run(op::Pause{.cause = world.cause(), .instance = id});
    patch_variables(id, R"({"x": 1})");
    checkpoint(id, "one");
    patch_variables(id, R"({"x": 0})");
    world.run(op::Resume{.cause = world.cause(), .instance = id});
    EXPECT_EQ(world.read(id).status, Status::suspended);
    reload();
    restore(id, "one");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(StateOfProcesses, ACheckpointOfAnotherStepKeepsTheStep) {
    deploy(model(state_ends + "<userTask id='a' name='A'/><userTask id='b' name='B'/>" +
                 flow("s", "a") + flow("a", "b") + flow("b", "e")));
    const InstanceId id = start(R"({"n": 1})");
    checkpoint(id, "begin");
    complete(task(id, "A"), R"({"n": 2})");
    restore(id, "begin");
    EXPECT_EQ(world.read(id).state, document(R"({"currentStep": "b", "variables": {"n": 1}})"));
}

TEST_P(StateOfProcesses, AConditionThatBecameTrueInAPauseFiresAtItsEnd) {
    deploy(model(watched));
    const InstanceId id = start(R"({"x": 0})");
    world.run(op::Pause{.cause = world.cause(), .instance = id});
    patch_variables(id, R"({"x": 1})");
    EXPECT_EQ(world.read(id).status, Status::suspended);
    reload();
    world.run(op::Resume{.cause = world.cause(), .instance = id});
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

INSTANTIATE_TEST_SUITE_P(Stores, StateOfProcesses, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
