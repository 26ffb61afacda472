// The BPMN process of the crash points.
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

}  // namespace holdfast::sim
