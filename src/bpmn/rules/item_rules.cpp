// Data objects, inputs, outputs and associations, as the standard defines them. The engine keeps
// JSON and needs none of it, so these rules are for strict documents.
#include <set>
#include <unordered_set>

#include "bpmn/read/names.h"
#include "bpmn/rules/items.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {

std::optional<Element> item_of(const Document& document, std::optional<Element> element) {
    if (!element) return std::nullopt;
    if (element->is("dataObjectReference"))
        element = document.find(element->text_of("dataObjectRef"));
    if (!element) return std::nullopt;
    for (const std::string_view name : {"itemSubjectRef", "itemRef", "structureRef"})
        if (const auto reference = element->attribute(name)) {
            const auto item = document.find(*reference);
            if (item && item->is("itemDefinition")) return item;
        }
    return std::nullopt;
}

bool same_item(const std::optional<Element>& a, const std::optional<Element>& b) {
    if (!a || !b) return false;
    if (*a == *b) return true;
    const std::string structure = a->text_of("structureRef");
    return !structure.empty() && structure == b->text_of("structureRef") &&
           a->flag("isCollection") == b->flag("isCollection");
}

namespace {

class ItemRules {
public:
    explicit ItemRules(Document& document) : document_(document) {}

    void check(Element element) {
        if (element.is("dataObject") || element.is("dataInput") || element.is("dataOutput"))
            check_collection(element);
        if (element.is("dataObjectReference")) check_state_name(element);
        if (element.is("dataInputAssociation") || element.is("dataOutputAssociation"))
            check_association(element);
        if (element.is("ioSpecification")) check_specification(element);
        if (element.is("inputSet") || element.is("outputSet")) check_set(element);
        if (is_event(element)) check_event(element);
        if (element.is("multiInstanceLoopCharacteristics")) {
            check_loop_item(element, "loopDataInputRef", "inputDataItem");
            check_loop_item(element, "loopDataOutputRef", "outputDataItem");
        }
    }

private:
    void refuse(Element element, std::string message) {
        document_.error(ProblemKind::item, element, std::move(message));
    }

    std::optional<Element> named(const std::optional<Element>& holder) const {
        return holder ? document_.find(holder->text()) : std::nullopt;
    }

    void check_collection(Element element) {
        const auto item = item_of(document_, element);
        if (item && item->flag("isCollection") != element.flag("isCollection"))
            refuse(element, "isCollection differs from that of " + item->id());
    }

    // Data Object Name [state]
    void check_state_name(Element element) {
        const auto state = element.child("dataState");
        const auto object = document_.find(element.text_of("dataObjectRef"));
        const std::string name = element.text_of("name");
        if (!state || !object || name.empty()) return;
        if (name != object->text_of("name") + " [" + state->text_of("name") + "]")
            refuse(element, "its name has to be that of the data object, followed by [state]");
    }

    void check_association(Element element) {
        const auto sources = element.children("sourceRef");
        const bool transforms = element.child("transformation").has_value();
        if (!transforms && sources.size() > 1)
            refuse(element, "several sources need a transformation");
        const auto target = named(element.child("targetRef"));
        const auto source = sources.empty() ? std::nullopt : named(sources[0]);
        const auto from = item_of(document_, source);
        const auto to = item_of(document_, target);
        if (!transforms && from && to && !same_item(from, to))
            refuse(element, "source and target have different item definitions");
        const auto of_process = [](const std::optional<Element>& item, std::string_view name) {
            return item && item->is(name) && item->parent().is("ioSpecification") &&
                   item->parent().parent().is("process");
        };
        if (of_process(target, "dataInput"))
            refuse(element, "the data input of a process cannot be a target");
        if (of_process(source, "dataOutput"))
            refuse(element, "the data output of a process cannot be a source");
    }

    using Names = std::unordered_set<std::string_view>;

    static void add_listed(Names& names, Element set, std::string_view list) {
        for (const Element& reference : set.children(list)) names.insert(reference.text());
    }

    void check_specification(Element element) {
        Names inputs;
        Names outputs;
        for (const Element& set : element.children("inputSet"))
            add_listed(inputs, set, "dataInputRefs");
        for (const Element& set : element.children("outputSet"))
            add_listed(outputs, set, "dataOutputRefs");
        for (const Element& input : element.children("dataInput"))
            if (!inputs.contains(input.id()))
                refuse(input, "a data input has to be in an input set");
        for (const Element& output : element.children("dataOutput"))
            if (!outputs.contains(output.id()))
                refuse(output, "a data output has to be in an output set");
        check_mutual(element);
    }

    void check_set(Element set) {
        const bool input = set.is("inputSet");
        const std::string_view all = input ? "dataInputRefs" : "dataOutputRefs";
        Names names;
        add_listed(names, set, all);
        for (const std::string_view part :
             {input ? "optionalInputRefs" : "optionalOutputRefs",
              input ? "whileExecutingInputRefs" : "whileExecutingOutputRefs"})
            for (const Element& reference : set.children(part))
                if (!names.contains(reference.text()))
                    refuse(reference, std::string(part) + " has to be in " + std::string(all));
    }

    void refuse_one_way(Element specification, const std::string& from, const std::string& to) {
        refuse(specification, from + " does not refer back to " + to);
    }

    // An input set and an output set refer to each other, or neither does.
    void check_mutual(Element specification) {
        std::set<std::pair<std::string, std::string>> forth;
        std::set<std::pair<std::string, std::string>> back;
        for (const Element& set : specification.children("inputSet"))
            for (const Element& reference : set.children("outputSetRefs"))
                forth.emplace(set.id(), reference.text());
        for (const Element& set : specification.children("outputSet"))
            for (const Element& reference : set.children("inputSetRefs"))
                back.emplace(reference.text(), set.id());
        for (const auto& [input, output] : forth)
            if (!back.contains({input, output})) refuse_one_way(specification, output, input);
        for (const auto& [input, output] : back)
            if (!forth.contains({input, output})) refuse_one_way(specification, input, output);
    }

    // What a definition carries: the item of its message, signal, error or escalation.
    std::optional<Element> carried_item(Element definition) const {
        for (const std::string_view name : {"messageRef", "signalRef", "errorRef", "escalationRef"})
            if (const auto reference = definition.attribute(name))
                return item_of(document_, document_.find(*reference));
        return std::nullopt;
    }

    // One data input or output for each definition, in the same order.
    void check_event(Element event) {
        const auto items = event.children(is_throw_event(event) ? "dataInput" : "dataOutput");
        const auto definitions = definitions_of(document_, event);
        if (items.empty()) return;
        if (items.size() != definitions.size())
            return refuse(event, "it needs one data input or output for each event definition");
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto carried = carried_item(definitions[i]);
            const auto own = item_of(document_, items[i]);
            if (carried && own && !same_item(carried, own))
                refuse(items[i], "its item definition differs from that of the event definition");
        }
    }

    void check_loop_item(Element loop, std::string_view list, std::string_view each) {
        const auto item = item_of(document_, loop.child(each));
        const auto whole = item_of(document_, named(loop.child(list)));
        if (!item || !whole) return;
        if (item->flag("isCollection") ||
            item->text_of("structureRef") != whole->text_of("structureRef"))
            refuse(loop, std::string(each) + " is not an item of " + std::string(list));
    }

    Document& document_;
};

}  // namespace

void check_items(Document& document) {
    if (!document.is_strict()) return;
    ItemRules rules(document);
    for (std::uint32_t i = 0; i < document.size(); ++i) rules.check(document.at(i));
}

}  // namespace holdfast::bpmn
