// What goes wrong in a process, and who catches it.
#include "engine/process_world.h"

namespace holdfast::testing {
namespace {

const std::string both_ends = "<startEvent id='s'/><endEvent id='e'/>";

// A process `q` that ends by this event definition.
std::string called(const std::string& definition) {
    return "<process id='q' isExecutable='true'><startEvent id='s2'/><endEvent id='e2'>" +
           definition + "</endEvent>" + flow("s2", "e2") + "</process>";
}

// `p` calls `q`; what the boundary event catches is noted.
std::string caller(const std::string& boundary) {
    return both_ends + "<callActivity id='call' calledElement='q'/>" + boundary +
           script("note", "true", "caught") + "<endEvent id='f'/>" + flow("s", "call") +
           flow("call", "e") + flow("b", "note") + flow("note", "f");
}

class Faults : public ProcessWorld {};

TEST_P(Faults, AnErrorOfACalledProcessIsCaughtByItsCaller) {
    deploy(model(caller("<boundaryEvent id='b' attachedToRef='call'><errorEventDefinition "
                        "errorRef='x'/></boundaryEvent>"),
                 "<error id='x' errorCode='X'/>" + called("<errorEventDefinition errorRef='x'/>")));
    const InstanceId id = start();
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"caught": true})"));
    const auto page = world.store->ask(InstanceQuery{.definition = "q", .limit = 2});
    ASSERT_EQ(page->items.size(), 1u);
    EXPECT_EQ(page->items.front().instance.status, Status::failed);
}

TEST_P(Faults, AnEscalationOfACalledProcessReachesItsCallerAndBothGoOn) {
    deploy(model(caller("<boundaryEvent id='b' attachedToRef='call' cancelActivity='false'>"
                        "<escalationEventDefinition escalationRef='x'/></boundaryEvent>"),
                 "<escalation id='x' escalationCode='X'/>" +
                     called("<escalationEventDefinition escalationRef='x'/>")));
    const InstanceId id = start();
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"caught": true})"));
}

// The caller cancels the called process while that is escalating.
TEST_P(Faults, AnEscalationThatInterruptsTheCallEndsTheCalledProcess) {
    const std::string asking =
        "<process id='q' isExecutable='true'><startEvent id='s2'/><userTask id='u'/>"
        "<endEvent id='e2'><escalationEventDefinition escalationRef='x'/></endEvent>" +
        flow("s2", "u") + flow("u", "e2") + "</process>";
    deploy(model(caller("<boundaryEvent id='b' attachedToRef='call'>"
                        "<escalationEventDefinition escalationRef='x'/></boundaryEvent>"),
                 "<escalation id='x' escalationCode='X'/>" + asking));
    const InstanceId id = start();
    const auto page = world.store->ask(InstanceQuery{.definition = "q", .limit = 2});
    ASSERT_EQ(page->items.size(), 1u);
    const InstanceId child = page->items.front().instance.id;
    reload();
    complete(task(child, "u"));
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"caught": true})"));
    EXPECT_EQ(world.read(child).status, Status::cancelled);
}

TEST_P(Faults, AnUncaughtErrorEndsItsTokenWithAHistoryRow) {
    deploy(
        model("<startEvent id='s'/><endEvent id='e'><errorEventDefinition errorRef='x'/>"
              "</endEvent>" +
                  flow("s", "e"),
              "<error id='x' errorCode='X'/>"));
    const InstanceId id = start();
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    const auto rows = world.history(id);
    EXPECT_TRUE(std::ranges::any_of(rows, [](const HistoryRow& row) {
        return row.payload.find("uncaught_error") != std::string::npos;
    }));
}

TEST_P(Faults, ATokenThatOnlyMissesItsWayOnDoesNotRepeatItsTask) {
    deploy(model(both_ends + "<endEvent id='f'/>" + script("count", "n + 1", "n") +
                 flow("s", "count") + flow("count", "e", "go") + flow("count", "f", "n > 5")));
    const InstanceId id = start(R"({"n": 0, "go": false})");
    EXPECT_EQ(world.read(id).last_error, "no_flow");
    patch_variables(id, R"({"go": true})");
    reload();
    send("retry:count", id);
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_FALSE(world.read(id).incident);
    EXPECT_EQ(variables(id), document(R"({"n": 1, "go": true})"));
}

// 000.11: messages match by name and correlation key.
TEST_P(Faults, AMessageFindsTheProcessWithItsKey) {
    const std::string paid =
        "<message id='m' name='paid'><extensionElements><zeebe:subscription "
        "correlationKey='=order'/></extensionElements></message>";
    deploy(
        model("<startEvent id='s'/><intermediateCatchEvent id='c'><messageEventDefinition "
              "messageRef='m'/></intermediateCatchEvent><endEvent id='e'/>" +
                  flow("s", "c") + flow("c", "e"),
              paid));
    const InstanceId one = start(R"({"order": "A-1"})");
    const InstanceId two = start(R"({"order": 2})");
    const InstanceId none = start("{}");
    EXPECT_EQ(world.read(none).last_error, "no_correlation_key");
    reload();
    const auto send_paid = [&](const std::string& key) {
        op::SendEvent send{.cause = world.cause(),
                           .event = world.ids.next<EventId>(),
                           .event_name = "paid",
                           .correlation = key};
        return world.run(send);
    };
    EXPECT_TRUE(std::holds_alternative<op::Queued>(send_paid("A-3")));
    EXPECT_EQ(std::get<op::Delivered>(send_paid("2")).to, two);
    EXPECT_EQ(world.read(one).status, Status::suspended);
    EXPECT_EQ(std::get<op::Delivered>(send_paid("A-1")).to, one);
    EXPECT_EQ(world.read(one).status, Status::succeeded);
}

// I51: a model names its messages by expressions, and must not end somebody's wait for a task.
TEST_P(Faults, AMessageCannotForgeTheEndOfATask) {
    world.define("orders");
    const InstanceId victim = world.start("orders", "{}").id;
    const std::string name = event_name_of(TaskId{victim.value});
    world.run(op::Suspend{
        .cause = world.cause(), .instance = victim, .run = {1, 0}, .wait = {.names = {name}}});
    deploy(
        model("<startEvent id='s'/><intermediateThrowEvent id='t'><messageEventDefinition "
              "messageRef='m'/></intermediateThrowEvent><userTask id='u'/><endEvent id='e'/>" +
                  flow("s", "t") + flow("t", "u") + flow("u", "e"),
              "<message id='m' name='=target'/>"));
    const InstanceId id = start(R"({"target": ")" + name + R"("})");
    EXPECT_EQ(world.read(victim).status, Status::suspended);
    EXPECT_TRUE(world.read(id).incident);
    EXPECT_EQ(world.read(id).last_error, "reserved_name");
}

TEST_P(Faults, ASignalReachesEveryProcessThatWaits) {
    const std::string catching =
        "<process id='q' isExecutable='true'><startEvent id='s2'/><intermediateCatchEvent id='c'>"
        "<signalEventDefinition signalRef='x'/></intermediateCatchEvent><endEvent id='e2'/>" +
        flow("s2", "c") + flow("c", "e2") + "</process>";
    deploy(
        model("<startEvent id='s'/><endEvent id='e'><signalEventDefinition signalRef='x'/>"
              "</endEvent>" +
                  flow("s", "e"),
              "<signal id='x' name='alarm'/>" + catching));
    const InstanceId first = world.start("q", "{}").id;
    const InstanceId second = world.start("q", "{}").id;
    start();
    EXPECT_EQ(world.read(first).status, Status::succeeded);
    EXPECT_EQ(world.read(second).status, Status::succeeded);
    EXPECT_EQ(world.read(world.start("q", "{}").id).status, Status::suspended);
}

TEST_P(Faults, AConditionThatBecomesTrueStartsItsEventSubProcess) {
    const std::string inside =
        "<startEvent id='is'><conditionalEventDefinition><condition>=a > 1"
        "</condition></conditionalEventDefinition></startEvent>" +
        script("note", "\"high\"", "level") + "<endEvent id='ie'/>" + flow("is", "note") +
        flow("note", "ie");
    deploy(model(both_ends + "<userTask id='u'/><subProcess id='watch' triggeredByEvent='true'>" +
                 inside + "</subProcess><userTask id='v'/>" + flow("s", "u") + flow("u", "v") +
                 flow("v", "e")));
    const InstanceId id = start(R"({"a": 0})");
    complete(task(id, "u"), R"({"a": 2})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"a": 2, "level": "high"})"));
    EXPECT_TRUE(tasks(id).empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, Faults, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
