// Small models for tests: a process around some elements, and what compiling gives.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "bpmn/model.h"

namespace holdfast::bpmn {

// `attributes` are added to `definitions`.
inline std::string definitions(std::string_view content, std::string_view attributes = "") {
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"
    xmlns:camunda="http://camunda.org/schema/1.0/bpmn" targetNamespace="t" )" +
           std::string(attributes) + ">" + std::string(content) + "</bpmn:definitions>";
}

inline std::string process_with(std::string_view content, std::string_view roots = "") {
    return definitions(R"(<bpmn:process id="p" isExecutable="true">)" + std::string(content) +
                       "</bpmn:process>" + std::string(roots));
}

// start -> the element with the id `a` -> end, besides `content`.
inline std::string around(std::string_view content, std::string_view roots = "") {
    return process_with(R"(<bpmn:startEvent id="start"/><bpmn:endEvent id="end"/>
        <bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="a"/>
        <bpmn:sequenceFlow id="f2" sourceRef="a" targetRef="end"/>)" +
                            std::string(content),
                        roots);
}

inline std::string problem_texts(const Compiled& compiled) {
    std::string texts;
    for (const Problem& problem : compiled.problems) texts += text_of(problem) + "\n";
    return texts;
}

// The first process; the test fails if the model is refused.
inline Process accepted(const std::string& xml) {
    Compiled compiled = compile(xml);
    if (!compiled.model) {
        ADD_FAILURE() << problem_texts(compiled);
        return {};
    }
    return std::move(compiled.model->processes.at(0));
}

inline const FlowNode& node_of(const Process& process, std::string_view id) {
    const auto found = process.find(id);
    EXPECT_TRUE(found) << id;
    static const FlowNode none;
    return found ? process[*found] : none;
}

// The kinds of the errors, by line.
inline std::vector<ProblemKind> refusals(const std::string& xml, const XmlLimits& limits = {}) {
    const Compiled compiled = compile(xml, limits);
    std::vector<ProblemKind> kinds;
    for (const Problem& problem : compiled.problems)
        if (problem.severity == Severity::error) kinds.push_back(problem.kind);
    EXPECT_EQ(kinds.empty(), compiled.model.has_value());
    return kinds;
}

inline std::vector<std::string> ids_of(const Process& process,
                                       const std::vector<FlowNodeId>& nodes) {
    std::vector<std::string> ids;
    for (const FlowNodeId node : nodes) ids.push_back(process[node].id);
    return ids;
}

}  // namespace holdfast::bpmn
