// Loops, multi-instances, and what all activities have in common.
#include <charconv>

#include "bpmn/read/names.h"
#include "bpmn/read/node_readers.h"

namespace holdfast::bpmn {
namespace {

// A whole number of at least `least`; anything else is reported and absent.
std::optional<std::uint32_t> whole_number(Reading& reading, Element element, std::string_view name,
                                          std::uint32_t least) {
    const auto text = element.attribute(name);
    if (!text) return std::nullopt;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error == std::errc{} && end == text->data() + text->size() && number >= least)
        return number;
    reading.document.error(
        ProblemKind::bad_value, element,
        std::string(name) + " has to be a whole number of at least " + std::to_string(least));
    return std::nullopt;
}

StandardLoop read_standard_loop(Reading& reading, Element element) {
    StandardLoop loop;
    if (const auto holder = element.child("loopCondition"))
        loop.condition = reading.condition(*holder);
    loop.test_before = element.flag("testBefore");
    loop.maximum = whole_number(reading, element, "loopMaximum", 1);
    return loop;
}

// How a task is associated with variables: by which elements, and which end is its own.
struct Association {
    std::string_view element;
    std::string_view own;
    std::string_view other;
};

// The variable behind a data input or output of a task: what its association names, or itself.
std::string item_variable(Reading& reading, Element holder, const Association& by) {
    const auto name_of_item = [](Element item) {
        return item.text_of("name").empty() ? item.id() : item.text_of("name");
    };
    for (const Element& each : holder.parent().parent().children(by.element)) {
        const auto here = each.child(by.own);
        const auto there = each.child(by.other);
        if (!here || !there || here->text() != holder.text()) continue;
        auto found = reading.document.find(there->text());
        if (found && found->is("dataObjectReference"))
            found = reading.document.find(found->text_of("dataObjectRef"));
        if (found) return name_of_item(*found);
    }
    const auto item = reading.document.find(holder.text());
    return item ? name_of_item(*item) : std::string(holder.text());
}

void read_item_loop(Reading& reading, Element element, MultiInstance& loop) {
    if (const auto holder = element.child("loopDataInputRef")) {
        const std::string name =
            item_variable(reading, *holder, {"dataInputAssociation", "targetRef", "sourceRef"});
        loop.collection = reading.expression_in(*holder, name, "loopDataInputRef");
    }
    if (const auto item = element.child("inputDataItem"))
        loop.element_variable = item->text_of("name").empty() ? item->id() : item->text_of("name");
    if (const auto holder = element.child("loopDataOutputRef"))
        loop.output_collection =
            item_variable(reading, *holder, {"dataOutputAssociation", "sourceRef", "targetRef"});
    const auto item = element.child("outputDataItem");
    const std::string name = item ? item->text_of("name") : std::string();
    if (!name.empty()) loop.output_element = reading.expression_in(*item, name, "outputDataItem");
}

void read_zeebe_loop(Reading& reading, Element element, MultiInstance& loop) {
    const auto zeebe = extension_of(element, Space::zeebe, "loopCharacteristics");
    if (!zeebe) return;
    if (const auto collection = zeebe->attribute("inputCollection"))
        loop.collection = reading.expression_in(*zeebe, *collection, "inputCollection");
    loop.element_variable = zeebe->text_of("inputElement");
    loop.output_collection = zeebe->text_of("outputCollection");
    if (const auto output = zeebe->attribute("outputElement"))
        loop.output_element = reading.expression_in(*zeebe, *output, "outputElement");
}

void read_camunda_loop(Reading& reading, Element element, MultiInstance& loop) {
    if (const auto collection = element.attribute(Space::camunda, "collection"))
        loop.collection = reading.expression_in(element, *collection, "collection");
    if (const auto variable = element.attribute(Space::camunda, "elementVariable"))
        loop.element_variable = *variable;
}

void read_behavior(Reading& reading, Element element, MultiInstance& loop) {
    using Behavior = MultiInstance::Behavior;
    const std::string behavior = element.text_of("behavior");
    loop.behavior = behavior == "None"      ? Behavior::none
                    : behavior == "One"     ? Behavior::one
                    : behavior == "Complex" ? Behavior::complex
                                            : Behavior::all;
    const std::string_view name =
        loop.behavior == Behavior::none ? "noneBehaviorEventRef" : "oneBehaviorEventRef";
    const auto definition = reading.document.find(element.text_of(name));
    if (definition && is_event_definition(*definition))
        loop.thrown = read_trigger(reading, *definition);
    for (const Element& complex : element.children("complexBehaviorDefinition"))
        if (const auto holder = complex.child("condition")) reading.condition(*holder);
    if (loop.behavior == Behavior::complex)
        reading.document.error(ProblemKind::loop, element,
                               "multi-instance behavior Complex is not supported");
}

MultiInstance read_multi_instance(Reading& reading, Element element) {
    MultiInstance loop;
    loop.sequential = element.flag("isSequential");
    if (const auto holder = element.child("loopCardinality"))
        loop.cardinality = reading.expression(*holder);
    read_item_loop(reading, element, loop);
    if (const auto holder = element.child("completionCondition"))
        loop.completion = reading.condition(*holder);
    read_zeebe_loop(reading, element, loop);
    read_camunda_loop(reading, element, loop);
    read_behavior(reading, element, loop);
    const bool given = element.child("loopCardinality") || element.child("loopDataInputRef") ||
                       loop.collection.has_value();
    if (!given)
        reading.document.error(ProblemKind::loop, element,
                               "a multi-instance needs a loopCardinality or a collection");
    return loop;
}

std::vector<Variable> read_variables(Element owner) {
    std::vector<Variable> variables;
    for (const Element& property : owner.children("property"))
        variables.push_back({.id = property.id(),
                             .name = property.text_of("name"),
                             .is_collection = property.flag("isCollection")});
    return variables;
}

}  // namespace

Loop read_loop(Reading& reading, Element element) {
    const auto standard = element.child("standardLoopCharacteristics");
    const auto multi = element.child("multiInstanceLoopCharacteristics");
    if (element.children("standardLoopCharacteristics").size() +
            element.children("multiInstanceLoopCharacteristics").size() >
        1)
        reading.document.error(ProblemKind::loop, element, "an activity has at most one loop");
    Loop loop;
    if (standard) loop = read_standard_loop(reading, *standard);
    if (multi) loop = read_multi_instance(reading, *multi);
    return loop;
}

Activity read_activity(Reading& reading, Element element) {
    Activity activity;
    activity.loop = read_loop(reading, element);
    activity.mappings = read_mappings(reading, element);
    activity.properties = read_variables(element);
    activity.for_compensation = element.flag("isForCompensation");
    activity.start_quantity = whole_number(reading, element, "startQuantity", 1).value_or(1);
    activity.completion_quantity =
        whole_number(reading, element, "completionQuantity", 1).value_or(1);
    return activity;
}

}  // namespace holdfast::bpmn
