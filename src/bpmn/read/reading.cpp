#include "bpmn/read/reading.h"

#include "bpmn/expression/el.h"
#include "bpmn/read/names.h"

namespace holdfast::bpmn {
namespace {

template <class Id, class Value, class Make>
std::optional<Id> declared(std::unordered_map<std::uint32_t, Id>& known, std::vector<Value>& values,
                           const std::optional<Element>& element, const Make& make) {
    if (!element) return std::nullopt;
    if (const auto found = known.find(element->index()); found != known.end()) return found->second;
    const Id id{static_cast<std::uint32_t>(values.size())};
    values.push_back(make(*element));
    known.emplace(element->index(), id);
    return id;
}

}  // namespace

std::vector<Element> extensions_of(Element element) {
    std::vector<Element> found;
    for (const Element& wrapper : element.children("extensionElements"))
        for (const Element& child : wrapper.children()) found.push_back(child);
    return found;
}

std::optional<Element> extension_of(Element element, Space space, std::string_view name) {
    for (const Element& child : extensions_of(element))
        if (child.is_extension(space, name)) return child;
    return std::nullopt;
}

std::vector<Element> definitions_of(const Document& document, Element event) {
    std::vector<Element> found;
    for (const Element& child : event.children()) {
        std::optional<Element> definition = child;
        if (child.is("eventDefinitionRef")) definition = document.find(child.text());
        if (definition && is_event_definition(*definition)) found.push_back(*definition);
    }
    return found;
}

std::optional<FlowNodeId> Reading::node(std::string_view reference) const {
    const auto element = document.find(reference);
    if (!element) return std::nullopt;
    const auto found = node_of.find(element->index());
    if (found == node_of.end()) return std::nullopt;
    return found->second;
}

std::optional<MessageId> Reading::message(std::string_view reference) {
    auto element = document.find(reference);
    if (element && !element->is("message")) element.reset();
    return declared(messages_, process.messages, element, [&](Element found) {
        Message message{.id = found.id(),
                        .name = text_or_fixed(found, found.text_of("name"), "the name"),
                        .correlation_key = {}};
        if (const auto subscription = extension_of(found, Space::zeebe, "subscription"))
            message.correlation_key = value_in(
                *subscription, subscription->text_of("correlationKey"), "the correlation key");
        return message;
    });
}

std::optional<SignalId> Reading::signal(std::string_view reference) {
    auto element = document.find(reference);
    if (element && !element->is("signal")) element.reset();
    return declared(signals_, process.signals, element, [&](Element found) {
        return Signal{.id = found.id(),
                      .name = text_or_fixed(found, found.text_of("name"), "the name")};
    });
}

std::optional<ErrorId> Reading::bpmn_error(std::string_view reference) {
    auto element = document.find(reference);
    if (element && !element->is("error")) element.reset();
    if (!element && !document.is_strict()) return error_of_code(reference);
    return declared(errors_, process.errors, element, [&](Element found) {
        return BpmnError{
            .id = found.id(),
            .name = found.text_of("name"),
            .code = text_or_fixed(found, found.text_of("errorCode"), "the error code"),
            .message = std::string(found.attribute(Space::camunda, "errorMessage").value_or(""))};
    });
}

ErrorId Reading::error_of_code(std::string_view code) {
    const ErrorId next{static_cast<std::uint32_t>(process.errors.size())};
    const auto [at, first] = error_codes_.emplace(code, next);
    if (first)
        process.errors.push_back({.id = {}, .name = {}, .code = std::string(code), .message = {}});
    return at->second;
}

std::optional<EscalationId> Reading::escalation(std::string_view reference) {
    auto element = document.find(reference);
    if (element && !element->is("escalation")) element.reset();
    return declared(escalations_, process.escalations, element, [&](Element found) {
        return Escalation{
            .id = found.id(),
            .name = found.text_of("name"),
            .code = text_or_fixed(found, found.text_of("escalationCode"), "the escalation code")};
    });
}

std::optional<feel::Expression> Reading::expression(Element holder) {
    if (holder.text().empty()) return std::nullopt;  // reported with all expressions
    const auto named = holder.attribute("language");
    const Language language = named ? language_of(*named) : document.language();
    const auto& compiled = document.expression(holder.text(), language);
    if (compiled) return *compiled;
    document.error(ProblemKind::expression, holder,
                   std::string(holder.name()) + " " + compiled.error().message);
    return std::nullopt;
}

std::optional<feel::Expression> Reading::condition(Element holder) {
    auto compiled = expression(holder);
    if (compiled && document.is_never_boolean(*compiled))
        document.error(ProblemKind::condition, holder,
                       std::string(holder.name()) + " '" +
                           std::string(holder.text().substr(0, 80)) + "' is not boolean");
    return compiled;
}

std::optional<feel::Expression> Reading::expression_in(Element owner, std::string_view text,
                                                       std::string_view what) {
    const auto& compiled = document.expression(text, document.language());
    if (compiled) return *compiled;
    document.error(ProblemKind::expression, owner,
                   std::string(what) + " " + compiled.error().message);
    return std::nullopt;
}

std::optional<TextOrExpression> Reading::text_in(Element owner, std::string_view text,
                                                 std::string_view what) {
    const auto& compiled = document.text(text);
    if (compiled) return *compiled;
    document.error(ProblemKind::expression, owner,
                   std::string(what) + " " + compiled.error().message);
    return std::nullopt;
}

std::optional<feel::Expression> Reading::value_in(Element owner, std::string_view text,
                                                  std::string_view what) {
    const auto given = text_in(owner, text, what);
    if (!given) return std::nullopt;
    if (const auto* computed = std::get_if<feel::Expression>(&*given)) return *computed;
    return expression_in(owner, "= " + feel_string(std::get<std::string>(*given)), what);
}

TextOrExpression Reading::text_or_fixed(Element owner, std::string_view text,
                                        std::string_view what) {
    return text_in(owner, text, what).value_or(std::string(text));
}

}  // namespace holdfast::bpmn
