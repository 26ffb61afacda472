#include "bpmn/read/document.h"

#include "feel/evaluate.h"

namespace holdfast::bpmn {

Document::Document(const Tree& tree, Problems& problems) : tree_(tree), problems_(problems) {
    const auto named = root().attribute("expressionLanguage");
    strict_ = named.has_value() && !tree.vendor;
    // XPath is what the standard assumes and what modelers write without meaning it.
    if (named && language_of(*named) != Language::other) language_ = language_of(*named);
    index_ids();
}

void Document::index_ids() {
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
        const Element element = at(i);
        if (element.space() != Space::bpmn) continue;
        const auto id = element.attribute("id");
        if (!id) continue;
        if (id->empty()) {
            error(ProblemKind::missing_id, element, "the id is empty");
        } else if (!ids_.emplace(*id, i).second) {
            error(
                ProblemKind::duplicate_id, element,
                "the id is used before, at line " + std::to_string(tree_.nodes[ids_.at(*id)].line));
        }
    }
}

std::optional<Element> Document::find(std::string_view reference) const {
    auto found = ids_.find(reference);
    if (found == ids_.end()) {
        const auto colon = reference.find(':');
        if (colon != std::string_view::npos) found = ids_.find(reference.substr(colon + 1));
    }
    if (found == ids_.end()) return std::nullopt;
    return at(found->second);
}

const Result<feel::Expression>& Document::expression(std::string_view text, Language language) {
    const std::pair key(language, std::string(text));
    auto found = expressions_.find(key);
    if (found == expressions_.end())
        found = expressions_.emplace(key, compile_expression(text, language)).first;
    return found->second;
}

const Result<TextOrExpression>& Document::text(std::string_view text) {
    auto found = texts_.find(text);
    if (found == texts_.end()) found = texts_.emplace(std::string(text), compile_text(text)).first;
    return found->second;
}

bool Document::is_never_boolean(const feel::Expression& expression) {
    const auto [at, first] = never_boolean_.emplace(expression.program().get(), false);
    if (!first) return at->second;
    feel::Settings settings;
    settings.budget.steps = 1000;
    settings.budget.memory = 1 << 16;
    const feel::Evaluated result = feel::evaluate(expression, feel::Scope(), settings);
    at->second =
        !result.trouble && !result.value.is_null() && result.value.kind() != feel::Kind::boolean;
    return at->second;
}

namespace {

// Many elements without an id may be inside of one with a very long id.
std::string nearest_id(Element element) {
    while (element.attribute("id").value_or("").empty() && !element.is_root())
        element = element.parent();
    return std::string(element.attribute("id").value_or("").substr(0, Problems::most_bytes));
}

}  // namespace

void Document::error(ProblemKind kind, Element element, std::string message) {
    problems_.add({.kind = kind,
                   .severity = Severity::error,
                   .line = element.line(),
                   .element = nearest_id(element),
                   .message = std::move(message)});
}

void Document::warn(ProblemKind kind, Element element, std::string message) {
    problems_.add({.kind = kind,
                   .severity = Severity::warning,
                   .line = element.line(),
                   .element = nearest_id(element),
                   .message = std::move(message)});
}

}  // namespace holdfast::bpmn
