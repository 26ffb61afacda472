// What cannot go on is an incident that a retry heals; what takes long goes on in later rounds.
#include "engine/process_world.h"
#include "program/outside.h"

namespace holdfast::testing {
namespace {

const std::string begin_and_end = "<startEvent id='s'/><endEvent id='e'/>";
// Exceeds the budget of an expression.
const std::string endless = "sum(for i in 1..1000000 return i)";

class Trouble : public ProcessWorld {
protected:
    void expect_incident(const InstanceId& id, const std::string& code) {
        EXPECT_TRUE(world.read(id).incident);
        EXPECT_EQ(world.read(id).last_error, code);
        EXPECT_EQ(world.read(id).status, Status::suspended);
    }
    void expect_ended(const InstanceId& id) {
        EXPECT_FALSE(world.read(id).incident);
        EXPECT_EQ(world.read(id).status, Status::succeeded);
    }
};

TEST_P(Trouble, AConditionThatIsNotBooleanIsAnIncidentOnItsGateway) {
    deploy(model(begin_and_end + "<exclusiveGateway id='x' default='x-f'/><endEvent id='f'/>" +
                 flow("s", "x") + flow("x", "e", "a > 10") + flow("x", "f")));
    const InstanceId id = start();
    expect_incident(id, "bad_condition");
    EXPECT_EQ(active(id), std::vector<std::string>{"x"});
    reload();
    patch_variables(id, R"({"a": 11})");
    send("retry:x", id);
    expect_ended(id);
}

TEST_P(Trouble, AnInclusiveSplitTakesNothingIfOneConditionFails) {
    deploy(model(begin_and_end + "<inclusiveGateway id='x'/><userTask id='t'/>" + flow("s", "x") +
                 flow("x", "t", "true") + flow("x", "e", "b") + flow("t", "e")));
    const InstanceId id = start(R"({"b": 7})");
    expect_incident(id, "bad_condition");
    EXPECT_TRUE(tasks(id).empty());
    patch_variables(id, R"({"b": false})");
    send("retry:x", id);
    EXPECT_EQ(tasks(id).size(), 1u);
    EXPECT_FALSE(world.read(id).incident);
}

TEST_P(Trouble, ACallOfAProcessThatIsNotDeployedSaysSoAndIsRetried) {
    deploy(model(begin_and_end + "<callActivity id='c' calledElement='later'/>" + flow("s", "c") +
                 flow("c", "e")));
    const InstanceId id = start();
    expect_incident(id, "unknown_definition");
    std::string later = model(begin_and_end + flow("s", "e"));
    later.replace(later.find("\"p\""), 3, "\"later\"");
    deploy(later);
    send("retry:c", id);
    expect_ended(id);
}

TEST_P(Trouble, AFailedOutputMappingTakesItsWritesBack) {
    deploy(model(begin_and_end +
                 "<userTask id='t'><extensionElements><zeebe:ioMapping>"
                 "<zeebe:output source='=1' target='first'/>"
                 "<zeebe:output source='=if bad then " +
                 endless +
                 " else 2' target='second'/></zeebe:ioMapping></extensionElements></userTask>" +
                 flow("s", "t") + flow("t", "e")));
    const InstanceId id = start(R"({"bad": true})");
    complete(tasks(id).front());
    expect_incident(id, "bad_mapping");
    EXPECT_EQ(variables(id), document(R"({"bad": true})"));
    EXPECT_EQ(active(id), std::vector<std::string>{"t"});
    reload();
    patch_variables(id, R"({"bad": false})");
    send("retry:t", id);
    expect_ended(id);
    EXPECT_EQ(variables(id), document(R"({"bad": false, "first": 1, "second": 2})"));
}

TEST_P(Trouble, ABoundaryEventThatCannotWaitIsRetried) {
    deploy(model(begin_and_end +
                 "<userTask id='t'/><boundaryEvent id='b' attachedToRef='t'>"
                 "<timerEventDefinition><timeDuration>=pause</timeDuration>"
                 "</timerEventDefinition></boundaryEvent>" +
                 flow("s", "t") + flow("t", "e") + flow("b", "e")));
    const InstanceId id = start(R"({"pause": "soon"})");
    expect_incident(id, "bad_timer");
    reload();
    patch_variables(id, R"({"pause": "PT0S"})");
    send("retry:b", id);
    expect_ended(id);
}

TEST_P(Trouble, AnIncidentOfABoundaryEventGoesWithItsActivity) {
    deploy(model(begin_and_end +
                 "<userTask id='t'/><userTask id='u'/><boundaryEvent id='b' "
                 "attachedToRef='t'><timerEventDefinition><timeDuration>=pause"
                 "</timeDuration></timerEventDefinition></boundaryEvent>" +
                 flow("s", "t") + flow("t", "u") + flow("b", "e")));
    const InstanceId id = start(R"({"pause": "soon"})");
    expect_incident(id, "bad_timer");
    complete(tasks(id).front());
    EXPECT_FALSE(world.read(id).incident);
    EXPECT_EQ(active(id), std::vector<std::string>{"u"});
}

TEST_P(Trouble, ABadDueDateIsAnIncident) {
    deploy(model(begin_and_end +
                 "<userTask id='t'><extensionElements><zeebe:userTask/>"
                 "<zeebe:taskSchedule dueDate='=due'/></extensionElements></userTask>" +
                 flow("s", "t") + flow("t", "e")));
    const InstanceId id = start(R"({"due": "tomorrow"})");
    expect_incident(id, "bad_due_date");
    patch_variables(id, R"({"due": "2030-01-01T00:00:00Z"})");
    send("retry:t", id);
    ASSERT_EQ(tasks(id).size(), 1u);
    EXPECT_TRUE(tasks(id).front().spec.due_at.has_value());
}

TEST_P(Trouble, AnInstanceOfALoopIsRetriedUnderItsNumber) {
    deploy(model(begin_and_end +
                 "<userTask id='t'><extensionElements><zeebe:ioMapping>"
                 "<zeebe:input source='=if loopCounter = bad then " +
                 endless + " else loopCounter' target='n'/></zeebe:ioMapping></extensionElements>" +
                 "<multiInstanceLoopCharacteristics><loopCardinality>=3</loopCardinality>"
                 "</multiInstanceLoopCharacteristics></userTask>" +
                 flow("s", "t") + flow("t", "e")));
    const InstanceId id = start(R"({"bad": 2})");
    expect_incident(id, "bad_mapping");
    EXPECT_EQ(tasks(id).size(), 2u);
    patch_variables(id, R"({"bad": 0})");
    send("retry:t", id);
    EXPECT_EQ(tasks(id).size(), 3u);
    for (const HumanTask& task : tasks(id)) complete(task);
    expect_ended(id);
}

TEST_P(Trouble, AReceiveTaskThatStartsAProcessMayStick) {
    deploy(
        model("<receiveTask id='r' instantiate='true' messageRef='m'><extensionElements>"
              "<zeebe:ioMapping><zeebe:input source='=" +
                  endless +
                  "' target='x'/></zeebe:ioMapping></extensionElements></receiveTask>"
                  "<endEvent id='e'/>" +
                  flow("r", "e"),
              "<message id='m' name='go'/>"));
    send("go");
    const auto page = world.store->ask(InstanceQuery{.definition = "p", .limit = 10});
    int incidents = 0;
    for (const auto& item : page->items) incidents += item.instance.incident ? 1 : 0;
    EXPECT_EQ(page->items.size(), 2u);
    EXPECT_EQ(incidents, 1);
}

TEST_P(Trouble, AStartByAMessageNeedsNoCorrelationKey) {
    deploy(
        model("<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>"
              "<userTask id='t'/>" +
                  flow("s", "t"),
              "<message id='m' name='go'><extensionElements><zeebe:subscription "
              "correlationKey='=order'/></extensionElements></message>"));
    send("go", {}, R"({"order": 1})");
    EXPECT_EQ(world.store->ask(InstanceQuery{.definition = "p", .limit = 10})->items.size(), 2u);
}

TEST_P(Trouble, ACollectionHasAtMostTenThousandItems) {
    deploy(model(begin_and_end +
                 "<manualTask id='t'><multiInstanceLoopCharacteristics>"
                 "<extensionElements><zeebe:loopCharacteristics inputCollection="
                 "'=for i in 1..n return i'/></extensionElements>"
                 "</multiInstanceLoopCharacteristics></manualTask>" +
                 flow("s", "t") + flow("t", "e")));
    const InstanceId id = start(R"({"n": 10001})");
    expect_incident(id, "bad_loop");
    patch_variables(id, R"({"n": 10})");
    send("retry:t", id);
    expect_ended(id);
}

INSTANTIATE_TEST_SUITE_P(Stores, Trouble, all_stores(), store_name);

// What takes long.
class Budgets : public Trouble {
protected:
    // Lets it go on until it rests no more; how many rounds that took.
    int go_on(const InstanceId& id, int most) {
        int rounds = 0;
        while (rounds < most && is_resting(id)) {
            fire(id);
            ++rounds;
        }
        return rounds;
    }
    bool is_resting(const InstanceId& id) {
        for (const Waiting& waiting : world.read(id).waits)
            if (waiting.wait.until && !waiting.owner) return true;
        return false;
    }
    // The process that it has called and waits for.
    std::optional<InstanceId> child_of(const InstanceId& id) {
        for (const Waiting& waiting : world.read(id).waits)
            if (!waiting.wait.workflows.empty()) return waiting.wait.workflows.front();
        return std::nullopt;
    }
    std::string counting_loop(const std::string& rounds) {
        return begin_and_end + script("add", "n + 1", "n") +
               "<exclusiveGateway id='x' default='x-e'/>" + "<exclusiveGateway id='m'/>" +
               flow("s", "m") + flow("m", "add") + flow("add", "x") +
               flow("x", "m", "n &lt; " + rounds) + flow("x", "e");
    }
};

TEST_P(Budgets, ALongWayGoesOnInLaterRoundsAndOthersGetInBetween) {
    deploy(model(counting_loop("10000")));
    const InstanceId id = start(R"({"n": 0})");
    ASSERT_TRUE(is_resting(id));
    int others = 0;
    int rounds = 0;
    for (; is_resting(id) && rounds < 10; ++rounds) {
        others += world.read(start(R"({"n": 9999})")).status == Status::succeeded ? 1 : 0;
        if (rounds == 1) reload();
        fire(id);
    }
    EXPECT_EQ(rounds, 3);  // of 30,002 moves in all
    EXPECT_EQ(others, rounds);
    expect_ended(id);
    EXPECT_EQ(variables(id), document(R"({"n": 10000})"));
}

TEST_P(Budgets, ALoopHasRoundsWithoutEnd) {
    deploy(model(begin_and_end +
                 "<scriptTask id='t'><extensionElements><zeebe:script expression='=n + 1' "
                 "resultVariable='n'/></extensionElements><standardLoopCharacteristics>"
                 "<loopCondition>=n &lt; 12000</loopCondition>"
                 "</standardLoopCharacteristics></scriptTask>" +
                 flow("s", "t") + flow("t", "e")));
    const InstanceId id = start(R"({"n": 0})");
    EXPECT_EQ(go_on(id, 10), 1);
    expect_ended(id);
    EXPECT_EQ(variables(id), document(R"({"n": 12000})"));
}

TEST_P(Budgets, AMillionMovesWithoutAWaitAreAnIncident) {
    deploy(model(begin_and_end +
                 "<exclusiveGateway id='a'/><exclusiveGateway id='b' default='b-a'/>" +
                 flow("s", "a") + flow("a", "b") + flow("b", "a") + flow("b", "e", "stop = true")));
    const InstanceId id = start();
    EXPECT_EQ(go_on(id, 200), 99);
    expect_incident(id, "too_many_moves");
    patch_variables(id, R"({"stop": true})");
    send("retry:a", id);
    send("retry:b", id);
    expect_ended(id);
}

TEST_P(Budgets, HundredsOfQueuedMessagesAreTakenInSeveralRounds) {
    for (int i = 0; i < 600; ++i) send("more");
    deploy(model(begin_and_end +
                     "<exclusiveGateway id='m'/><intermediateCatchEvent id='c'>"
                     "<messageEventDefinition messageRef='msg'/></intermediateCatchEvent>" +
                     script("add", "n + 1", "n") + "<exclusiveGateway id='x' default='x-e'/>" +
                     flow("s", "m") + flow("m", "c") + flow("c", "add") + flow("add", "x") +
                     flow("x", "m", "n &lt; 600") + flow("x", "e"),
                 "<message id='msg' name='more'/>"));
    const InstanceId id = start(R"({"n": 0})");
    EXPECT_FALSE(world.read(id).incident);
    reload();
    EXPECT_EQ(go_on(id, 10), 2);
    expect_ended(id);
    EXPECT_EQ(variables(id), document(R"({"n": 600})"));
}

TEST_P(Budgets, AProcessThatCallsItselfWithoutEndIsAnIncident) {
    deploy(model(begin_and_end + "<callActivity id='c' calledElement='p'/>" + flow("s", "c") +
                 flow("c", "e")));
    InstanceId id = start();
    int calls = 0;
    for (auto child = child_of(id); child; child = child_of(id)) {
        EXPECT_FALSE(world.read(id).incident);
        id = *child;
        ++calls;
    }
    EXPECT_EQ(calls, 50);
    expect_incident(id, "too_many_calls");
    reload();
    send("retry:c", id);
    expect_incident(id, "too_many_calls");
    EXPECT_FALSE(child_of(id));
}

TEST_P(Budgets, ACycleOfCallsThroughOtherProcessesIsAnIncident) {
    deploy(model(begin_and_end + "<callActivity id='c' calledElement='q'/>" + flow("s", "c") +
                     flow("c", "e"),
                 "<process id='q' isExecutable='true'><startEvent id='qs'/><userTask id='t' "
                 "name='T'/><callActivity id='qc' calledElement='p'/>" +
                     flow("qs", "t") + flow("t", "qc") + "</process>"));
    InstanceId id = start();
    int calls = 0;
    while (const auto child = child_of(id)) {
        id = *child;
        ++calls;
        reload();
        if (!tasks(id).empty()) complete(task(id, "T"));
    }
    EXPECT_EQ(calls, 50);
    expect_incident(id, "too_many_calls");
}

// The workflows between do not count calls: what is around them does.
TEST_P(Budgets, ACycleOfCallsThroughAnotherKindIsAnIncident) {
    world.run(op::Define{.cause = world.cause(), .key = "between", .program = outside_program()});
    deploy(model(begin_and_end + "<callActivity id='c' calledElement='between'/>" + flow("s", "c") +
                 flow("c", "e")));
    InstanceId id = start();
    int calls = 0;
    while (const auto between = child_of(id)) {
        const auto started = world.run(op::StartChild{.cause = world.cause(),
                                                      .instance = *between,
                                                      .run = {1, 0},
                                                      .step_name = "again",
                                                      .input_hash = sha256("p"),
                                                      .definition = "p"});
        id = std::get<op::ChildStarted>(started).child;
        ASSERT_LT(++calls, 60);
    }
    EXPECT_EQ(calls, 25);
    expect_incident(id, "too_many_calls");
}

TEST_P(Budgets, AForkBombIsAnIncident) {
    deploy(model(begin_and_end + "<parallelGateway id='f'/><exclusiveGateway id='m'/>" +
                 flow("s", "m") + flow("m", "f") + flow("f", "m") +
                 "<sequenceFlow id='again' sourceRef='f' targetRef='m'/>"));
    const InstanceId id = start();
    EXPECT_EQ(go_on(id, 10), 5);
    expect_incident(id, "too_many_tokens");
    EXPECT_LE(active(id).size(), 20'002u);
}

TEST_P(Budgets, TheExpressionsOfOneReactionAreBoundedTogether) {
    const std::string mapping =
        "<zeebe:input source='=sum(for i in 1..90000 return i)' target='n'/>";
    deploy(model(begin_and_end + "<userTask id='t'><extensionElements><zeebe:ioMapping>" + mapping +
                 "</zeebe:ioMapping></extensionElements><multiInstanceLoopCharacteristics>"
                 "<loopCardinality>=1000</loopCardinality></multiInstanceLoopCharacteristics>"
                 "</userTask>" +
                 flow("s", "t") + flow("t", "e")));
    const InstanceId id = start();
    expect_incident(id, "bad_mapping");
    EXPECT_LT(world.store->ask(TaskQuery{.instance = id, .limit = 1'000})->items.size(), 300u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Budgets, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
