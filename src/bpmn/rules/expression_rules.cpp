// Expressions are formal, not empty and in a language that has a name; media types are media types.
#include <algorithm>
#include <array>

#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

// The standard declares these as formal expressions: they need a body.
constexpr std::array<std::string_view, 3> always_formal{"messagePath", "dataPath",
                                                        "transformation"};
// These may be texts for people, unless they are marked as formal.
constexpr std::array<std::string_view, 12> expression_holders{"conditionExpression",
                                                              "condition",
                                                              "timeDate",
                                                              "timeDuration",
                                                              "timeCycle",
                                                              "loopCondition",
                                                              "loopCardinality",
                                                              "completionCondition",
                                                              "activationCondition",
                                                              "from",
                                                              "to",
                                                              "expression"};

bool is_holder(Element element) {
    return element.space() == Space::bpmn &&
           std::ranges::find(expression_holders, element.name()) != expression_holders.end();
}

bool is_marked_formal(Element element) {
    const std::string_view type = element.attribute(Space::xsi, "type").value_or("");
    return type == "tFormalExpression" || type.ends_with(":tFormalExpression");
}

// A URI reference: no characters that would have to be escaped, and complete escapes.
bool is_uri(std::string_view text) {
    constexpr std::string_view marks = "-._~:/?#[]@!$&'()*+,;=";
    const auto is_hex = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '%') {
            if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
            i += 2;
            continue;
        }
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
        if (!plain && marks.find(c) == std::string_view::npos) return false;
    }
    return !text.empty();
}

bool is_media_type(std::string_view text) {
    const auto slash = text.find('/');
    return slash != std::string_view::npos && slash > 0 && slash + 1 < text.size() &&
           text.find('/', slash + 1) == std::string_view::npos &&
           text.substr(0, slash).find_first_of(" \t;") == std::string_view::npos;
}

void check_uri(Document& document, Element element, std::string_view name) {
    const auto text = element.attribute(name);
    // `##Compensate` and its like are values of the standard.
    if (text && !text->starts_with("##") && !is_uri(*text))
        document.error(ProblemKind::bad_value, element, std::string(name) + " is not a URI");
}

void check_media_types(Document& document, Element element) {
    const auto format = element.attribute("textFormat");
    if (format && !is_media_type(*format))
        document.error(ProblemKind::bad_value, element, "textFormat is not a media type");
    // Modelers write the name of the language into scriptFormat.
    const auto script = element.attribute("scriptFormat");
    if (document.is_strict() && script && !is_media_type(*script))
        document.error(ProblemKind::script, element, "scriptFormat is not a media type");
}

void check_expression(Document& document, Element element) {
    const bool formal = std::ranges::find(always_formal, element.name()) != always_formal.end();
    if (element.text().empty() && (formal || is_marked_formal(element) || is_holder(element)))
        document.error(ProblemKind::expression, element, std::string(element.name()) + " is empty");
    if (document.is_strict() && is_holder(element) && !element.text().empty() &&
        !is_marked_formal(element))
        document.error(ProblemKind::expression, element,
                       std::string(element.name()) +
                           " is a text for people: an executable process needs xsi:type "
                           "tFormalExpression");
    check_uri(document, element, "language");
}

}  // namespace

void check_expressions(Document& document) {
    for (std::uint32_t i = 0; i < document.size(); ++i) {
        const Element element = document.at(i);
        if (element.space() != Space::bpmn) continue;
        check_expression(document, element);
        check_media_types(document, element);
        check_uri(document, element, "expressionLanguage");
        check_uri(document, element, "typeLanguage");
        if (element.is("transaction")) check_uri(document, element, "method");
    }
}

}  // namespace holdfast::bpmn
