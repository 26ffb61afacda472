// One process while it is read: where its elements became nodes, and how texts become expressions.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bpmn/process/process.h"
#include "bpmn/read/document.h"

namespace holdfast::bpmn {

class Reading {
public:
    Reading(Document& of, Process& result) : document(of), process(result) {}

    Document& document;
    Process& process;
    std::vector<Element> elements;       // by FlowNodeId
    std::vector<Element> flow_elements;  // by FlowId
    std::vector<Element> scope_elements;

    // Nodes, by the position of their element.
    std::unordered_map<std::uint32_t, FlowNodeId> node_of;

    // The node that an id names, if it is one of this process.
    std::optional<FlowNodeId> node(std::string_view reference) const;

    // What the attribute or the child element `name` refers to, if it is a root element called
    // `kind`. Wrong references are reported elsewhere.
    std::optional<MessageId> message(std::string_view reference);
    std::optional<SignalId> signal(std::string_view reference);
    std::optional<ErrorId> bpmn_error(std::string_view reference);
    std::optional<EscalationId> escalation(std::string_view reference);

    // Absent: the problem is reported.
    std::optional<feel::Expression> expression(Element holder);
    std::optional<feel::Expression> condition(Element holder);  // has to be boolean
    std::optional<feel::Expression> expression_in(Element owner, std::string_view text,
                                                  std::string_view what);
    // For extensions, where a text without a mark is fixed.
    std::optional<TextOrExpression> text_in(Element owner, std::string_view text,
                                            std::string_view what);
    // Zeebe's texts are FEEL only with a leading `=`; fixed text is a FEEL string.
    std::optional<feel::Expression> value_in(Element owner, std::string_view text,
                                             std::string_view what);
    TextOrExpression text_or_fixed(Element owner, std::string_view text, std::string_view what);

private:
    // Camunda 7: a reference to no error is a code.
    ErrorId error_of_code(std::string_view code);

    std::unordered_map<std::string, ErrorId> error_codes_;
    std::unordered_map<std::uint32_t, MessageId> messages_;
    std::unordered_map<std::uint32_t, SignalId> signals_;
    std::unordered_map<std::uint32_t, ErrorId> errors_;
    std::unordered_map<std::uint32_t, EscalationId> escalations_;
};

// The extension elements of an element, without the wrapper.
std::vector<Element> extensions_of(Element element);
std::optional<Element> extension_of(Element element, Space space, std::string_view name);

// The event definitions of an event, also those that it refers to.
std::vector<Element> definitions_of(const Document& document, Element event);

}  // namespace holdfast::bpmn
