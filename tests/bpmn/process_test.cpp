// The graph: scopes, flows, events, gateways, loops, and what connects them.
#include "bpmn/process/process.h"

#include <gtest/gtest.h>

#include "models.h"

namespace holdfast::bpmn {
namespace {

using Ids = std::vector<std::string>;

TEST(Process, HasNodesAndFlowsInDocumentOrder) {
    const Process process = accepted(around(R"(<bpmn:task id="a" name="Do it"/>)"));
    EXPECT_EQ(process.id, "p");
    EXPECT_EQ(ids_of(process, process.scopes[0].nodes), (Ids{"start", "end", "a"}));
    const FlowNode& task = node_of(process, "a");
    EXPECT_EQ(task.name, "Do it");
    ASSERT_EQ(task.incoming.size(), 1u);
    EXPECT_EQ(process[process[task.incoming[0]].source].id, "start");
    EXPECT_EQ(process[process[task.outgoing[0]].target].id, "end");
    EXPECT_EQ(ids_of(process, process.scopes[0].entries), Ids{"start"});
    EXPECT_EQ(process.find("nobody"), std::nullopt);
}

TEST(Process, AFlowWithoutAnIdGetsOne) {
    const Process process = accepted(process_with(R"(<bpmn:startEvent id="s"/>
        <bpmn:endEvent id="e"/><bpmn:sequenceFlow sourceRef="s" targetRef="e"/>)"));
    EXPECT_EQ(process.flows[0].id, "s->e#0");
}

TEST(Process, GatewaysHaveConditionsAndDefaults) {
    const Process process = accepted(around(R"(
        <bpmn:exclusiveGateway id="a" default="f2"/><bpmn:endEvent id="big"/>
        <bpmn:sequenceFlow id="f3" sourceRef="a" targetRef="big">
          <bpmn:conditionExpression
            xsi:type="bpmn:tFormalExpression">= amount > 10</bpmn:conditionExpression>
        </bpmn:sequenceFlow>)"));
    const FlowNode& gateway = node_of(process, "a");
    EXPECT_EQ(gateway.gateway()->kind, Gateway::Kind::exclusive);
    ASSERT_TRUE(gateway.default_flow);
    EXPECT_EQ(process[*gateway.default_flow].id, "f2");
    EXPECT_EQ(process[gateway.outgoing[1]].condition->text(), " amount > 10");
    EXPECT_FALSE(process[gateway.outgoing[0]].condition);
}

TEST(Process, SubProcessesAreScopes) {
    const Process process = accepted(around(R"(
        <bpmn:subProcess id="a"><bpmn:startEvent id="s1"/><bpmn:endEvent id="e1"/>
          <bpmn:sequenceFlow sourceRef="s1" targetRef="e1"/>
          <bpmn:dataObject id="d" name="data"/>
          <bpmn:subProcess id="event" triggeredByEvent="true">
            <bpmn:startEvent id="s2" isInterrupting="false"><bpmn:timerEventDefinition>
              <bpmn:timeDuration>PT1H</bpmn:timeDuration>
            </bpmn:timerEventDefinition></bpmn:startEvent>
            <bpmn:endEvent id="e2"/><bpmn:sequenceFlow sourceRef="s2" targetRef="e2"/>
          </bpmn:subProcess>
        </bpmn:subProcess>)"));
    const SubProcess& outer = *node_of(process, "a").sub_process();
    const Scope& inside = process[outer.inside];
    EXPECT_EQ(inside.id, "a");
    EXPECT_EQ(process[*inside.owner].id, "a");
    EXPECT_EQ(ids_of(process, inside.event_sub_processes), Ids{"event"});
    EXPECT_EQ(inside.variables.at(0).name, "data");
    const FlowNode& event = node_of(process, "event");
    EXPECT_EQ(event.sub_process()->kind, SubProcess::Kind::event);
    const Scope& innermost = process[event.sub_process()->inside];
    EXPECT_TRUE(innermost.entries.empty());
    EXPECT_EQ(ids_of(process, innermost.triggered_starts), Ids{"s2"});
    EXPECT_FALSE(node_of(process, "s2").event()->interrupts);
    const auto outwards = scopes_outwards(process, event.sub_process()->inside);
    EXPECT_EQ(outwards.size(), 3u);
    EXPECT_EQ(process[outwards.back()].id, "p");
}

TEST(Process, BoundaryEventsKnowTheirActivity) {
    const Process process = accepted(around(R"(<bpmn:userTask id="a"/>
        <bpmn:boundaryEvent id="late" attachedToRef="a" cancelActivity="false">
          <bpmn:timerEventDefinition>
            <bpmn:timeCycle>R3/PT10S</bpmn:timeCycle></bpmn:timerEventDefinition>
        </bpmn:boundaryEvent>
        <bpmn:boundaryEvent id="bad" attachedToRef="a"><bpmn:errorEventDefinition
          errorRef="err"/></bpmn:boundaryEvent>
        <bpmn:sequenceFlow id="f3" sourceRef="late" targetRef="end"/>
        <bpmn:sequenceFlow id="f4" sourceRef="bad" targetRef="end"/>)",
                                            R"(<bpmn:error id="err" errorCode="E1"/>)"));
    const FlowNode& task = node_of(process, "a");
    EXPECT_EQ(ids_of(process, task.activity.boundary_events), (Ids{"late", "bad"}));
    const Event& late = *node_of(process, "late").event();
    EXPECT_FALSE(late.interrupts);
    EXPECT_EQ(process[*late.attached_to].id, "a");
    const auto& timer = std::get<TimerTrigger>(late.triggers[0]);
    EXPECT_EQ(std::get<Cycle>(std::get<Schedule>(timer.when)).repetitions, 3u);
    const auto& error = std::get<ErrorTrigger>(node_of(process, "bad").event()->triggers[0]);
    EXPECT_EQ(std::get<std::string>(process[*error.error].code), "E1");
}

TEST(Process, CompensationHandlersAreFoundByAssociation) {
    const Process process = accepted(around(R"(<bpmn:task id="a"/>
        <bpmn:boundaryEvent id="b" attachedToRef="a">
          <bpmn:compensateEventDefinition/></bpmn:boundaryEvent>
        <bpmn:task id="undo" isForCompensation="true"/>
        <bpmn:association sourceRef="b" targetRef="undo" associationDirection="One"/>)"));
    const Activity& activity = node_of(process, "a").activity;
    ASSERT_TRUE(activity.compensation_handler);
    EXPECT_EQ(process[*activity.compensation_handler].id, "undo");
    EXPECT_TRUE(node_of(process, "undo").activity.for_compensation);
}

TEST(Process, LinksLeadToTheirTarget) {
    const Process process = accepted(process_with(R"(<bpmn:startEvent id="s"/>
        <bpmn:intermediateThrowEvent id="out"><bpmn:linkEventDefinition
          name="L"/></bpmn:intermediateThrowEvent>
        <bpmn:intermediateCatchEvent id="in"><bpmn:linkEventDefinition
          name="L"/></bpmn:intermediateCatchEvent>
        <bpmn:endEvent id="e"/><bpmn:sequenceFlow sourceRef="s" targetRef="out"/>
        <bpmn:sequenceFlow sourceRef="in" targetRef="e"/>)"));
    const auto& link = std::get<LinkTrigger>(node_of(process, "out").event()->triggers[0]);
    ASSERT_TRUE(link.target);
    EXPECT_EQ(process[*link.target].id, "in");
    EXPECT_EQ(ids_of(process, node_of(process, "in").event()->link_sources), Ids{"out"});
}

TEST(Process, LoopsAreReadAsGiven) {
    const Process process = accepted(around(R"(
        <bpmn:task id="a" startQuantity="2" completionQuantity="3">
          <bpmn:standardLoopCharacteristics testBefore="true" loopMaximum="5">
            <bpmn:loopCondition>integerVariable&lt;3</bpmn:loopCondition>
          </bpmn:standardLoopCharacteristics></bpmn:task>)"));
    const Activity& activity = node_of(process, "a").activity;
    EXPECT_EQ(activity.start_quantity, 2u);
    EXPECT_EQ(activity.completion_quantity, 3u);
    const auto& loop = std::get<StandardLoop>(activity.loop);
    EXPECT_TRUE(loop.test_before);
    EXPECT_EQ(loop.maximum, 5u);
    EXPECT_TRUE(loop.condition);
}

TEST(Process, MultiInstancesHaveACardinalityOrACollection) {
    const Process process = accepted(around(R"(
        <bpmn:task id="a"><bpmn:multiInstanceLoopCharacteristics isSequential="true">
          <bpmn:loopCardinality>3</bpmn:loopCardinality>
          <bpmn:completionCondition>${nrOfCompletedInstances == 2}</bpmn:completionCondition>
        </bpmn:multiInstanceLoopCharacteristics></bpmn:task>)"));
    const auto& loop = std::get<MultiInstance>(node_of(process, "a").activity.loop);
    EXPECT_TRUE(loop.sequential);
    EXPECT_TRUE(loop.cardinality);
    EXPECT_TRUE(loop.completion);
    EXPECT_EQ(loop.behavior, MultiInstance::Behavior::all);
}

TEST(Process, MultipleEventsHaveSeveralTriggers) {
    const Process process = accepted(around(R"(
        <bpmn:intermediateCatchEvent id="a" parallelMultiple="true">
          <bpmn:messageEventDefinition messageRef="m"/>
          <bpmn:eventDefinitionRef>sig</bpmn:eventDefinitionRef>
        </bpmn:intermediateCatchEvent>)",
                                            R"(<bpmn:message id="m" name="paid"/>
        <bpmn:signal id="s" name="alarm"/><bpmn:signalEventDefinition id="sig"
          signalRef="s"/>)"));
    const Event& event = *node_of(process, "a").event();
    EXPECT_TRUE(event.all_triggers);
    ASSERT_EQ(event.triggers.size(), 2u);
    EXPECT_EQ(
        std::get<std::string>(process[*std::get<MessageTrigger>(event.triggers[0]).message].name),
        "paid");
    EXPECT_EQ(
        std::get<std::string>(process[std::get<SignalTrigger>(event.triggers[1]).signal].name),
        "alarm");
}

TEST(Process, AReceiveTaskOrAGatewayMayStartIt) {
    const Process process = accepted(process_with(R"(
        <bpmn:receiveTask id="r" instantiate="true" messageRef="m"/><bpmn:endEvent id="e"/>
        <bpmn:sequenceFlow sourceRef="r" targetRef="e"/>)",
                                                  R"(<bpmn:message id="m" name="go"/>)"));
    EXPECT_EQ(ids_of(process, process.scopes[0].triggered_starts), Ids{"r"});
    EXPECT_TRUE(process.scopes[0].entries.empty());
}

TEST(Process, AdHocSubProcessesBeginEverythingWithoutIncomingFlow) {
    const Process process = accepted(around(R"(
        <bpmn:adHocSubProcess id="a" ordering="Sequential" cancelRemainingInstances="false">
          <bpmn:task id="t1"/><bpmn:task id="t2"/><bpmn:task id="t3"/>
          <bpmn:sequenceFlow sourceRef="t1" targetRef="t3"/>
          <bpmn:completionCondition>= done</bpmn:completionCondition></bpmn:adHocSubProcess>)"));
    const SubProcess& ad_hoc = *node_of(process, "a").sub_process();
    EXPECT_TRUE(ad_hoc.sequential);
    EXPECT_FALSE(ad_hoc.cancels_remaining);
    EXPECT_TRUE(ad_hoc.completion);
    EXPECT_EQ(ids_of(process, process[ad_hoc.inside].entries), (Ids{"t1", "t2"}));
}

TEST(Process, GlobalTasksAreProcessesWithOneTask) {
    const Compiled compiled =
        compile(around(R"(<bpmn:callActivity id="a" calledElement="g"/>)",
                       R"(<bpmn:globalScriptTask id="g" scriptLanguage="x"/>)"));
    ASSERT_TRUE(compiled.model) << problem_texts(compiled);
    const Process& global = compiled.model->processes.at(1);
    EXPECT_EQ(global.id, "g");
    EXPECT_EQ(ids_of(global, global.scopes[0].entries), Ids{"g"});
    EXPECT_EQ(global.nodes[0].task()->kind, Task::Kind::script);
    EXPECT_EQ(global.nodes[0].task()->script->format, "x");
}

TEST(Process, LanesAreKeptAsNames) {
    const Process process = accepted(around(R"(<bpmn:laneSet><bpmn:lane id="l1" name="Sales">
        <bpmn:flowNodeRef>a</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet><bpmn:task id="a"/>)"));
    ASSERT_TRUE(node_of(process, "a").lane);
    EXPECT_EQ(process[*node_of(process, "a").lane].name, "Sales");
    EXPECT_FALSE(node_of(process, "start").lane);
}

TEST(Process, DataAssociationsCopyVariables) {
    const Process process = accepted(around(R"(<bpmn:dataObject id="d" name="Data Object 1"/>
        <bpmn:dataObjectReference id="ref" dataObjectRef="d"/>
        <bpmn:task id="a"><bpmn:ioSpecification><bpmn:dataInput id="in" name="x"/>
          <bpmn:inputSet><bpmn:dataInputRefs>in</bpmn:dataInputRefs></bpmn:inputSet>
            <bpmn:outputSet/>
          </bpmn:ioSpecification>
          <bpmn:dataInputAssociation><bpmn:sourceRef>ref</bpmn:sourceRef>
            <bpmn:targetRef>in</bpmn:targetRef></bpmn:dataInputAssociation></bpmn:task>)"));
    const auto& inputs = node_of(process, "a").activity.mappings.inputs;
    ASSERT_EQ(inputs.size(), 1u);
    EXPECT_EQ(inputs[0].target, "x");
    EXPECT_EQ(inputs[0].source.text(), "Data Object 1");
}

TEST(Upstream, HasEverythingThatCanStillArrive) {
    const Process process = accepted(process_with(R"(<bpmn:startEvent id="s"/>
        <bpmn:inclusiveGateway id="split"/><bpmn:task id="x"/><bpmn:userTask id="y"/>
        <bpmn:boundaryEvent id="b" attachedToRef="y"><bpmn:timerEventDefinition>
          <bpmn:timeDuration>PT1H</bpmn:timeDuration>
        </bpmn:timerEventDefinition></bpmn:boundaryEvent>
        <bpmn:inclusiveGateway id="join"/><bpmn:endEvent id="e"/>
        <bpmn:sequenceFlow id="1" sourceRef="s" targetRef="split"/>
        <bpmn:sequenceFlow id="2" sourceRef="split" targetRef="x"/>
        <bpmn:sequenceFlow id="3" sourceRef="split" targetRef="y"/>
        <bpmn:sequenceFlow id="4" sourceRef="x" targetRef="join"/>
        <bpmn:sequenceFlow id="5" sourceRef="b" targetRef="join"/>
        <bpmn:sequenceFlow id="6" sourceRef="y" targetRef="e"/>
        <bpmn:sequenceFlow id="7" sourceRef="join" targetRef="e"/>)"));
    const auto ids = [&](FlowId flow) {
        Ids found;
        const auto upstream = upstream_of(process, flow);
        for (std::uint32_t i = 0; i < upstream.size(); ++i)
            if (upstream[i]) found.push_back(process.nodes[i].id);
        return found;
    };
    const FlowNode& join = node_of(process, "join");
    EXPECT_EQ(ids(join.incoming[0]), (Ids{"s", "split", "x"}));
    EXPECT_EQ(ids(join.incoming[1]), (Ids{"s", "split", "y", "b"}));
}

}  // namespace
}  // namespace holdfast::bpmn
