// The BPMN processes of the simulation and of the crash points.
#pragma once

#include <string_view>

namespace holdfast::sim {

// Two tokens that meet again: a task with a time limit, and a wait for an event.
inline constexpr std::string_view process_model = R"(
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
 <message id="m" name="paid"/>
 <process id="process" isExecutable="true">
  <startEvent id="s"/><parallelGateway id="f"/><parallelGateway id="j"/><endEvent id="e"/>
  <userTask id="u"/><exclusiveGateway id="g"/>
  <boundaryEvent id="t" attachedToRef="u"><timerEventDefinition>
   <timeDuration>PT10S</timeDuration></timerEventDefinition></boundaryEvent>
  <intermediateCatchEvent id="c"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>
  <sequenceFlow id="1" sourceRef="s" targetRef="f"/>
  <sequenceFlow id="2" sourceRef="f" targetRef="u"/>
  <sequenceFlow id="3" sourceRef="f" targetRef="c"/>
  <sequenceFlow id="4" sourceRef="u" targetRef="g"/>
  <sequenceFlow id="5" sourceRef="t" targetRef="g"/>
  <sequenceFlow id="6" sourceRef="g" targetRef="j"/>
  <sequenceFlow id="7" sourceRef="c" targetRef="j"/>
  <sequenceFlow id="8" sourceRef="j" targetRef="e"/>
 </process>
</definitions>)";

// Two races at a time, each of which an event or a timer wins: a task that waits against its
// boundary timer, and the events behind a gateway. Meanwhile a third event may come any number of
// times, and a worker does a job. The names are those that clients send.
inline constexpr std::string_view race_model = R"(
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
 <message id="m0" name="name-0"/><message id="m1" name="name-1"/><message id="m2" name="name-2"/>
 <process id="race" isExecutable="true">
  <startEvent id="s"/><parallelGateway id="f"/><parallelGateway id="j"/><endEvent id="e"/>
  <receiveTask id="r" messageRef="m0"/><exclusiveGateway id="x"/><exclusiveGateway id="y"/>
  <boundaryEvent id="late" attachedToRef="r"><timerEventDefinition>
   <timeDuration>PT3S</timeDuration></timerEventDefinition></boundaryEvent>
  <boundaryEvent id="more" attachedToRef="r" cancelActivity="false">
   <messageEventDefinition messageRef="m2"/></boundaryEvent><endEvent id="noted"/>
  <eventBasedGateway id="g"/>
  <intermediateCatchEvent id="c"><messageEventDefinition messageRef="m1"/></intermediateCatchEvent>
  <intermediateCatchEvent id="t"><timerEventDefinition>
   <timeDuration>PT2S</timeDuration></timerEventDefinition></intermediateCatchEvent>
  <serviceTask id="work"/>
  <sequenceFlow id="1" sourceRef="s" targetRef="f"/>
  <sequenceFlow id="2" sourceRef="f" targetRef="r"/>
  <sequenceFlow id="3" sourceRef="f" targetRef="g"/>
  <sequenceFlow id="4" sourceRef="r" targetRef="x"/>
  <sequenceFlow id="5" sourceRef="late" targetRef="x"/>
  <sequenceFlow id="6" sourceRef="more" targetRef="noted"/>
  <sequenceFlow id="7" sourceRef="g" targetRef="c"/>
  <sequenceFlow id="8" sourceRef="g" targetRef="t"/>
  <sequenceFlow id="9" sourceRef="c" targetRef="y"/>
  <sequenceFlow id="10" sourceRef="t" targetRef="y"/>
  <sequenceFlow id="11" sourceRef="x" targetRef="j"/>
  <sequenceFlow id="12" sourceRef="y" targetRef="j"/>
  <sequenceFlow id="13" sourceRef="j" targetRef="e"/>
  <sequenceFlow id="14" sourceRef="f" targetRef="work"/>
  <sequenceFlow id="15" sourceRef="work" targetRef="j"/>
 </process>
</definitions>)";

// Every family of elements, so that a story needs few answers from outside: an event, a job that
// throws an error, and time.
inline constexpr std::string_view families_model = R"(
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
 <message id="m" name="paid"/><message id="o" name="told"/><signal id="g" name="all"/>
 <error id="broken" errorCode="BROKEN"/><escalation id="up" escalationCode="UP"/>
 <process id="child" isExecutable="true">
  <startEvent id="ks"/><task id="kt"/><endEvent id="ke"/>
  <sequenceFlow id="k1" sourceRef="ks" targetRef="kt"/>
  <sequenceFlow id="k2" sourceRef="kt" targetRef="ke"/>
 </process>
 <process id="families" isExecutable="true">
  <startEvent id="s"/>
  <scriptTask id="script"><extensionElements>
   <zeebe:script expression="=3" resultVariable="n"/></extensionElements></scriptTask>
  <exclusiveGateway id="x" default="f3"/>
  <inclusiveGateway id="i"/><intermediateThrowEvent id="l1"><linkEventDefinition name="L"/>
   </intermediateThrowEvent>
  <intermediateCatchEvent id="l2"><linkEventDefinition name="L"/></intermediateCatchEvent>
  <task id="loop"><standardLoopCharacteristics loopMaximum="2"/></task>
  <inclusiveGateway id="ij"/>
  <parallelGateway id="p"/><complexGateway id="c"><activationCondition>=activationCount &gt;= 2
   </activationCondition></complexGateway>
  <transaction id="tx">
   <startEvent id="ts"/><task id="book"/>
   <boundaryEvent id="undo" attachedToRef="book"><compensateEventDefinition/></boundaryEvent>
   <task id="unbook" isForCompensation="true"/>
   <association id="a" sourceRef="undo" targetRef="unbook" associationDirection="One"/>
   <intermediateThrowEvent id="esc"><escalationEventDefinition escalationRef="up"/>
   </intermediateThrowEvent>
   <endEvent id="te"><cancelEventDefinition/></endEvent>
   <sequenceFlow id="t1" sourceRef="ts" targetRef="book"/>
   <sequenceFlow id="t2" sourceRef="book" targetRef="esc"/>
   <sequenceFlow id="t3" sourceRef="esc" targetRef="te"/>
  </transaction>
  <boundaryEvent id="txc" attachedToRef="tx"><cancelEventDefinition/></boundaryEvent>
  <boundaryEvent id="txe" attachedToRef="tx" cancelActivity="false">
   <escalationEventDefinition escalationRef="up"/></boundaryEvent><endEvent id="noted"/>
  <adHocSubProcess id="hoc"><task id="h1"/><task id="h2"/></adHocSubProcess>
  <callActivity id="call" calledElement="child"/>
  <eventBasedGateway id="eg"/>
  <intermediateCatchEvent id="em"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>
  <intermediateCatchEvent id="et"><timerEventDefinition><timeDuration>PT10S</timeDuration>
   </timerEventDefinition></intermediateCatchEvent>
  <subProcess id="sub"><startEvent id="ss"/><endEvent id="se"/>
   <task id="many"><multiInstanceLoopCharacteristics><loopCardinality>=3</loopCardinality>
    </multiInstanceLoopCharacteristics></task>
   <serviceTask id="job"/>
   <boundaryEvent id="slow" attachedToRef="job"><timerEventDefinition>
    <timeDuration>PT30S</timeDuration></timerEventDefinition></boundaryEvent>
   <sequenceFlow id="s1" sourceRef="ss" targetRef="many"/>
   <sequenceFlow id="s2" sourceRef="many" targetRef="job"/>
   <sequenceFlow id="s3" sourceRef="job" targetRef="se"/>
   <sequenceFlow id="s4" sourceRef="slow" targetRef="se"/>
  </subProcess>
  <boundaryEvent id="err" attachedToRef="sub"><errorEventDefinition errorRef="broken"/>
   </boundaryEvent>
  <intermediateCatchEvent id="when"><conditionalEventDefinition>
   <condition>=n = 3</condition></conditionalEventDefinition></intermediateCatchEvent>
  <intermediateThrowEvent id="sig"><signalEventDefinition signalRef="g"/></intermediateThrowEvent>
  <intermediateThrowEvent id="tell"><messageEventDefinition messageRef="o"/>
   </intermediateThrowEvent>
  <receiveTask id="hear" messageRef="o"/>
  <endEvent id="e"><terminateEventDefinition/></endEvent>
  <subProcess id="es" triggeredByEvent="true">
   <startEvent id="ess" isInterrupting="false"><signalEventDefinition signalRef="g"/></startEvent>
   <scriptTask id="est"><extensionElements>
    <zeebe:script expression="=true" resultVariable="heard"/></extensionElements></scriptTask>
   <sequenceFlow id="e1" sourceRef="ess" targetRef="est"/>
  </subProcess>
  <sequenceFlow id="f1" sourceRef="s" targetRef="script"/>
  <sequenceFlow id="f2" sourceRef="script" targetRef="x"/>
  <sequenceFlow id="f3" sourceRef="x" targetRef="i"/>
  <sequenceFlow id="f4" sourceRef="i" targetRef="l1">
   <conditionExpression>=n = 3</conditionExpression></sequenceFlow>
  <sequenceFlow id="f5" sourceRef="i" targetRef="loop"/>
  <sequenceFlow id="f6" sourceRef="l2" targetRef="ij"/>
  <sequenceFlow id="f7" sourceRef="loop" targetRef="ij"/>
  <sequenceFlow id="f8" sourceRef="ij" targetRef="p"/>
  <sequenceFlow id="f9" sourceRef="p" targetRef="c"/>
  <sequenceFlow id="f10" sourceRef="p" targetRef="c"/>
  <sequenceFlow id="f11" sourceRef="c" targetRef="tx"/>
  <sequenceFlow id="f12" sourceRef="txc" targetRef="hoc"/>
  <sequenceFlow id="f13" sourceRef="txe" targetRef="noted"/>
  <sequenceFlow id="f14" sourceRef="hoc" targetRef="call"/>
  <sequenceFlow id="f15" sourceRef="call" targetRef="eg"/>
  <sequenceFlow id="f16" sourceRef="eg" targetRef="em"/>
  <sequenceFlow id="f17" sourceRef="eg" targetRef="et"/>
  <sequenceFlow id="f18" sourceRef="em" targetRef="sub"/>
  <sequenceFlow id="f19" sourceRef="et" targetRef="sub"/>
  <sequenceFlow id="f20" sourceRef="sub" targetRef="when"/>
  <sequenceFlow id="f21" sourceRef="err" targetRef="when"/>
  <sequenceFlow id="f22" sourceRef="when" targetRef="sig"/>
  <sequenceFlow id="f23" sourceRef="sig" targetRef="tell"/>
  <sequenceFlow id="f24" sourceRef="tell" targetRef="hear"/>
  <sequenceFlow id="f25" sourceRef="hear" targetRef="e"/>
 </process>
</definitions>)";

}  // namespace holdfast::sim
