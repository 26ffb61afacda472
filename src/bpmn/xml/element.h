// An XML document as a flat list of elements in document order, with namespaces resolved. Diagrams
// are left out. An Element is a view into its Tree.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bpmn/problem.h"

namespace holdfast::bpmn {

// Whose name it is. Prefixes mean nothing; Camunda 7, Operaton and their predecessors share theirs.
enum class Space : std::uint8_t { bpmn, zeebe, camunda, xsi, unnamed, other };

struct XmlAttribute {
    Space space;
    std::string name;
    std::string value;
};

struct XmlNode {
    Space space;
    std::string name;
    std::string text;  // without the text of elements inside
    std::uint32_t line;
    std::uint32_t parent;
    std::uint32_t first_attribute;
    std::uint32_t attributes;
    std::uint32_t end;  // one behind its last descendant
};

struct Tree {
    std::vector<XmlNode> nodes;  // the root is the first
    std::vector<XmlAttribute> attributes;
    bool vendor = false;  // declares the namespace of a vendor's extensions
};

class Element {
public:
    Element(const Tree& tree, std::uint32_t index) : tree_(&tree), index_(index) {}

    std::uint32_t index() const { return index_; }
    Space space() const { return node().space; }
    std::string_view name() const { return node().name; }
    std::uint32_t line() const { return node().line; }
    bool is(std::string_view name) const { return space() == Space::bpmn && node().name == name; }
    bool is_extension(Space space, std::string_view name) const {
        return node().space == space && node().name == name;
    }
    bool operator==(const Element& other) const { return index_ == other.index_; }

    std::optional<std::string_view> attribute(std::string_view name) const {
        return attribute(Space::unnamed, name);
    }
    std::optional<std::string_view> attribute(Space space, std::string_view name) const;
    // Empty if there is none.
    std::string id() const { return std::string(attribute("id").value_or("")); }
    std::string text_of(std::string_view name) const {
        return std::string(attribute(name).value_or(""));
    }
    // An absent attribute, or one that is no boolean, is `otherwise`.
    bool flag(std::string_view name) const {
        return attribute(name) == "true" || attribute(name) == "1";
    }
    bool unset(std::string_view name) const {
        return attribute(name) == "false" || attribute(name) == "0";
    }
    // Trimmed.
    std::string_view text() const;

    bool is_root() const { return index_ == 0; }
    Element parent() const { return {*tree_, node().parent}; }
    // The first BPMN child of that name.
    std::optional<Element> child(std::string_view name) const;
    std::vector<Element> children() const;
    std::vector<Element> children(std::string_view name) const;
    const XmlNode& node() const { return tree_->nodes[index_]; }
    const Tree& tree() const { return *tree_; }

private:
    const Tree* tree_;
    std::uint32_t index_;
};

std::string_view trimmed(std::string_view text);

}  // namespace holdfast::bpmn
