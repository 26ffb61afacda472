// Processes that events and timers start, on every store.
#include <algorithm>

#include "engine/process_world.h"
#include "model/definition.h"

namespace holdfast::testing {
namespace {

using Elements = std::vector<std::string>;

const std::string order_message = "<message id='m' name='order'/>";
const std::string rest = "<userTask id='t'/><endEvent id='e'/>" + flow("s", "t") + flow("t", "e");

class Starts : public ProcessWorld {
protected:
    // What was started, without the starters.
    std::vector<Instance> started() {
        std::vector<Instance> found;
        const auto page = world.store->ask(InstanceQuery{.definition = "p", .limit = 100});
        for (const auto& item : page->items) {
            Instance instance = world.read(item.instance.id);
            if (!is_starter(instance)) found.push_back(std::move(instance));
        }
        return found;
    }
    Instance starter(std::uint32_t version) {
        return world.read(starter_of("default", {"p", version}));
    }
    op::SendEvent::Outcome send_exactly_one(const std::string& name) {
        return world.run(op::SendEvent{.cause = world.cause(),
                                       .event = world.ids.next<EventId>(),
                                       .event_name = name,
                                       .value = document("{}"),
                                       .fan_out = FanOut::exactly_one});
    }
};

TEST_P(Starts, AMessageStartsAnInstanceEachTime) {
    deploy(model("<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>" + rest,
                 order_message));
    EXPECT_TRUE(started().empty());
    send("order", {}, R"({"amount": 1})");
    reload();
    send("order", {}, R"({"amount": 2})");
    const auto all = started();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_NE(all[0].state, all[1].state);
    EXPECT_EQ(active(all[0].id), Elements{"t"});
    EXPECT_FALSE(all[0].parent);
    complete(tasks(all[0].id).front());
    EXPECT_EQ(world.read(all[0].id).status, Status::succeeded);
    EXPECT_EQ(starter(1).status, Status::suspended);
}

TEST_P(Starts, ACallStandsForTheOnlyStartEvent) {
    deploy(model("<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>" + rest,
                 order_message));
    const InstanceId id = start(R"({"amount": 4})");
    EXPECT_EQ(active(id), Elements{"t"});
    EXPECT_EQ(variables(id), document(R"({"amount": 4})"));
}

TEST_P(Starts, ACallCannotStartWhatSeveralEventsStart) {
    deploy(
        model("<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>"
              "<startEvent id='s2'><messageEventDefinition messageRef='n'/></startEvent>" +
                  flow("s2", "t") + rest,
              order_message + "<message id='n' name='offer'/>"));
    const auto outcome = world.run(op::Start{.cause = world.cause(),
                                             .definition = "p",
                                             .state = document("{}"),
                                             .state_metadata = document("{}")});
    EXPECT_TRUE(std::holds_alternative<op::NotStartable>(outcome));
    EXPECT_TRUE(started().empty());
}

TEST_P(Starts, AMessageThatCameBeforeTheDeploymentStartsAnInstance) {
    send("order", {}, R"({"amount": 7})");
    deploy(model("<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>" + rest,
                 order_message));
    ASSERT_EQ(started().size(), 1u);
    EXPECT_EQ(variables(started().front().id), document(R"({"amount": 7})"));
}

TEST_P(Starts, ANewVersionTakesOverWhatStartsInstances) {
    const std::string start_event =
        "<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>";
    deploy(model(start_event + rest, order_message));
    deploy(model(start_event + rest + "<task id='more'/>", order_message));
    EXPECT_EQ(starter(1).status, Status::cancelled);
    send("order");
    ASSERT_EQ(started().size(), 1u);
    EXPECT_EQ(started().front().definition.version, 2u);
    deploy(model("<startEvent id='s'/>" + rest));
    EXPECT_EQ(starter(2).status, Status::cancelled);
    send("order");
    EXPECT_EQ(started().size(), 1u);
}

TEST_P(Starts, ASignalStartsOneAndWakesTheOthers) {
    deploy(
        model("<startEvent id='s'><signalEventDefinition signalRef='g'/></startEvent>"
              "<intermediateCatchEvent id='c'><signalEventDefinition signalRef='g'/>"
              "</intermediateCatchEvent><endEvent id='e'/>" +
                  flow("s", "c") + flow("c", "e"),
              "<signal id='g' name='go'/>"));
    const auto broadcast = [&] {
        world.run(op::SendEvent{.cause = world.cause(),
                                .event = world.ids.next<EventId>(),
                                .event_name = "go",
                                .value = document("{}"),
                                .fan_out = FanOut::all});
    };
    broadcast();
    ASSERT_EQ(started().size(), 1u);
    EXPECT_EQ(started().front().status, Status::suspended);
    broadcast();
    ASSERT_EQ(started().size(), 2u);
    const auto all = started();
    EXPECT_EQ(std::ranges::count(all, Status::succeeded, &Instance::status), 1);
}

TEST_P(Starts, ATimerIsARowThatFiresOnceAndIsArmedAgain) {
    deploy(
        model("<startEvent id='s'><timerEventDefinition><timeCycle>R2/PT1.5S</timeCycle>"
              "</timerEventDefinition></startEvent>" +
              rest));
    const InstanceId id = starter_of("default", {"p", 1});
    reload();
    ASSERT_EQ(world.read(id).waits.size(), 1u);
    const TokenId first = world.read(id).waits.front().token;
    while (started().empty())
        world.run(op::FireTimer{.cause = world.cause(), .instance = id, .token = first});
    EXPECT_EQ(started().size(), 1u);
    world.run(op::FireTimer{.cause = world.cause(), .instance = id, .token = first});
    EXPECT_EQ(started().size(), 1u);
    while (started().size() == 1) fire(id);
    // Its schedule is over.
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(started().size(), 2u);
}

TEST_P(Starts, AConditionStartsAnInstanceWhenItIsEvaluated) {
    deploy(
        model("<startEvent id='s'><conditionalEventDefinition><condition>=heat > 50</condition>"
              "</conditionalEventDefinition></startEvent>" +
              rest));
    send("start:conditions", {}, R"({"heat": 20})");
    EXPECT_TRUE(started().empty());
    send("start:conditions", {}, R"({"heat": 70})");
    ASSERT_EQ(started().size(), 1u);
    EXPECT_EQ(variables(started().front().id), document(R"({"heat": 70})"));
}

TEST_P(Starts, AReceiveTaskStartsAnInstance) {
    deploy(model("<receiveTask id='s' messageRef='m' instantiate='true'/>" + rest, order_message));
    send("order", {}, R"({"amount": 3})");
    ASSERT_EQ(started().size(), 1u);
    EXPECT_EQ(variables(started().front().id), document(R"({"amount": 3})"));
    EXPECT_EQ(active(started().front().id), Elements{"t"});
}

TEST_P(Starts, AGatewayStartsAnInstanceByEachOfItsEvents) {
    deploy(
        model("<eventBasedGateway id='g' instantiate='true'/>"
              "<intermediateCatchEvent id='a'><messageEventDefinition messageRef='m'/>"
              "</intermediateCatchEvent>"
              "<intermediateCatchEvent id='b'><messageEventDefinition messageRef='n'/>"
              "</intermediateCatchEvent>"
              "<userTask id='ta'/><userTask id='tb'/><endEvent id='e'/>" +
                  flow("g", "a") + flow("g", "b") + flow("a", "ta") + flow("b", "tb") +
                  flow("ta", "e") + flow("tb", "e"),
              order_message + "<message id='n' name='offer'/>"));
    send("offer");
    ASSERT_EQ(started().size(), 1u);
    EXPECT_EQ(active(started().front().id), Elements{"tb"});
    send("order");
    EXPECT_EQ(started().size(), 2u);
}

TEST_P(Starts, ExactlyOneReceiverIsReachedOrNobody) {
    EXPECT_EQ(std::get<op::NotExactlyOne>(send_exactly_one("order")).waits, 0u);
    deploy(
        model("<startEvent id='n'/>"
              "<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>"
              "<receiveTask id='r' messageRef='m'/>" +
                  flow("n", "r") + flow("r", "e") + rest,
              order_message));
    // Nothing was queued before.
    EXPECT_TRUE(started().empty());
    EXPECT_TRUE(std::holds_alternative<op::Delivered>(send_exactly_one("order")));
    EXPECT_EQ(started().size(), 1u);
    const InstanceId waiting = start();
    EXPECT_EQ(std::get<op::NotExactlyOne>(send_exactly_one("order")).waits, 2u);
    EXPECT_EQ(active(waiting), Elements{"r"});
}

TEST_P(Starts, AStartByEventsIsCancelledLikeAnyWorkflow) {
    deploy(model("<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>" + rest,
                 order_message));
    world.run(op::Cancel{.cause = world.cause(), .instance = starter_of("default", {"p", 1})});
    send("order");
    EXPECT_TRUE(started().empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, Starts, all_stores(), store_name);

class Modifications : public ProcessWorld {
protected:
    op::Modify::Outcome modify(const InstanceId& id, std::vector<Modification> steps) {
        return world.run(
            op::Modify{.cause = world.cause(), .instance = id, .steps = std::move(steps)});
    }
};

TEST_P(Modifications, ATokenIsMovedByHand) {
    deploy(model("<startEvent id='s'/><userTask id='a'/><userTask id='b'/><endEvent id='e'/>" +
                 flow("s", "a") + flow("a", "b") + flow("b", "e")));
    const InstanceId id = start();
    const ActivityInstanceId at = world.read(id).children.active.front().id;
    reload();
    const auto outcome = modify(id, {modification::End{at}, modification::Enter{"b", {}}});
    EXPECT_TRUE(std::holds_alternative<op::ModifyDone>(outcome));
    EXPECT_EQ(active(id), Elements{"b"});
    ASSERT_EQ(tasks(id).size(), 1u);
    complete(tasks(id).front());
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(Modifications, AreDoneAsAWholeOrNotAtAll) {
    deploy(model("<startEvent id='s'/><userTask id='a'/><endEvent id='e'/>" + flow("s", "a") +
                 flow("a", "e")));
    const InstanceId id = start();
    const Version before = world.read(id).version;
    const auto outcome = modify(id, {modification::SetVariables{{}, document(R"({"x": 1})")},
                                     modification::Enter{"nowhere", {}}});
    EXPECT_EQ(std::get<op::ModifyRefused>(outcome).why, "there is no element 'nowhere'");
    EXPECT_EQ(world.read(id).version, before);
    EXPECT_EQ(variables(id), document("{}"));
}

TEST_P(Modifications, AnEditOfTheStateWakesACondition) {
    deploy(
        model("<startEvent id='s'/><intermediateCatchEvent id='c'><conditionalEventDefinition>"
              "<condition>=x = 1</condition></conditionalEventDefinition>"
              "</intermediateCatchEvent><endEvent id='e'/>" +
              flow("s", "c") + flow("c", "e")));
    const InstanceId id = start(R"({"x": 0})");
    reload();
    patch_variables(id, R"({"x": 2})");
    EXPECT_EQ(world.read(id).status, Status::suspended);
    patch_variables(id, R"({"x": 1})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

INSTANTIATE_TEST_SUITE_P(Stores, Modifications, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
