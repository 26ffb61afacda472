#include "bpmn/xml/read_xml.h"

#include <algorithm>
#include <pugixml.hpp>

#include "bpmn/xml/encoding.h"
#include "bpmn/xml/scan.h"

namespace holdfast::bpmn {
namespace {

constexpr std::string_view bpmn_uri = "http://www.omg.org/spec/BPMN/20100524/MODEL";
constexpr std::string_view zeebe_uri = "http://camunda.org/schema/zeebe/1.0";
constexpr std::string_view camunda_uris[] = {
    "http://camunda.org/schema/1.0/bpmn", "http://operaton.org/schema/1.0/bpmn",
    "http://activiti.org/bpmn", "http://flowable.org/bpmn"};
// Diagrams, and what modelers note about themselves.
constexpr std::string_view left_out_uris[] = {
    "http://www.omg.org/spec/BPMN/20100524/DI",
    "http://www.omg.org/spec/DD/20100524/DI",
    "http://www.omg.org/spec/DD/20100524/DC",
    "http://camunda.org/schema/modeler/1.0",
    "http://www.omg.org/spec/BPMN/non-normative/color/1.0",
    "http://bpmn.io/schema/bpmn/biocolor/1.0"};

struct Meaning {
    Space space = Space::other;
    bool left_out = false;
};

Meaning meaning_of(std::string_view uri) {
    if (uri == bpmn_uri) return {Space::bpmn};
    if (uri == zeebe_uri) return {Space::zeebe};
    if (uri == "http://www.w3.org/2001/XMLSchema-instance") return {Space::xsi};
    if (std::ranges::find(camunda_uris, uri) != std::end(camunda_uris)) return {Space::camunda};
    return {Space::other, std::ranges::find(left_out_uris, uri) != std::end(left_out_uris)};
}

// `prefix` is empty for a name without one.
struct Split {
    std::string_view prefix;
    std::string_view local;
};

Split split_name(std::string_view name) {
    const auto colon = name.find(':');
    if (colon == std::string_view::npos) return {{}, name};
    return {name.substr(0, colon), name.substr(colon + 1)};
}

class TreeBuilder {
public:
    TreeBuilder(std::string_view text, const XmlLimits& limits, Problems& problems)
        : text_(text), most_bindings_(limits.namespaces), problems_(problems) {}

    // Iterative: follows first children, then siblings, then goes up.
    Tree build(pugi::xml_node root) {
        pugi::xml_node at = root;
        while (at && !too_many_bindings_) {
            const bool entered = enter(at);
            pugi::xml_node next = entered ? first_element(at) : pugi::xml_node{};
            if (entered && !next) leave();
            while (!next && at != root) {
                next = next_element(at);
                if (next) break;
                at = at.parent();
                leave();
            }
            at = next;
        }
        return std::move(tree_);
    }

private:
    struct Binding {
        std::string_view prefix;
        Meaning meaning;
        std::uint32_t depth;
    };

    static pugi::xml_node first_element(pugi::xml_node node) {
        pugi::xml_node child = node.first_child();
        while (child && child.type() != pugi::node_element) child = child.next_sibling();
        return child;
    }
    static pugi::xml_node next_element(pugi::xml_node node) {
        do node = node.next_sibling();
        while (node && node.type() != pugi::node_element);
        return node;
    }

    // False: left out with everything inside.
    bool enter(pugi::xml_node node) {
        ++depth_;
        bind(node);
        const Split name = split_name(node.name());
        const auto meaning = find(name.prefix);
        if (!meaning) {
            problem(node, "the prefix " + std::string(name.prefix) + " is not declared");
        } else if (meaning->left_out) {
            unbind();
            return false;
        }
        const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes.push_back(
            {.space = meaning ? meaning->space : Space::other,
             .name = std::string(name.local),
             .text = text_in(node),
             .line = line_of(node),
             .parent = open_.empty() ? 0 : open_.back(),
             .first_attribute = static_cast<std::uint32_t>(tree_.attributes.size()),
             .attributes = 0,
             .end = 0});
        open_.push_back(index);
        add_attributes(node);
        return true;
    }

    void leave() {
        tree_.nodes[open_.back()].end = static_cast<std::uint32_t>(tree_.nodes.size());
        open_.pop_back();
        unbind();
    }

    void bind(pugi::xml_node node) {
        for (const pugi::xml_attribute& attribute : node.attributes()) {
            const std::string_view name = attribute.name();
            if (name != "xmlns" && !name.starts_with("xmlns:")) continue;
            const Meaning meaning = meaning_of(attribute.value());
            if (meaning.space == Space::zeebe || meaning.space == Space::camunda)
                tree_.vendor = true;
            bindings_.push_back({name == "xmlns" ? "" : name.substr(6), meaning, depth_});
        }
        // Each name is looked up among them.
        if (bindings_.size() > most_bindings_ && !too_many_bindings_) {
            too_many_bindings_ = true;
            problems_.add({.kind = ProblemKind::too_many_elements,
                           .line = line_of(node),
                           .element = {},
                           .message = "more than " + std::to_string(most_bindings_) +
                                      " namespaces are declared around an element"});
        }
    }

    void unbind() {
        while (!bindings_.empty() && bindings_.back().depth == depth_) bindings_.pop_back();
        --depth_;
    }

    std::optional<Meaning> find(std::string_view prefix) const {
        for (auto at = bindings_.rbegin(); at != bindings_.rend(); ++at)
            if (at->prefix == prefix) return at->meaning;
        if (prefix.empty() || prefix == "xml") return Meaning{};
        return std::nullopt;
    }

    void add_attributes(pugi::xml_node node) {
        XmlNode& owner = tree_.nodes.back();
        for (const pugi::xml_attribute& attribute : node.attributes()) {
            const std::string_view whole = attribute.name();
            if (whole == "xmlns" || whole.starts_with("xmlns:")) continue;
            const Split name = split_name(whole);
            const auto meaning = name.prefix.empty() ? Meaning{Space::unnamed} : find(name.prefix);
            if (!meaning) {
                problem(node, "the prefix " + std::string(name.prefix) + " is not declared");
                continue;
            }
            if (meaning->left_out) continue;
            if (Element(tree_, open_.back()).attribute(meaning->space, name.local))
                problem(node, "the attribute " + std::string(whole) + " occurs twice");
            tree_.attributes.push_back(
                {meaning->space, std::string(name.local), attribute.value()});
            ++owner.attributes;
        }
    }

    static std::string text_in(pugi::xml_node node) {
        std::string text;
        for (const pugi::xml_node& child : node.children())
            if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
                text += child.value();
        return text;
    }

    // Elements come in document order, so that the text is read once.
    std::uint32_t line_of(pugi::xml_node node) {
        const auto offset =
            static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
        const auto end = std::min(offset, text_.size());
        if (end > counted_) {
            line_ += static_cast<std::uint32_t>(
                std::ranges::count(text_.substr(counted_, end - counted_), '\n'));
            counted_ = end;
        }
        return line_;
    }

    void problem(pugi::xml_node node, std::string message) {
        problems_.add({.kind = ProblemKind::malformed_xml,
                       .line = line_of(node),
                       .element = node.attribute("id").value(),
                       .message = std::move(message)});
    }

    std::string_view text_;
    std::size_t most_bindings_;
    bool too_many_bindings_ = false;
    Problems& problems_;
    Tree tree_;
    std::vector<Binding> bindings_;
    std::vector<std::uint32_t> open_;
    std::uint32_t depth_ = 0;
    std::uint32_t line_ = 1;
    std::size_t counted_ = 0;
};

}  // namespace

std::optional<Tree> read_xml(std::string_view bytes, const XmlLimits& limits, Problems& problems) {
    const auto refuse = [&](ProblemKind kind, std::string message, std::uint32_t line) {
        problems.add({.kind = kind, .line = line, .element = {}, .message = std::move(message)});
        return std::nullopt;
    };
    if (bytes.size() > limits.bytes)
        return refuse(ProblemKind::too_large,
                      "the file has more than " + std::to_string(limits.bytes) + " bytes", 0);
    const auto text = as_utf8(bytes);
    if (!text) {
        const auto* line = text.error().context.if_contains("line");
        return refuse(ProblemKind::bad_encoding, text.error().message,
                      line ? line->to_number<std::uint32_t>() : 0);
    }
    if (auto refusal = refused_by_scan(*text, limits)) {
        problems.add(std::move(*refusal));
        return std::nullopt;
    }
    pugi::xml_document document;
    const auto result = document.load_buffer(text->data(), text->size(),
                                             pugi::parse_default | pugi::parse_ws_pcdata_single,
                                             pugi::encoding_utf8);
    if (!result) {
        const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
        const auto before = std::string_view(*text).substr(0, std::min(offset, text->size()));
        return refuse(ProblemKind::malformed_xml, result.description(),
                      1 + static_cast<std::uint32_t>(std::ranges::count(before, '\n')));
    }
    TreeBuilder builder(*text, limits, problems);
    Tree tree = builder.build(document.document_element());
    if (problems.any_error()) return std::nullopt;
    return tree;
}

}  // namespace holdfast::bpmn
