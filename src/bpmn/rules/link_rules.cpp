// Links: every throwing one has exactly one target in its scope.
#include <set>

#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

const LinkTrigger* only_link(const FlowNode& node) {
    const Event* event = node.event();
    if (!event || event->triggers.size() != 1) return nullptr;
    return std::get_if<LinkTrigger>(&event->triggers[0]);
}

using LinkPair = std::pair<std::uint32_t, std::uint32_t>;

// Links whose definitions name each other: the pairs that `name` connects, throwing end first.
std::set<LinkPair> named_pairs(const Reading& reading, std::string_view name) {
    std::set<LinkPair> pairs;
    for (const Element& element : reading.elements)
        for (const Element& definition : element.children("linkEventDefinition"))
            for (const Element& reference : definition.children(name)) {
                const auto other = reading.document.find(reference.text());
                if (!other || !other->is("linkEventDefinition")) continue;
                pairs.insert(name == "target" ? LinkPair{definition.index(), other->index()}
                                              : LinkPair{other->index(), definition.index()});
            }
    return pairs;
}

// Where both ends name the other one, they have to agree.
void check_link_ends(Reading& reading) {
    const auto by_target = named_pairs(reading, "target");
    const auto by_source = named_pairs(reading, "source");
    std::set<std::uint32_t> throwing;
    std::set<std::uint32_t> catching;
    for (const auto& [from, to] : by_target) throwing.insert(from);
    for (const auto& [from, to] : by_source) catching.insert(to);
    for (const LinkPair& pair : by_target)
        if (catching.contains(pair.second) && !by_source.contains(pair))
            reading.document.error(ProblemKind::link, reading.document.at(pair.first),
                                   "its target names other sources");
    for (const LinkPair& pair : by_source)
        if (throwing.contains(pair.first) && !by_target.contains(pair))
            reading.document.error(ProblemKind::link, reading.document.at(pair.second),
                                   "its source names another target");
}

}  // namespace

void check_links(Reading& reading) {
    check_link_ends(reading);
    std::set<std::pair<ScopeId, std::string>> targets;
    for (std::size_t i = 0; i < reading.elements.size(); ++i) {
        const FlowNode& node = reading.process.nodes[i];
        const LinkTrigger* link = only_link(node);
        if (!link) continue;
        const Element element = reading.elements[i];
        if (link->name.empty())
            reading.document.error(ProblemKind::link, element, "a link needs a name");
        if (node.event()->position == Event::Position::intermediate_throw && !link->target)
            reading.document.error(ProblemKind::link, element,
                                   "the link '" + link->name + "' has no target in its scope");
        if (node.event()->position == Event::Position::intermediate_catch &&
            !targets.emplace(node.scope, link->name).second)
            reading.document.error(ProblemKind::link, element,
                                   "the link '" + link->name + "' has several targets");
    }
}

}  // namespace holdfast::bpmn
