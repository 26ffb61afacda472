// Extensions of Zeebe and of Camunda 7, by namespace.
#include <gtest/gtest.h>

#include "models.h"

namespace holdfast::bpmn {
namespace {

std::string fixed(const TextOrExpression& text) {
    const auto* found = std::get_if<std::string>(&text);
    return found ? *found : "= " + std::get<feel::Expression>(text).text();
}

std::string fixed(const std::optional<TextOrExpression>& text) {
    return text ? fixed(*text) : "(none)";
}

TEST(Zeebe, ATaskDefinitionIsAJob) {
    const Process process = accepted(around(R"(<bpmn:serviceTask id="a"><bpmn:extensionElements>
        <zeebe:taskDefinition type="pay" retries="= n"/>
        <zeebe:taskHeaders><zeebe:header key="k" value="v"/></zeebe:taskHeaders>
        <zeebe:ioMapping><zeebe:input source="= order.total" target="amount"/>
          <zeebe:output source="= receipt" target="order.receipt"/></zeebe:ioMapping>
        <zeebe:properties><zeebe:property name="color" value="red"/></zeebe:properties>
        </bpmn:extensionElements></bpmn:serviceTask>)"));
    const FlowNode& node = node_of(process, "a");
    ASSERT_TRUE(node.task()->job);
    EXPECT_EQ(fixed(node.task()->job->type), "pay");
    EXPECT_EQ(fixed(node.task()->job->retries), "=  n");
    EXPECT_EQ(node.task()->job->headers.at("k"), "v");
    EXPECT_EQ(node.properties.at("color"), "red");
    EXPECT_EQ(node.activity.mappings.inputs.at(0).target, "amount");
    EXPECT_EQ(node.activity.mappings.inputs.at(0).source.text(), " order.total");
    EXPECT_EQ(node.activity.mappings.outputs.at(0).target, "order.receipt");
}

TEST(Zeebe, UserTasksHaveAssignmentFormScheduleAndPriority) {
    const Process process = accepted(around(R"(<bpmn:userTask id="a"><bpmn:extensionElements>
        <zeebe:userTask/><zeebe:assignmentDefinition assignee="= boss"
          candidateGroups="a, b" candidateUsers="= list"/>
        <zeebe:formDefinition formId="form1"/>
        <zeebe:taskSchedule dueDate="2026-01-01T00:00:00Z" followUpDate="= later"/>
        <zeebe:priorityDefinition priority="70"/></bpmn:extensionElements></bpmn:userTask>)"));
    const Assignment& assignment = node_of(process, "a").task()->assignment;
    EXPECT_EQ(fixed(assignment.assignee), "=  boss");
    ASSERT_EQ(assignment.candidate_groups.size(), 2u);
    EXPECT_EQ(fixed(assignment.candidate_groups[1]), "b");
    EXPECT_TRUE(assignment.user_list);
    EXPECT_EQ(fixed(assignment.form), "form1");
    EXPECT_EQ(fixed(assignment.due_date), "2026-01-01T00:00:00Z");
    EXPECT_EQ(fixed(assignment.priority), "70");
}

TEST(Zeebe, MessagesHaveCorrelationKeys) {
    const Process process = accepted(around(
        R"(<bpmn:intermediateCatchEvent id="a"><bpmn:messageEventDefinition
          messageRef="m"/></bpmn:intermediateCatchEvent>)",
        R"(<bpmn:message id="m" name="= &quot;paid-&quot; + kind"><bpmn:extensionElements>
           <zeebe:subscription correlationKey="= orderId"/>
           </bpmn:extensionElements></bpmn:message>)"));
    ASSERT_EQ(process.messages.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<feel::Expression>(process.messages[0].name));
    EXPECT_EQ(process.messages[0].correlation_key->text(), " orderId");
}

TEST(Zeebe, LoopsCallsScriptsAndDecisions) {
    const Process process =
        accepted(process_with(R"(<bpmn:startEvent id="s"/><bpmn:endEvent id="e"/>
        <bpmn:callActivity id="call"><bpmn:extensionElements>
          <zeebe:calledElement processId="other" propagateAllChildVariables="false"
            bindingType="versionTag" versionTag="v7"/>
          </bpmn:extensionElements>
          <bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements>
            <zeebe:loopCharacteristics inputCollection="= items"
              inputElement="item" outputCollection="results" outputElement="= item.x"/>
          </bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:callActivity>
        <bpmn:scriptTask id="script"><bpmn:extensionElements>
          <zeebe:script expression="= a + b"
            resultVariable="sum"/></bpmn:extensionElements></bpmn:scriptTask>
        <bpmn:businessRuleTask id="rule"><bpmn:extensionElements>
          <zeebe:calledDecision decisionId="dish"
            resultVariable="meal"/></bpmn:extensionElements></bpmn:businessRuleTask>
        <bpmn:sequenceFlow sourceRef="s" targetRef="call"/><bpmn:sequenceFlow
          sourceRef="call" targetRef="script"/>
        <bpmn:sequenceFlow sourceRef="script" targetRef="rule"/><bpmn:sequenceFlow
          sourceRef="rule" targetRef="e"/>)"));
    const FlowNode& call = node_of(process, "call");
    EXPECT_EQ(fixed(call.call_activity()->called), "other");
    EXPECT_EQ(call.call_activity()->binding, CallActivity::Binding::version_tag);
    EXPECT_EQ(call.call_activity()->binding_value, "v7");
    EXPECT_TRUE(call.activity.mappings.all_in);
    EXPECT_FALSE(call.activity.mappings.all_out);
    const auto& loop = std::get<MultiInstance>(call.activity.loop);
    EXPECT_EQ(loop.collection->text(), " items");
    EXPECT_EQ(loop.element_variable, "item");
    EXPECT_EQ(loop.output_collection, "results");
    EXPECT_EQ(loop.output_element->text(), " item.x");
    EXPECT_EQ(node_of(process, "script").task()->script->result_variable, "sum");
    EXPECT_TRUE(node_of(process, "script").task()->script->feel);
    EXPECT_EQ(fixed(node_of(process, "rule").task()->decision->id), "dish");
}

TEST(Camunda, ImplementationsAreJobTypes) {
    const auto type_of = [](const std::string& attributes) {
        const Process process = accepted(around("<bpmn:serviceTask id=\"a\" " + attributes + "/>"));
        return fixed(node_of(process, "a").task()->job->type);
    };
    EXPECT_EQ(type_of(R"(camunda:type="external" camunda:topic="ship")"), "ship");
    EXPECT_EQ(type_of(R"(camunda:class="com.example.Ship")"), "com.example.Ship");
    EXPECT_EQ(type_of(R"(camunda:delegateExpression="${ship}")"), "${ship}");
    EXPECT_EQ(type_of(R"(camunda:expression="${bean.go(execution)}")"), "${bean.go(execution)}");
    EXPECT_EQ(type_of(""), "a") << "its id";
}

TEST(Camunda, UserTasksHaveAssignees) {
    const Process process = accepted(around(R"(<bpmn:userTask id="a" camunda:assignee="task-${n}"
        camunda:candidateUsers="x, ${y}" camunda:candidateGroups="g" camunda:dueDate="${due}"
        camunda:priority="50" camunda:formKey="embedded:f.html">
        <bpmn:potentialOwner><bpmn:resourceAssignmentExpression>
          <bpmn:formalExpression>user(kermit), group(frogs), all</bpmn:formalExpression>
        </bpmn:resourceAssignmentExpression></bpmn:potentialOwner></bpmn:userTask>)"));
    const Assignment& assignment = node_of(process, "a").task()->assignment;
    EXPECT_EQ(fixed(assignment.assignee), "= \"task-\" + string(n)");
    ASSERT_EQ(assignment.candidate_users.size(), 3u);
    EXPECT_EQ(fixed(assignment.candidate_users[1]), "= y");
    EXPECT_EQ(fixed(assignment.candidate_users[2]), "kermit");
    ASSERT_EQ(assignment.candidate_groups.size(), 3u);
    EXPECT_EQ(fixed(assignment.candidate_groups[2]), "all");
    EXPECT_EQ(fixed(assignment.form), "embedded:f.html");
}

TEST(Camunda, VariablesArePassedToCalledProcesses) {
    const Process process = accepted(around(R"(<bpmn:callActivity id="a" calledElement="${which}"
        camunda:calledElementBinding="version" camunda:calledElementVersion="3">
          <bpmn:extensionElements>
        <camunda:in source="x" target="y"/><camunda:in sourceExpression="${x + 5}" target="z"/>
        <camunda:in businessKey="${key}"/><camunda:out
          variables="all"/></bpmn:extensionElements></bpmn:callActivity>)"));
    const FlowNode& node = node_of(process, "a");
    EXPECT_EQ(fixed(node.call_activity()->called), "= which");
    EXPECT_EQ(node.call_activity()->binding, CallActivity::Binding::version);
    const Mappings& mappings = node.activity.mappings;
    ASSERT_EQ(mappings.inputs.size(), 2u);
    EXPECT_EQ(mappings.inputs[1].source.text(), "(x + 5)");
    EXPECT_TRUE(mappings.business_key);
    EXPECT_TRUE(mappings.all_out);
    EXPECT_FALSE(mappings.all_in);
}

TEST(Camunda, ParametersMayBeListsAndMaps) {
    const Process process =
        accepted(around(R"(<bpmn:serviceTask id="a" camunda:topic="t"><bpmn:extensionElements>
        <camunda:inputOutput>
          <camunda:inputParameter name="text">Hello "${name}"</camunda:inputParameter>
          <camunda:inputParameter name="list"><camunda:list><camunda:value>a</camunda:value>
            <camunda:value>${b}</camunda:value></camunda:list></camunda:inputParameter>
          <camunda:outputParameter name="map"><camunda:map><camunda:entry
            key="k">${v}</camunda:entry></camunda:map></camunda:outputParameter>
        </camunda:inputOutput>
        <camunda:failedJobRetryTimeCycle>R5/PT5M</camunda:failedJobRetryTimeCycle>
        </bpmn:extensionElements></bpmn:serviceTask>)"));
    const FlowNode& node = node_of(process, "a");
    const Mappings& mappings = node.activity.mappings;
    ASSERT_EQ(mappings.inputs.size(), 2u);
    EXPECT_EQ(mappings.inputs[0].source.text(), R"( "Hello \"" + string(name) + "\"")");
    EXPECT_EQ(mappings.inputs[1].source.text(), R"( ["a", b])");
    EXPECT_EQ(mappings.outputs.at(0).source.text(), R"( {"k": v})");
    EXPECT_EQ(node.task()->job->retry_cycle, "R5/PT5M");
}

TEST(Camunda, OperatonsNamespaceMeansTheSame) {
    std::string model = around(R"(<bpmn:userTask id="a" camunda:assignee="kermit"/>)");
    const std::string_view uri = "http://camunda.org/schema/1.0/bpmn";
    model.replace(model.find(uri), uri.size(), "http://operaton.org/schema/1.0/bpmn");
    EXPECT_EQ(fixed(node_of(accepted(model), "a").task()->assignment.assignee), "kermit");
}

TEST(Camunda, CaughtCodesGoToVariables) {
    const Process process = accepted(around(R"(<bpmn:task id="a"/>
        <bpmn:boundaryEvent id="b" attachedToRef="a"><bpmn:errorEventDefinition errorRef="CODE"
          camunda:errorCodeVariable="c" camunda:errorMessageVariable="m"/></bpmn:boundaryEvent>
        <bpmn:sequenceFlow sourceRef="b" targetRef="end"/>)"));
    const auto& trigger = std::get<ErrorTrigger>(node_of(process, "b").event()->triggers[0]);
    EXPECT_EQ(trigger.code_variable, "c");
    EXPECT_EQ(trigger.message_variable, "m");
    EXPECT_EQ(fixed(process[*trigger.error].code), "CODE") << "a reference to no error is a code";
}

TEST(Extensions, UnknownOnesAreWarnings) {
    const Compiled compiled =
        compile(around(R"(<bpmn:task id="a" camunda:novelty="1"><bpmn:extensionElements>
        <zeebe:novelty/><x:thing xmlns:x="urn:x"/></bpmn:extensionElements></bpmn:task>)"));
    EXPECT_TRUE(compiled.model);
    ASSERT_EQ(compiled.problems.size(), 3u) << problem_texts(compiled);
    for (const Problem& problem : compiled.problems) {
        EXPECT_EQ(problem.kind, ProblemKind::unknown_extension);
        EXPECT_EQ(problem.severity, Severity::warning);
        EXPECT_EQ(problem.element, "a");
    }
}

}  // namespace
}  // namespace holdfast::bpmn
