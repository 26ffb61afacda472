// A parsed document: its elements by id, and the problems found in it so far.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bpmn/expression/compile_text.h"
#include "bpmn/xml/element.h"

namespace holdfast::bpmn {

class Document {
public:
    Document(const Tree& tree, Problems& problems);

    const Tree& tree() const { return tree_; }
    Element root() const { return {tree_, 0}; }
    Element at(std::uint32_t index) const { return {tree_, index}; }
    std::size_t size() const { return tree_.nodes.size(); }

    // Names its expression language and uses no vendor's extensions: it claims to follow the
    // standard to the letter. What modelers commonly leave out is an error in such a document only.
    bool is_strict() const { return strict_; }
    Language language() const { return language_; }

    // The BPMN element with that id; a prefix is dropped.
    std::optional<Element> find(std::string_view reference) const;

    // Compiled once for each text: hostile models refer to a long one from many places.
    const Result<feel::Expression>& expression(std::string_view text, Language language);
    const Result<TextOrExpression>& text(std::string_view text);
    // Whether an expression is a constant that is no boolean, such as `23`.
    bool is_never_boolean(const feel::Expression& expression);

    // Has more errors than are kept.
    bool is_hopeless() const { return problems_.is_full(); }

    // The problem gets the line of `element` and the id of the nearest element that has one.
    void error(ProblemKind kind, Element element, std::string message);
    void warn(ProblemKind kind, Element element, std::string message);

private:
    void index_ids();

    const Tree& tree_;
    Problems& problems_;
    std::unordered_map<std::string_view, std::uint32_t> ids_;
    std::map<std::pair<Language, std::string>, Result<feel::Expression>, std::less<>> expressions_;
    std::map<std::string, Result<TextOrExpression>, std::less<>> texts_;
    std::unordered_map<const feel::Program*, bool> never_boolean_;
    bool strict_ = false;
    Language language_ = Language::unnamed;
};

}  // namespace holdfast::bpmn
