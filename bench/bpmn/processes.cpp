#include "processes.h"

#include <boost/json.hpp>

#include "base/threads/pause.h"
#include "measures/crowd.h"

namespace holdfast::bench {
namespace {

namespace bj = boost::json;

// Ten nodes: an exclusive gateway with a condition, a parallel fork and join, two jobs, and a
// boundary timer that is armed and never fires.
constexpr const char* order_model = R"(
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
             xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="bench">
 <process id="order" isExecutable="true">
  <startEvent id="start"/>
  <exclusiveGateway id="large" default="small"/>
  <parallelGateway id="fork"/>
  <serviceTask id="charge"><extensionElements>
   <zeebe:taskDefinition type="charge"/></extensionElements></serviceTask>
  <boundaryEvent id="late" attachedToRef="charge"><timerEventDefinition>
   <timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent>
  <serviceTask id="pack"><extensionElements>
   <zeebe:taskDefinition type="pack"/></extensionElements></serviceTask>
  <parallelGateway id="join"/>
  <endEvent id="end"/>
  <task id="refuse"/>
  <endEvent id="refused"/>
  <sequenceFlow id="1" sourceRef="start" targetRef="large"/>
  <sequenceFlow id="2" sourceRef="large" targetRef="refuse">
   <conditionExpression>=amount &gt; 1000</conditionExpression></sequenceFlow>
  <sequenceFlow id="small" sourceRef="large" targetRef="fork"/>
  <sequenceFlow id="4" sourceRef="fork" targetRef="charge"/>
  <sequenceFlow id="5" sourceRef="fork" targetRef="pack"/>
  <sequenceFlow id="6" sourceRef="charge" targetRef="join"/>
  <sequenceFlow id="7" sourceRef="pack" targetRef="join"/>
  <sequenceFlow id="8" sourceRef="join" targetRef="end"/>
  <sequenceFlow id="9" sourceRef="late" targetRef="refuse"/>
  <sequenceFlow id="10" sourceRef="refuse" targetRef="refused"/>
 </process>
</definitions>)";

constexpr const char* waiting_model = R"(
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="bench">
 <message id="m" name="go"/>
 <process id="waiting" isExecutable="true">
  <startEvent id="start"/><receiveTask id="wait" messageRef="m"/><endEvent id="end"/>
  <boundaryEvent id="late" attachedToRef="wait"><timerEventDefinition>
   <timeDuration>P30D</timeDuration></timerEventDefinition></boundaryEvent>
  <sequenceFlow id="1" sourceRef="start" targetRef="wait"/>
  <sequenceFlow id="2" sourceRef="wait" targetRef="end"/>
  <sequenceFlow id="3" sourceRef="late" targetRef="end"/>
 </process>
</definitions>)";

StartOptions with_amount(int amount) {
    return {.state = bj::object{{"variables", {{"amount", amount}}}}};
}

void expect_both_jobs(const Json& result) {
    if (!result.as_object().contains("charged") || !result.as_object().contains("packed"))
        throw std::runtime_error("a process ended without its jobs");
}

}  // namespace

void add_worker(Node& node) {
    node.work("charge", [](const Job& job) -> Json {
        return bj::object{{"charged", job.variables.at("amount")}};
    });
    node.work("pack", [](const Job&) -> Json { return bj::object{{"packed", true}}; });
}

void deploy_processes(Node& node) {
    node.deploy(order_model);
    node.deploy(waiting_model);
}

Rate run_processes(Node& node, const Callers& load) {
    if (load.callers == 1)
        return run_callers(load, [&](std::size_t) {
            expect_both_jobs(node.result<Json>(node.start("order", with_amount(5))));
        });
    Outstanding outstanding(load, [&](std::size_t, Ended ended) {
        node.start_async("order", with_amount(5)).then([&, ended](Future<std::string> started) {
            node.result_async<Json>(started.get()).then([&, ended](Future<Json> result) {
                guard(outstanding, [&] { expect_both_jobs(result.get()); });
                ended();
            });
        });
    });
    return outstanding.run();
}

void leave_waiting(Node& node, std::size_t count) {
    Outstanding outstanding({.callers = 256, .workflows = count}, [&](std::size_t, Ended ended) {
        node.start_async("waiting").then([&, ended](Future<std::string> started) {
            guard(outstanding, [&] { (void)started.get(); });
            ended();
        });
    });
    outstanding.run();
}

}  // namespace holdfast::bench
