// Each family of elements goes over to another version of the model, on every store.
#include "engine/migration_world.h"

namespace holdfast::testing {
namespace {

class MigratedElements : public MigrationWorld {};

TEST_P(MigratedElements, AnEventSubProcessThatInterruptedStaysAlone) {
    const auto with = [](const std::string& more) {
        return line({"a"}, user("a") +
                               "<subProcess id='ev' triggeredByEvent='true'><startEvent id='es'>" +
                               catches("m") + "</startEvent>" + user("repair") +
                               flow("es", "repair") + "</subProcess>" + more);
    };
    deploy(with(""));
    const InstanceId id = start();
    send("paid");
    deploy(with("<subProcess id='ev2' triggeredByEvent='true'><startEvent id='es2'>" +
                catches("n") + "</startEvent>" + user("other") + flow("es2", "other") +
                "</subProcess>"));
    EXPECT_TRUE(migrated(id).begun.empty());
    EXPECT_EQ(active(id), (Elements{"ev", "repair"}));
    complete(tasks(id).front());
    EXPECT_TRUE(ended(id));
}

TEST_P(MigratedElements, AJobStaysWithItsWorkersAndACallWithItsChild) {
    const std::string child = "<process id='child' isExecutable='true'><startEvent id='k'/>" +
                              user("inner") + flow("k", "inner") + "</process>";
    const auto parent = [&](const std::string& more) {
        return "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
               "xmlns:zeebe='http://camunda.org/schema/zeebe/1.0' targetNamespace='t'>" +
               child +
               "<process id='q' isExecutable='true'><startEvent id='s'/>"
               "<parallelGateway id='f'/>" +
               work_task("j") +
               "<callActivity id='c' calledElement='child'/><parallelGateway id='g'/>" + more +
               "<endEvent id='e'/>" + flow("s", "f") + flow("f", "j") + flow("f", "c") +
               flow("j", "g") + flow("c", "g") + flow("g", more.empty() ? "e" : "after") +
               (more.empty() ? "" : flow("after", "e")) + "</process></definitions>";
    };
    deploy(parent(""));
    const InstanceId id = world.start("q", "{}").id;
    deploy(parent(user("after")));
    const MigrationReport report = migrated(id);
    EXPECT_EQ(report.carried.size(), 2u);
    work(id);
    EXPECT_EQ(active(id), (Elements{"c", "g"}));
    const auto children =
        world.store->ask(InstanceQuery{.definition = "child", .limit = 10})->items;
    ASSERT_EQ(children.size(), 1u);
    complete(tasks(children.front().instance.id).front());
    EXPECT_EQ(active(id), Elements{"after"});
}

TEST_P(MigratedElements, EveryInstanceOfALoopGoesOn) {
    const auto many = [](const std::string& id, const std::string& next) {
        return line(next.empty() ? Elements{id} : Elements{id, next},
                    "<userTask id='" + id +
                        "'><multiInstanceLoopCharacteristics isSequential='false'>"
                        "<loopCardinality>=3</loopCardinality></multiInstanceLoopCharacteristics>"
                        "</userTask>" +
                        (next.empty() ? "" : user(next)));
    };
    deploy(many("a", ""));
    const InstanceId id = start();
    complete(tasks(id).front());
    deploy(many("b", "after"));
    EXPECT_EQ(migrated(id, {{"a", "b"}}).carried,
              (std::vector<MigrationReport::Carried>{{"a", "b", 3}}));
    for (int i = 0; i < 2; ++i) complete(tasks(id).front());
    EXPECT_EQ(active(id), Elements{"after"});
}

TEST_P(MigratedElements, ALoopIsNoSingleTask) {
    deploy(line({"a"}, "<userTask id='a'><standardLoopCharacteristics/></userTask>"));
    const InstanceId id = start();
    deploy(line({"a"}, user("a")));
    EXPECT_EQ(problems(id).front(),
              "a: it is a user task in a loop, and in the target 'a' is a user task");
}

TEST_P(MigratedElements, TokensAtAJoinGoOnIfNoneIsMissingAnyMore) {
    const auto joined = [](const Elements& ids) {
        std::string xml = "<startEvent id='s'/><parallelGateway id='f'/><parallelGateway id='j'/>" +
                          user("last") + "<endEvent id='e'/>" + flow("s", "f") + flow("j", "last") +
                          flow("last", "e");
        for (const std::string& id : ids) xml += user(id) + flow("f", id) + flow(id, "j");
        return model(xml);
    };
    deploy(joined({"a", "b"}));
    const InstanceId id = start();
    complete(task(id, "a"));
    const ActivityInstanceId b = world.read(id).children.active.front().id;
    world.run(op::Modify{.cause = world.cause(), .instance = id, .steps = {modification::End{b}}});
    EXPECT_EQ(active(id), Elements{"j"});
    deploy(joined({"a"}));
    migrated(id);
    EXPECT_EQ(active(id), Elements{"last"});
}

TEST_P(MigratedElements, ATokenAtAJoinNeedsTheFlowThatItCameBy) {
    const auto joined = [](const std::string& one) {
        return model("<startEvent id='s'/><parallelGateway id='f'/><inclusiveGateway id='j'/>" +
                     user(one) + user("b") + "<endEvent id='e'/>" + flow("s", "f") +
                     flow("f", one) + flow("f", "b") + flow(one, "j") + flow("b", "j") +
                     flow("j", "e"));
    };
    deploy(joined("a"));
    const InstanceId id = start();
    complete(task(id, "a"));
    deploy(joined("x"));
    EXPECT_EQ(problems(id).front(),
              "j: a token that came by 'a-j' is there, and in the target no such flow leads to it: "
              "map the flow to another");
    migrated(id, {{"a-j", "x-j"}});
    complete(task(id, "b"));
    EXPECT_TRUE(ended(id));
}

TEST_P(MigratedElements, AnEventThatWaitsForAnotherMessageTakesWhatIsQueued) {
    const auto waits_for = [](const std::string& message) {
        return line({"r", "c"}, "<receiveTask id='r' messageRef='" + message + "'/>" +
                                    "<intermediateCatchEvent id='c'>" + catches(message) +
                                    "</intermediateCatchEvent>");
    };
    deploy(waits_for("m"));
    const InstanceId id = start();
    const InstanceId other = start();
    send("paid", other);
    EXPECT_EQ(active(other), Elements{"c"});
    deploy(waits_for("n"));
    send("settled", id);
    EXPECT_EQ(active(id), Elements{"r"});
    EXPECT_EQ(migrated(id).begun, (std::vector<MigrationReport::Counted>{{"r", 1}}));
    EXPECT_EQ(active(id), Elements{"c"}) << "the queued message came to it";
    migrated(other);
    send("paid", other);
    EXPECT_FALSE(ended(other));
    send("settled", other);
    EXPECT_TRUE(ended(other));
}

TEST_P(MigratedElements, AnEventThatCannotWaitThereIsAProblem) {
    const auto waits = [](const std::string& key) {
        return model("<startEvent id='s'/><intermediateCatchEvent id='c'>" + catches("m") +
                         "</intermediateCatchEvent><endEvent id='e'/>" + flow("s", "c") +
                         flow("c", "e"),
                     "<message id='m' name='paid'><extensionElements><zeebe:subscription "
                     "correlationKey='=" +
                         key + "'/></extensionElements></message>");
    };
    deploy(waits("x"));
    const InstanceId id = start(R"({"x": "7"})");
    deploy(waits("y"));
    EXPECT_EQ(problems(id), Elements{"c: the correlation key of message 'paid' has no value"});
    patch_variables(id, R"({"y": "8"})");
    migrated(id);
    EXPECT_EQ(world.read(id).waits.front().wait.names.front().correlation, "8");
}

TEST_P(MigratedElements, ANewAlternativeOfAnEventGatewayBegins) {
    const auto gate = [](bool more) {
        const auto one = [](const std::string& id, const std::string& message) {
            return "<intermediateCatchEvent id='" + id + "'>" + catches(message) +
                   "</intermediateCatchEvent>" + flow("g", id) + flow(id, "e");
        };
        return model("<startEvent id='s'/><eventBasedGateway id='g'/><endEvent id='e'/>" +
                         flow("s", "g") + one("x", "m") + "<intermediateCatchEvent id='t'>" +
                         timer("PT1H") + "</intermediateCatchEvent>" + flow("g", "t") +
                         flow("t", "e") + (more ? one("y", "n") : ""),
                     messages);
    };
    deploy(gate(false));
    const InstanceId id = start();
    deploy(gate(true));
    EXPECT_EQ(migrated(id).begun, (std::vector<MigrationReport::Counted>{{"y", 1}}));
    EXPECT_EQ(world.read(id).waits.size(), 3u);
    send("settled");
    EXPECT_TRUE(ended(id));
}

TEST_P(MigratedElements, AConditionThatIsAnotherOneNowIsLookedAt) {
    const auto condition = [](const std::string& text) {
        return line(
            {"c"},
            "<intermediateCatchEvent id='c'><conditionalEventDefinition><condition>=" + text +
                "</condition></conditionalEventDefinition>" + "</intermediateCatchEvent>");
    };
    deploy(condition("x > 10"));
    const InstanceId id = start(R"({"x": 5})");
    deploy(condition("x > 4"));
    migrated(id);
    EXPECT_TRUE(ended(id));
}

TEST_P(MigratedElements, WhatCanBeRetriedIsRetriedUnderItsNewName) {
    const auto choice = [](const std::string& id, const std::string& condition) {
        return model("<startEvent id='s'/><exclusiveGateway id='" + id +
                     "'/><endEvent id='e'/><endEvent id='z'/>" + flow("s", id) +
                     flow(id, "e", condition) + flow(id, "z", "x = 9"));
    };
    deploy(choice("g", "x = 1"));
    const InstanceId id = start(R"({"x": 2})");
    EXPECT_TRUE(world.read(id).incident);
    deploy(choice("h", "x = 2"));
    migrated(id, {{"g", "h"}, {"s-g", "s-h"}});
    EXPECT_TRUE(world.read(id).incident);
    send("retry:g", id);
    EXPECT_FALSE(ended(id));
    send("retry:h", id);
    EXPECT_TRUE(ended(id));
}

TEST_P(MigratedElements, WhatIsToBeCompensatedStaysSo) {
    const auto booking = [](const std::string& handler, bool compensates) {
        const std::string undo =
            "<boundaryEvent id='b' attachedToRef='book'><compensateEventDefinition/>"
            "</boundaryEvent><userTask id='" +
            handler +
            "' isForCompensation='true'/>"
            "<association associationDirection='One' sourceRef='b' targetRef='" +
            handler + "'/>";
        return line({"book", "a", "throw"},
                    user("book") + user("a") +
                        "<intermediateThrowEvent id='throw'><compensateEventDefinition/>"
                        "</intermediateThrowEvent>" +
                        (compensates ? undo : ""));
    };
    deploy(booking("undo", true));
    const InstanceId id = start();
    complete(tasks(id).front());
    const InstanceId late = start();
    complete(tasks(late).front());
    deploy(booking("undoMore", true));
    migrated(id);
    complete(tasks(id).front());
    EXPECT_EQ(task(id, "undoMore").spec.name, "undoMore");
    complete(tasks(id).front());
    EXPECT_TRUE(ended(id));
    deploy(booking("", false));
    EXPECT_EQ(std::get<op::CannotMigrate>(migrate(late, {}, 3)).report.problems.front().element,
              "book");
}

TEST_P(MigratedElements, ATransactionThatIsBeingCancelledEndsSo) {
    const auto transaction = [](const std::string& more) {
        return line({"t"},
                    "<transaction id='t'><startEvent id='i'/>" + user("book") +
                        "<boundaryEvent id='b' attachedToRef='book'><compensateEventDefinition/>"
                        "</boundaryEvent><userTask id='undo' isForCompensation='true'/>"
                        "<association associationDirection='One' sourceRef='b' targetRef='undo'/>"
                        "<endEvent id='no'><cancelEventDefinition/></endEvent>" +
                        flow("i", "book") + flow("book", "no") + more +
                        "</transaction><boundaryEvent id='cancelled' attachedToRef='t'>"
                        "<cancelEventDefinition/></boundaryEvent>" +
                        user("sorry") + flow("cancelled", "sorry") + flow("sorry", "e"));
    };
    deploy(transaction(""));
    const InstanceId id = start();
    complete(tasks(id).front());
    EXPECT_EQ(tasks(id).front().spec.name, "undo");
    deploy(transaction("<subProcess id='ev' triggeredByEvent='true'><startEvent id='es'>" +
                       catches("m") + "</startEvent>" + user("x") + flow("es", "x") +
                       "</subProcess>"));
    EXPECT_TRUE(migrated(id).begun.empty());
    complete(tasks(id).front());
    EXPECT_EQ(active(id), Elements{"sorry"});
}

TEST_P(MigratedElements, TheTurnOfASequentialAdHocActivityComesUnderItsNewName) {
    const auto ad_hoc = [](const std::string& second) {
        return line({"h"}, "<adHocSubProcess id='h' ordering='Sequential'>" + user("a") +
                               user(second) + "</adHocSubProcess>");
    };
    deploy(ad_hoc("b"));
    const InstanceId id = start();
    deploy(ad_hoc("c"));
    EXPECT_EQ(problems(id),
              Elements{"b: its turn comes later, and the target has no such element"});
    migrated(id, {{"b", "c"}});
    complete(tasks(id).front());
    EXPECT_EQ(tasks(id).front().spec.name, "c");
    complete(tasks(id).front());
    EXPECT_TRUE(ended(id));
}

INSTANTIATE_TEST_SUITE_P(Stores, MigratedElements, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
