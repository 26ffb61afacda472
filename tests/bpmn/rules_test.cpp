// Rules that need a comparison: the same model with and without what makes it invalid.
#include <gtest/gtest.h>

#include "models.h"

namespace holdfast::bpmn {
namespace {

using Kinds = std::vector<ProblemKind>;

// A user task with two boundary events.
std::string two_boundary_events(const std::string& first, const std::string& second) {
    return around(
        "<bpmn:userTask id='a'/>"
        "<bpmn:boundaryEvent id='b1' attachedToRef='a'>" +
            first +
            "</bpmn:boundaryEvent>"
            "<bpmn:boundaryEvent id='b2' attachedToRef='a'>" +
            second +
            "</bpmn:boundaryEvent>"
            "<bpmn:sequenceFlow sourceRef='b1' targetRef='end'/>"
            "<bpmn:sequenceFlow sourceRef='b2' targetRef='end'/>",
        "<bpmn:error id='e1' errorCode='1'/><bpmn:error id='e2' errorCode='2'/>"
        "<bpmn:error id='e3' errorCode='1'/>");
}

TEST(Rules, TwoBoundaryEventsCannotCatchTheSame) {
    const auto error = [](const std::string& reference) {
        return "<bpmn:errorEventDefinition errorRef='" + reference + "'/>";
    };
    EXPECT_EQ(refusals(two_boundary_events(error("e1"), error("e3"))),
              Kinds{ProblemKind::boundary_event});
    EXPECT_EQ(refusals(two_boundary_events(error("e1"), error("e2"))), Kinds{});
    EXPECT_EQ(refusals(two_boundary_events(error("e1"), "<bpmn:errorEventDefinition/>")), Kinds{})
        << "a code and any code";
    const std::string timer =
        "<bpmn:timerEventDefinition><bpmn:timeDuration>PT1S</bpmn:timeDuration>"
        "</bpmn:timerEventDefinition>";
    EXPECT_EQ(refusals(two_boundary_events(timer, timer)), Kinds{});
}

TEST(Rules, TheOnlyFlowOfAnExclusiveGatewayIsUnconditional) {
    EXPECT_EQ(refusals(around("<bpmn:exclusiveGateway id='a'/>")), Kinds{});
    std::string model = around("<bpmn:exclusiveGateway id='a'/>");
    const std::string flow = R"(sourceRef="a" targetRef="end"/>)";
    model.replace(model.find(flow), flow.size(),
                  R"(sourceRef="a" targetRef="end"><bpmn:conditionExpression>= x
                  </bpmn:conditionExpression></bpmn:sequenceFlow>)");
    EXPECT_EQ(refusals(model), Kinds{ProblemKind::sequence_flow});
}

TEST(Rules, WhatWouldBeIgnoredSilentlyIsRefused) {
    EXPECT_EQ(refusals(around("<bpmn:serviceTask id='a' camunda:type='external'/>")),
              Kinds{ProblemKind::extension});
    EXPECT_EQ(refusals(around("<bpmn:task id='a'/><bpmn:correlationSubscription/>")),
              Kinds{ProblemKind::message});
    EXPECT_EQ(
        refusals(around("<bpmn:task id='a'><bpmn:extensionElements><zeebe:executionListeners/>"
                        "</bpmn:extensionElements></bpmn:task>")),
        Kinds{ProblemKind::extension});
}

TEST(Rules, AProcessThatIsCalledHasAStartEventWithoutATrigger) {
    const std::string called = R"(<bpmn:process id="q" isExecutable="true"><bpmn:startEvent id="qs">
        <bpmn:signalEventDefinition signalRef="sig"/></bpmn:startEvent><bpmn:endEvent id="qe"/>
        <bpmn:sequenceFlow sourceRef="qs" targetRef="qe"/></bpmn:process>
        <bpmn:signal id="sig" name="s"/>)";
    EXPECT_EQ(refusals(around("<bpmn:callActivity id='a' calledElement='q'/>", called)),
              Kinds{ProblemKind::call_activity});
    EXPECT_EQ(refusals(around("<bpmn:callActivity id='a' calledElement='elsewhere'/>", called)),
              Kinds{});
}

// Without a vendor's namespace.
std::string plain_model(const std::string& attributes) {
    return "<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\" " + attributes +
           R"(><process id="p" isExecutable="true"><startEvent id="s"/><task id="t"/>
           <sequenceFlow id="f" sourceRef="s" targetRef="t"/></process></definitions>)";
}

TEST(Rules, OnlyStrictDocumentsHaveToFollowTheStandardToTheLetter) {
    EXPECT_EQ(refusals(plain_model("")), Kinds{});
    EXPECT_EQ(
        refusals(plain_model("expressionLanguage='http://www.w3.org/1999/XPath'")),
        (Kinds{ProblemKind::end_event, ProblemKind::sequence_flow, ProblemKind::sequence_flow}));
    EXPECT_EQ(refusals(plain_model("expressionLanguage='http://www.w3.org/1999/XPath' "
                                   "xmlns:c='http://camunda.org/schema/1.0/bpmn'")),
              Kinds{});
}

TEST(Rules, TheLanguageOfADocumentIsThatOfItsExpressions) {
    const auto model = [](const std::string& language) {
        return definitions(R"(<bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="s"/>
            <bpmn:exclusiveGateway id="g"/><bpmn:endEvent id="e"/>
            <bpmn:sequenceFlow sourceRef="s" targetRef="g"/>
            <bpmn:sequenceFlow sourceRef="g" targetRef="e"/>
            <bpmn:sequenceFlow sourceRef="g" targetRef="e">
              <bpmn:conditionExpression>a == 1</bpmn:conditionExpression></bpmn:sequenceFlow>
            </bpmn:process>)",
                           "expressionLanguage='" + language + "'");
    };
    EXPECT_EQ(refusals(model("http://www.w3.org/1999/XPath")), Kinds{});
    EXPECT_EQ(refusals(model("https://www.omg.org/spec/DMN/20191111/FEEL/")),
              Kinds{ProblemKind::expression});
}

}  // namespace
}  // namespace holdfast::bpmn
