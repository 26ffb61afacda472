#include "bpmn/xml/element.h"

namespace holdfast::bpmn {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const auto first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::optional<std::string_view> Element::attribute(Space space, std::string_view name) const {
    const XmlNode& own = node();
    for (std::uint32_t i = 0; i < own.attributes; ++i) {
        const XmlAttribute& attribute = tree_->attributes[own.first_attribute + i];
        if (attribute.space == space && attribute.name == name) return attribute.value;
    }
    return std::nullopt;
}

std::string_view Element::text() const { return trimmed(node().text); }

std::vector<Element> Element::children() const {
    std::vector<Element> found;
    for (std::uint32_t at = index_ + 1; at < node().end; at = tree_->nodes[at].end)
        found.emplace_back(*tree_, at);
    return found;
}

std::vector<Element> Element::children(std::string_view name) const {
    std::vector<Element> found;
    for (std::uint32_t at = index_ + 1; at < node().end; at = tree_->nodes[at].end)
        if (const Element child(*tree_, at); child.is(name)) found.push_back(child);
    return found;
}

std::optional<Element> Element::child(std::string_view name) const {
    for (std::uint32_t at = index_ + 1; at < node().end; at = tree_->nodes[at].end)
        if (const Element child(*tree_, at); child.is(name)) return child;
    return std::nullopt;
}

}  // namespace holdfast::bpmn
