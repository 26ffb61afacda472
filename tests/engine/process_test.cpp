// Processes end to end on every store: one test or more for each family of elements.
#include "engine/process_world.h"

namespace holdfast::testing {
namespace {

using Elements = std::vector<std::string>;

const std::string ends = "<startEvent id='s'/><endEvent id='e'/>";

class Processes : public ProcessWorld {};

TEST_P(Processes, AScriptWritesAVariableAndTheProcessEnds) {
    deploy(model(ends + script("add", "a + 1", "b") + "<manualTask id='m'/>" + flow("s", "m") +
                 flow("m", "add") + flow("add", "e")));
    const InstanceId id = start(R"({"a": 2})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"a": 2, "b": 3})"));
    EXPECT_EQ(world.read(id).children.completed.size(), 2u);
    EXPECT_TRUE(active(id).empty());
}

TEST_P(Processes, AnExclusiveGatewayTakesTheFirstTrueFlow) {
    deploy(model(ends + "<exclusiveGateway id='x' default='x-none'/>" +
                 script("big", "\"big\"", "size") + script("small", "\"small\"", "size") +
                 script("none", "\"none\"", "size") + flow("s", "x") + flow("x", "big", "a > 10") +
                 flow("x", "small", "a > 5") + flow("x", "none") + flow("big", "e") +
                 flow("small", "e") + flow("none", "e")));
    const auto size = [&](const std::string& a) {
        const InstanceId id = start(R"({"a": )" + a + "}");
        return std::string(variables(id).value().at("size").as_string());
    };
    EXPECT_EQ(size("20"), "big");
    EXPECT_EQ(size("7"), "small");
    EXPECT_EQ(size("1"), "none");
}

TEST_P(Processes, NoTrueFlowIsAnIncidentThatARetryHeals) {
    deploy(model(ends + "<exclusiveGateway id='x'/><endEvent id='f'/>" + flow("s", "x") +
                 flow("x", "e", "a = 1") + flow("x", "f", "a = 2")));
    const InstanceId id = start(R"({"a": 3})");
    EXPECT_TRUE(world.read(id).incident);
    EXPECT_EQ(world.read(id).last_error, "no_flow");
    EXPECT_EQ(active(id), Elements{"x"});
    reload();
    send("retry:x", id);
    EXPECT_TRUE(world.read(id).incident);
    patch_variables(id, R"({"a": 2})");
    send("retry:x", id);
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(Processes, TheFormOfATaskMayBeAnExpression) {
    deploy(model(ends +
                 "<userTask id='a' name='A'><extensionElements><zeebe:formDefinition "
                 "formKey='=\"form-\" + kind'/></extensionElements></userTask>" +
                 flow("s", "a") + flow("a", "e")));
    const InstanceId id = start(R"({"kind": "big"})");
    EXPECT_EQ(task(id, "A").spec.payload.value().at("form"), "form-big");
}

TEST_P(Processes, AParallelJoinWaitsForBothPeopleAlsoAfterARestart) {
    deploy(model(ends + "<parallelGateway id='f'/><parallelGateway id='j'/>" +
                 "<userTask id='a' name='A'/><userTask id='b' name='B'/>" + flow("s", "f") +
                 flow("f", "a") + flow("f", "b") + flow("a", "j") + flow("b", "j") +
                 flow("j", "e")));
    const InstanceId id = start();
    ASSERT_EQ(tasks(id).size(), 2u);
    EXPECT_EQ(world.read(id).status, Status::suspended);
    complete(task(id, "A"), R"({"first": true})");
    reload();
    EXPECT_EQ(active(id), (Elements{"b", "j"}));
    complete(tasks(id).front());
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"first": true})"));
}

TEST_P(Processes, AnInclusiveJoinWaitsOnlyForWhatCanArrive) {
    deploy(model(ends + "<inclusiveGateway id='f'/><inclusiveGateway id='j'/>" +
                 "<userTask id='a'/><userTask id='b'/><userTask id='c'/>" + flow("s", "f") +
                 flow("f", "a", "n > 0") + flow("f", "b", "n > 1") + flow("f", "c", "n > 2") +
                 flow("a", "j") + flow("b", "j") + flow("c", "j") + flow("j", "e")));
    const InstanceId id = start(R"({"n": 2})");
    ASSERT_EQ(tasks(id).size(), 2u);
    complete(tasks(id).front());
    EXPECT_EQ(world.read(id).status, Status::suspended);
    complete(tasks(id).front());
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(Processes, ASubProcessEndsWhenItsTokensHaveAndTerminateEndsItAtOnce) {
    const std::string inside =
        "<startEvent id='is'/><parallelGateway id='if'/><userTask id='u'/><userTask id='v'/>"
        "<endEvent id='ie'/><endEvent id='stop'><terminateEventDefinition/></endEvent>" +
        flow("is", "if") + flow("if", "u") + flow("if", "v") + flow("u", "ie") + flow("v", "stop");
    deploy(model(ends + "<subProcess id='sub'>" + inside + "</subProcess>" + flow("s", "sub") +
                 flow("sub", "e")));
    const InstanceId id = start();
    EXPECT_EQ(active(id), (Elements{"sub", "u", "v"}));
    reload();
    complete(task(id, "v"));
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_TRUE(tasks(id).empty());
}

TEST_P(Processes, AMessageIsAwaitedAndItsMembersBecomeVariables) {
    deploy(model(ends +
                     "<intermediateCatchEvent id='c'><messageEventDefinition messageRef='m'/>"
                     "</intermediateCatchEvent>" +
                     flow("s", "c") + flow("c", "e"),
                 "<message id='m' name='paid'/>"));
    const InstanceId id = start();
    EXPECT_EQ(active(id), Elements{"c"});
    reload();
    send("paid", {}, R"({"amount": 5})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"amount": 5})"));
}

TEST_P(Processes, AThrownMessageReachesAnotherProcess) {
    const std::string beside =
        "<message id='m' name='go'/><process id='q' isExecutable='true'><startEvent id='s2'/>"
        "<receiveTask id='r' messageRef='m'/><endEvent id='e2'/>" +
        flow("s2", "r") + flow("r", "e2") + "</process>";
    deploy(
        model("<startEvent id='s'/><endEvent id='e'><messageEventDefinition messageRef='m'/>"
              "</endEvent>" +
                  flow("s", "e"),
              beside));
    const InstanceId receiver = world.start("q", "{}").id;
    EXPECT_EQ(world.read(receiver).status, Status::suspended);
    const InstanceId sender = start();
    EXPECT_EQ(world.read(sender).status, Status::succeeded);
    EXPECT_EQ(world.read(receiver).status, Status::succeeded);
}

TEST_P(Processes, ABoundaryTimerInterruptsATaskAndCancelsIt) {
    deploy(model(ends +
                 "<userTask id='u'/><boundaryEvent id='late' attachedToRef='u'>"
                 "<timerEventDefinition><timeDuration>PT0S</timeDuration></timerEventDefinition>"
                 "</boundaryEvent><endEvent id='f'/>" +
                 script("note", "true", "wasLate") + flow("s", "u") + flow("u", "e") +
                 flow("late", "note") + flow("note", "f")));
    const InstanceId id = start();
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"wasLate": true})"));
    EXPECT_TRUE(tasks(id).empty());
}

TEST_P(Processes, ABoundaryMessageThatDoesNotInterruptComesAgain) {
    deploy(model(ends +
                     "<userTask id='u'/><boundaryEvent id='b' attachedToRef='u' "
                     "cancelActivity='false'><messageEventDefinition messageRef='m'/>"
                     "</boundaryEvent><endEvent id='f'/>" +
                     script("count", "n + 1", "n") + flow("s", "u") + flow("u", "e") +
                     flow("b", "count") + flow("count", "f"),
                 "<message id='m' name='ping'/>"));
    const InstanceId id = start(R"({"n": 0})");
    send("ping");
    send("ping");
    EXPECT_EQ(variables(id), document(R"({"n": 2})"));
    complete(tasks(id).front());
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_TRUE(world.read(id).waits.empty());
}

TEST_P(Processes, AnEventBasedGatewayTakesWhatComesFirst) {
    deploy(model(ends +
                     "<eventBasedGateway id='g'/><intermediateCatchEvent id='c'>"
                     "<messageEventDefinition messageRef='m'/></intermediateCatchEvent>"
                     "<intermediateCatchEvent id='t'><timerEventDefinition><timeDuration>PT1H"
                     "</timeDuration></timerEventDefinition></intermediateCatchEvent>" +
                     flow("s", "g") + flow("g", "c") + flow("g", "t") + flow("c", "e") +
                     flow("t", "e"),
                 "<message id='m' name='come'/>"));
    const InstanceId id = start();
    EXPECT_EQ(world.read(id).waits.size(), 2u);
    send("come");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(Processes, ASpecificErrorCodeBeatsACatchAll) {
    const std::string inside =
        "<startEvent id='is'/><endEvent id='ie'><errorEventDefinition "
        "errorRef='x'/></endEvent>" +
        flow("is", "ie");
    deploy(model(ends + "<subProcess id='sub'>" + inside +
                     "</subProcess><boundaryEvent id='any' attachedToRef='sub'>"
                     "<errorEventDefinition/></boundaryEvent><boundaryEvent id='one' "
                     "attachedToRef='sub'><errorEventDefinition errorRef='x'/></boundaryEvent>" +
                     script("a", "\"any\"", "by") + script("o", "\"one\"", "by") +
                     flow("s", "sub") + flow("sub", "e") + flow("any", "a") + flow("one", "o") +
                     flow("a", "e") + flow("o", "e"),
                 "<error id='x' errorCode='X'/>"));
    const InstanceId id = start();
    EXPECT_EQ(variables(id), document(R"({"by": "one"})"));
}

TEST_P(Processes, ACallHandsItsVariablesInAndOut) {
    const std::string beside = "<process id='q' isExecutable='true'><startEvent id='s2'/>" +
                               script("twice", "a * 2", "b") + "<endEvent id='e2'/>" +
                               flow("s2", "twice") + flow("twice", "e2") + "</process>";
    deploy(model(ends + "<callActivity id='call' calledElement='q'/>" + flow("s", "call") +
                     flow("call", "e"),
                 beside));
    const InstanceId id = start(R"({"a": 4})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"a": 4, "b": 8})"));
}

TEST_P(Processes, ManyInstancesAskOnePersonEach) {
    deploy(model(ends +
                 "<userTask id='u'><multiInstanceLoopCharacteristics><extensionElements>"
                 "<zeebe:loopCharacteristics inputCollection='=names' inputElement='name' "
                 "outputCollection='answers' outputElement='=answer'/></extensionElements>"
                 "</multiInstanceLoopCharacteristics></userTask>" +
                 flow("s", "u") + flow("u", "e")));
    const InstanceId id = start(R"({"names": ["x", "y"]})");
    ASSERT_EQ(tasks(id).size(), 2u);
    reload();
    complete(tasks(id).front(), R"({"answer": 1})");
    EXPECT_EQ(world.read(id).status, Status::suspended);
    complete(tasks(id).front(), R"({"answer": 1})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id).value().at("answers"), json_of("[1, 1]"));
}

TEST_P(Processes, CompensationRunsInReverseOrder) {
    const auto undo = [](const std::string& of) {
        return "<task id='" + of + "'/><boundaryEvent id='b" + of + "' attachedToRef='" + of +
               "'><compensateEventDefinition/></boundaryEvent><association sourceRef='b" + of +
               "' targetRef='u" + of + "' associationDirection='One' id='as" + of + "'/>";
    };
    const auto handler = [](const std::string& of) {
        return "<scriptTask id='u" + of +
               "' isForCompensation='true'><extensionElements><zeebe:script expression='=trail + "
               "\"" +
               of + "\"' resultVariable='trail'/></extensionElements></scriptTask>";
    };
    deploy(model(ends + undo("a") + undo("b") + handler("a") + handler("b") +
                 "<intermediateThrowEvent id='t'><compensateEventDefinition/>"
                 "</intermediateThrowEvent>" +
                 flow("s", "a") + flow("a", "b") + flow("b", "t") + flow("t", "e")));
    const InstanceId id = start(R"({"trail": ""})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"trail": "ba"})"));
}

TEST_P(Processes, IsCancelledWithItsTasks) {
    deploy(model(ends + "<userTask id='u'/>" + flow("s", "u") + flow("u", "e")));
    const InstanceId id = start();
    world.run(op::Cancel{.cause = world.cause(), .instance = id, .reason = "enough"});
    EXPECT_EQ(world.read(id).status, Status::cancelled);
    EXPECT_TRUE(tasks(id).empty());
    EXPECT_TRUE(active(id).empty());
}

TEST_P(Processes, ACalledProcessCallsAnother) {
    const auto calls = [](const std::string& id, const std::string& called) {
        return "<process id='" + id + "' isExecutable='true'><startEvent id='" + id +
               "s'/><callActivity id='" + id + "c' calledElement='" + called + "'/><endEvent id='" +
               id + "e'/>" + flow(id + "s", id + "c") + flow(id + "c", id + "e") + "</process>";
    };
    deploy(
        model(ends + "<callActivity id='c' calledElement='q'/>" + flow("s", "c") + flow("c", "e"),
              calls("q", "r") + calls("r", "t") +
                  "<process id='t' isExecutable='true'><startEvent id='ts'/><userTask id='task'/>"
                  "<endEvent id='te'/>" +
                  flow("ts", "task") + flow("task", "te") + "</process>"));
    const InstanceId id = start();
    const auto open = world.store->ask(TaskQuery{.limit = 10})->items;
    ASSERT_EQ(open.size(), 1u);
    complete(open.front());
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

INSTANTIATE_TEST_SUITE_P(Stores, Processes, all_stores(), store_name);

TEST(Deployment, RefusesWhatItCannotExecute) {
    const auto deployment =
        deploy_model(model(ends +
                           "<callActivity id='c'><extensionElements><zeebe:calledElement "
                           "processId='q' bindingType='versionTag' versionTag='1'/>"
                           "</extensionElements></callActivity>" +
                           flow("s", "c") + flow("c", "e")));
    EXPECT_TRUE(deployment.processes.empty());
    ASSERT_FALSE(deployment.problems.empty());
    EXPECT_NE(deployment.problems.back().find("a call of a certain version: not supported yet"),
              std::string::npos)
        << deployment.problems.back();
}

}  // namespace
}  // namespace holdfast::testing
