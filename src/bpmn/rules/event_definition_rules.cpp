// Messages, signals, errors and escalations of events: what has to be given when they are thrown or
// caught.
#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

class DefinitionRules {
public:
    DefinitionRules(Reading& reading, Element event)
        : document_(reading.document), event_(event), throws_(is_throw_event(event)) {}

    void check() {
        for (const Element& definition : definitions_of(document_, event_)) {
            if (definition.is("messageEventDefinition")) check_message(definition);
            if (definition.is("signalEventDefinition")) check_signal(definition);
            if (definition.is("errorEventDefinition") && throws_)
                check_code(definition, {"errorRef", "errorCode", ProblemKind::error});
            if (definition.is("escalationEventDefinition") && throws_)
                check_code(definition,
                           {"escalationRef", "escalationCode", ProblemKind::escalation});
        }
        for (const Element& child : event_.children("eventDefinitionRef")) check_shared(child);
    }

private:
    // A worker may send a message without telling the engine its name.
    bool has_job(Element definition) const {
        for (const Element& place : {definition, event_}) {
            if (extension_of(place, Space::zeebe, "taskDefinition")) return true;
            for (const std::string_view name :
                 {"type", "class", "expression", "delegateExpression", "topic"})
                if (place.attribute(Space::camunda, name)) return true;
        }
        return false;
    }

    void check_message(Element definition) {
        if (!definition.attribute("messageRef")) {
            if (!throws_ || document_.is_strict())
                document_.error(ProblemKind::message, definition, "messageRef is missing");
            else if (!has_job(definition))
                document_.warn(ProblemKind::message, definition, "no message is sent");
        } else {
            check_name(definition, "messageRef", ProblemKind::message);
        }
        if (document_.is_strict() && !definition.child("operationRef") &&
            !definition.attribute("operationRef"))
            document_.error(ProblemKind::message, definition, "operationRef is missing");
    }

    void check_signal(Element definition) {
        if (!definition.attribute("signalRef"))
            document_.error(ProblemKind::signal, definition, "signalRef is missing");
        else
            check_name(definition, "signalRef", ProblemKind::signal);
    }

    // Events are matched by name.
    void check_name(Element definition, std::string_view reference, ProblemKind kind) {
        const auto target = document_.find(definition.text_of(reference));
        if (target && (target->is("message") || target->is("signal")) &&
            trimmed(target->text_of("name")).empty())
            document_.error(kind, definition,
                            target->id() + " has no name: events are matched by name");
    }

    struct Code {
        std::string_view reference;
        std::string_view attribute;
        ProblemKind kind;
    };

    void check_code(Element definition, const Code& code) {
        const auto reference = definition.attribute(code.reference);
        if (!reference)
            return document_.error(code.kind, definition,
                                   std::string(code.reference) + " is missing");
        const auto target = document_.find(*reference);
        // A reference to nothing is the code itself.
        if (target && target->text_of(code.attribute).empty())
            document_.error(
                code.kind, definition,
                target->id() + " is thrown, so it needs " + std::string(code.attribute));
    }

    // Only definitions of the document may be shared, not those inside of another throw event.
    void check_shared(Element reference) {
        const auto definition = document_.find(reference.text());
        if (definition && is_event_definition(*definition) && !definition->is_root() &&
            !definition->parent().is_root())
            document_.error(ProblemKind::event_definition, reference,
                            definition->id() + " belongs to another event");
    }

    Document& document_;
    Element event_;
    bool throws_;
};

}  // namespace

void check_event_definitions(Reading& reading) {
    for (const Element& element : reading.elements)
        if (is_event(element)) DefinitionRules(reading, element).check();
}

}  // namespace holdfast::bpmn
