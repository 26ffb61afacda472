// Input and output mappings: Zeebe's ioMapping, Camunda 7's in, out and inputOutput, and the data
// associations of the standard.
#include "bpmn/expression/el.h"
#include "bpmn/read/node_readers.h"

namespace holdfast::bpmn {
namespace {

constexpr std::size_t most_name_bytes = 500;

class MappingReader {
public:
    MappingReader(Reading& reading, Element element) : reading_(reading), element_(element) {}

    Mappings read() {
        for (const Element& extension : extensions_of(element_)) {
            if (extension.is_extension(Space::zeebe, "ioMapping")) read_zeebe(extension);
            if (extension.is_extension(Space::zeebe, "calledElement")) read_called(extension);
            if (extension.is_extension(Space::camunda, "in")) read_passed(extension, Way::in);
            if (extension.is_extension(Space::camunda, "out")) read_passed(extension, Way::out);
            if (extension.is_extension(Space::camunda, "inputOutput")) read_parameters(extension);
        }
        for (const Element& association : element_.children("dataInputAssociation"))
            read_association(association, mappings_.inputs);
        for (const Element& association : element_.children("dataOutputAssociation"))
            read_association(association, mappings_.outputs);
        return std::move(mappings_);
    }

private:
    enum class Way { in, out };

    void add(std::vector<Mapping>& to, std::optional<feel::Expression> source, std::string target) {
        if (source) to.push_back({.source = *std::move(source), .target = std::move(target)});
    }

    void read_zeebe(Element mapping) {
        for (const Element& child : mapping.children()) {
            const std::string target = child.text_of("target");
            if (target.empty())
                reading_.document.error(ProblemKind::extension, child, "a mapping needs a target");
            auto& to = child.name() == "input" ? mappings_.inputs : mappings_.outputs;
            add(to, reading_.value_in(child, child.text_of("source"), "source"), target);
        }
    }

    // Zeebe passes everything unless it is told not to.
    void read_called(Element called) {
        mappings_.all_in = !called.unset("propagateAllParentVariables");
        mappings_.all_out = !called.unset("propagateAllChildVariables");
    }

    void read_passed(Element passed, Way way) {
        auto& to = way == Way::in ? mappings_.inputs : mappings_.outputs;
        if (const auto key = passed.attribute("businessKey")) {
            mappings_.business_key = true;
            mappings_.business_key_value = reading_.value_in(passed, *key, "businessKey");
            return;
        }
        if (passed.attribute("variables") == "all") {
            (way == Way::in ? mappings_.all_in : mappings_.all_out) = true;
            return;
        }
        const auto source = passed.attribute("source");
        const auto computed = passed.attribute("sourceExpression");
        const std::string target = passed.text_of("target");
        if ((!source && !computed) || (source && source->empty()) ||
            (computed && computed->empty()))
            return reading_.document.error(ProblemKind::extension, passed,
                                           "a variable that is passed needs a source");
        if (target.empty())
            return reading_.document.error(ProblemKind::extension, passed,
                                           "a variable that is passed needs a target");
        add(to,
            computed ? reading_.value_in(passed, *computed, "sourceExpression")
                     : reading_.expression_in(passed, "= " + std::string(*source), "source"),
            target);
    }

    void read_parameters(Element parameters) {
        for (const Element& child : parameters.children()) {
            auto& to = child.name() == "inputParameter" ? mappings_.inputs : mappings_.outputs;
            const std::string target = child.text_of("name");
            if (target.empty())
                reading_.document.error(ProblemKind::extension, child, "a parameter needs a name");
            if (const auto text = parameter_value(child, 0))
                add(to, reading_.expression_in(child, "= " + *text, target), target);
        }
    }

    // FEEL for a text, a list or a map; scripts are refused.
    std::optional<std::string> parameter_value(Element parameter, int level) {
        for (const Element& child : parameter.children()) {
            if (child.name() == "list") return list_value(child, level);
            if (child.name() == "map") return map_value(child, level);
            reading_.document.error(ProblemKind::extension, child,
                                    "a parameter cannot be a " + std::string(child.name()));
            return std::nullopt;
        }
        return text_value(parameter);
    }

    std::optional<std::string> text_value(Element holder) {
        const auto text = reading_.text_in(holder, holder.text(), "the parameter");
        if (!text) return std::nullopt;
        if (const auto* computed = std::get_if<feel::Expression>(&*text)) return computed->text();
        return feel_string(std::get<std::string>(*text));
    }

    std::optional<std::string> list_value(Element list, int level) {
        std::string text = "[";
        for (const Element& item : list.children()) {
            const auto value = nested_value(item, level);
            if (!value) return std::nullopt;
            text += (text.size() > 1 ? ", " : "") + *value;
        }
        return text + "]";
    }

    std::optional<std::string> map_value(Element map, int level) {
        std::string text = "{";
        for (const Element& entry : map.children()) {
            const auto value = parameter_value(entry, level + 1);
            if (!value) return std::nullopt;
            text +=
                (text.size() > 1 ? ", " : "") + feel_string(entry.text_of("key")) + ": " + *value;
        }
        return text + "}";
    }

    std::optional<std::string> nested_value(Element item, int level) {
        if (item.name() == "value") return text_value(item);
        if (item.name() == "list") return list_value(item, level + 1);
        if (item.name() == "map") return map_value(item, level + 1);
        reading_.document.error(ProblemKind::extension, item,
                                "a list cannot contain a " + std::string(item.name()));
        return std::nullopt;
    }

    // Data objects are variables: of their name, or of their id.
    std::string variable_of(std::string_view reference) const {
        auto item = reading_.document.find(reference);
        if (item && item->is("dataObjectReference"))
            if (const auto object = reading_.document.find(item->text_of("dataObjectRef")))
                item = object;
        if (!item) return std::string(reference);
        return item->text_of("name").empty() ? item->id() : item->text_of("name");
    }

    // Data stores are outside of the instance, and modelers invent a property where a drawing needs
    // a target.
    bool is_drawing(Element association) const {
        for (const std::string_view end : {"sourceRef", "targetRef"})
            for (const Element& reference : association.children(end)) {
                const auto item = reading_.document.find(reference.text());
                if (item && (item->is("dataStoreReference") || item->is("dataStore") ||
                             item->text_of("name") == "__targetRef_placeholder"))
                    return true;
            }
        return false;
    }

    // Without assignments the source is copied.
    void read_association(Element association, std::vector<Mapping>& to) {
        if (is_drawing(association)) return;
        for (const Element& assignment : association.children("assignment")) {
            const auto from = assignment.child("from");
            const auto target = assignment.child("to");
            if (from && target && !from->text().empty())
                add(to, reading_.expression(*from), variable_of(target->text()));
        }
        const auto target = association.child("targetRef");
        if (!target || association.child("assignment")) return;
        if (const auto transformation = association.child("transformation")) {
            if (!transformation->text().empty())
                add(to, reading_.expression(*transformation), variable_of(target->text()));
            return;
        }
        if (const auto source = association.child("sourceRef"))
            add(to, variable_expression(*source), variable_of(target->text()));
    }

    // Names of data objects may have spaces.
    std::optional<feel::Expression> variable_expression(Element source) {
        const std::string name = variable_of(source.text());
        if (name.size() <= most_name_bytes)
            if (const auto parsed = feel::parse(name, {.names = {name}})) return *parsed;
        const std::string message =
            "the name '" + name.substr(0, 80) + "' cannot be read by an expression";
        if (reading_.document.is_strict())
            reading_.document.error(ProblemKind::item, source, message);
        else
            reading_.document.warn(ProblemKind::ignored, source, message);
        return std::nullopt;
    }

    Reading& reading_;
    Element element_;
    Mappings mappings_;
};

}  // namespace

Mappings read_mappings(Reading& reading, Element element) {
    return MappingReader(reading, element).read();
}

}  // namespace holdfast::bpmn
