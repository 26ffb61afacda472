// Events and what they catch or throw.
#include "bpmn/read/names.h"
#include "bpmn/read/node_readers.h"

namespace holdfast::bpmn {
namespace {

std::string camunda_text(Element element, std::string_view name) {
    return std::string(element.attribute(Space::camunda, name).value_or(""));
}

std::vector<std::string> comma_separated(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const std::string_view part = trimmed(text.substr(0, comma));
        if (!part.empty()) parts.emplace_back(part);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    return parts;
}

std::optional<Trigger> read_condition_trigger(Reading& reading, Element definition) {
    const auto holder = definition.child("condition");
    if (!holder) {
        reading.document.error(ProblemKind::condition, definition,
                               "a conditional event needs a condition");
        return std::nullopt;
    }
    auto condition = reading.condition(*holder);
    if (!condition) return std::nullopt;
    ConditionTrigger trigger{.condition = *std::move(condition),
                             .variable = camunda_text(definition, "variableName"),
                             .events = comma_separated(camunda_text(definition, "variableEvents"))};
    if (const auto filter = extension_of(definition, Space::zeebe, "conditionalFilter")) {
        trigger.variable = filter->text_of("variableNames");
        trigger.events = comma_separated(filter->text_of("variableEvents"));
    }
    return trigger;
}

Trigger read_message_trigger(Reading& reading, Element definition) {
    MessageTrigger trigger;
    if (const auto reference = definition.attribute("messageRef"))
        trigger.message = reading.message(*reference);
    // A worker sends the message of a throw event; a catch event has no job.
    if (!definition.is_root() && is_throw_event(definition.parent())) {
        trigger.job = read_job(reading, definition);
        if (!trigger.job) trigger.job = read_job(reading, definition.parent());
    }
    return trigger;
}

std::optional<Trigger> read_signal_trigger(Reading& reading, Element definition) {
    const auto signal = reading.signal(definition.text_of("signalRef"));
    if (!signal) return std::nullopt;
    return SignalTrigger{.signal = *signal, .variables = read_mappings(reading, definition).inputs};
}

Trigger read_error_trigger(Reading& reading, Element definition) {
    ErrorTrigger trigger{.error = {},
                         .code_variable = camunda_text(definition, "errorCodeVariable"),
                         .message_variable = camunda_text(definition, "errorMessageVariable")};
    if (const auto reference = definition.attribute("errorRef"))
        trigger.error = reading.bpmn_error(*reference);
    return trigger;
}

Trigger read_escalation_trigger(Reading& reading, Element definition) {
    EscalationTrigger trigger{.escalation = {},
                              .code_variable = camunda_text(definition, "escalationCodeVariable")};
    if (const auto reference = definition.attribute("escalationRef"))
        trigger.escalation = reading.escalation(*reference);
    return trigger;
}

Trigger read_compensation_trigger(Reading& reading, Element definition) {
    CompensationTrigger trigger;
    if (const auto reference = definition.attribute("activityRef"))
        trigger.activity = reading.node(*reference);
    trigger.waits = !definition.unset("waitForCompletion");
    return trigger;
}

TimerTrigger::Kind timer_kind(Element holder) {
    if (holder.is("timeDate")) return TimerTrigger::Kind::date;
    return holder.is("timeDuration") ? TimerTrigger::Kind::duration : TimerTrigger::Kind::cycle;
}

Result<Schedule> parse_schedule(TimerTrigger::Kind kind, std::string_view text) {
    if (kind == TimerTrigger::Kind::cycle) return parse_timer_cycle(text);
    if (kind == TimerTrigger::Kind::date) {
        HF_TRY(const Moment date, parse_timer_date(text));
        return date;
    }
    HF_TRY(const Period duration, parse_timer_duration(text));
    return duration;
}

Event::Position position_of(Element element) {
    if (element.is("startEvent")) return Event::Position::start;
    if (element.is("intermediateCatchEvent")) return Event::Position::intermediate_catch;
    if (element.is("intermediateThrowEvent")) return Event::Position::intermediate_throw;
    return element.is("boundaryEvent") ? Event::Position::boundary : Event::Position::end;
}

}  // namespace

std::optional<TimerTrigger> read_timer(Reading& reading, Element definition) {
    std::vector<Element> holders;
    for (const Element& child : definition.children())
        if (child.is("timeDate") || child.is("timeDuration") || child.is("timeCycle"))
            holders.push_back(child);
    if (holders.size() != 1) {
        reading.document.error(ProblemKind::timer, definition,
                               "a timer has exactly one of timeDate, timeDuration and timeCycle");
        return std::nullopt;
    }
    const Element holder = holders[0];
    const TimerTrigger::Kind kind = timer_kind(holder);
    const std::string_view text = holder.text();
    if (text.empty()) return std::nullopt;  // reported with all expressions
    if (text.starts_with('=') || text.find("${") != std::string_view::npos ||
        text.find("#{") != std::string_view::npos) {
        auto computed = reading.expression(holder);
        if (!computed) return std::nullopt;
        return TimerTrigger{kind, *std::move(computed)};
    }
    auto schedule = parse_schedule(kind, text);
    if (schedule) return TimerTrigger{kind, *std::move(schedule)};
    reading.document.error(ProblemKind::timer, holder,
                           std::string(holder.name()) + ": " + schedule.error().message);
    return std::nullopt;
}

std::optional<Trigger> read_trigger(Reading& reading, Element definition) {
    if (definition.is("messageEventDefinition")) return read_message_trigger(reading, definition);
    if (definition.is("timerEventDefinition")) return read_timer(reading, definition);
    if (definition.is("signalEventDefinition")) return read_signal_trigger(reading, definition);
    if (definition.is("errorEventDefinition")) return read_error_trigger(reading, definition);
    if (definition.is("escalationEventDefinition"))
        return read_escalation_trigger(reading, definition);
    if (definition.is("conditionalEventDefinition"))
        return read_condition_trigger(reading, definition);
    if (definition.is("compensateEventDefinition"))
        return read_compensation_trigger(reading, definition);
    if (definition.is("linkEventDefinition"))
        return LinkTrigger{.name = definition.text_of("name"), .target = {}};
    if (definition.is("terminateEventDefinition")) return TerminateTrigger{};
    if (definition.is("cancelEventDefinition")) return CancelTrigger{};
    return std::nullopt;
}

Event read_event(Reading& reading, Element element) {
    Event event;
    event.position = position_of(element);
    for (const Element& definition : definitions_of(reading.document, element))
        if (auto trigger = read_trigger(reading, definition))
            event.triggers.push_back(*std::move(trigger));
    event.all_triggers = element.flag("parallelMultiple") && event.triggers.size() > 1;
    event.interrupts = event.position == Event::Position::boundary
                           ? !element.unset("cancelActivity")
                           : !element.unset("isInterrupting");
    if (const auto reference = element.attribute("attachedToRef"))
        event.attached_to = reading.node(*reference);
    Mappings mappings = read_mappings(reading, element);
    event.inputs = std::move(mappings.inputs);
    event.outputs = std::move(mappings.outputs);
    return event;
}

}  // namespace holdfast::bpmn
