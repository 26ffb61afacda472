#include "operations/lifecycle/start.h"

#include <algorithm>

#include "operations/events/react.h"
#include "operations/lifecycle/cancel.h"
#include "operations/lifecycle/ending.h"
#include "operations/limits/turns.h"

namespace holdfast::op {
namespace {

constexpr std::pair<OnOpen, std::string_view> open_policies[] = {{OnOpen::start, "start"},
                                                                 {OnOpen::reject, "reject"},
                                                                 {OnOpen::existing, "existing"},
                                                                 {OnOpen::cancel, "cancel"}};
constexpr std::pair<OnClosed, std::string_view> closed_policies[] = {
    {OnClosed::start, "start"},
    {OnClosed::reject, "reject"},
    {OnClosed::after_failure, "afterFailure"}};

BusinessKeyRef key_of(const Start& op) {
    return {op.cause.tenant(), op.definition, op.business.key};
}

// Cancels the open workflows under the key, each with its children; unless one of them must not be
// changed.
std::optional<Start::Outcome> cancel_open(View& view, const Start& op,
                                          const std::vector<InstanceId>& open) {
    for (const InstanceId& id : open)
        if (is_quarantined(view, *view.find(id)))
            return BusinessKeyTaken{id, view.find(id)->status};
    ReadSet needed;
    for (const InstanceId& id : open) {
        needed.children(id);
        read_end(needed, id);
    }
    view.expect(needed);
    for (const InstanceId& id : open)
        cancel_all(view, open_family(view, id),
                   "replaced by " + to_string(op.instance()) + " under its business key", op.cause);
    return std::nullopt;
}

// Absent: nothing stands against it.
std::optional<Start::Outcome> decide_under_key(const Start& op, View& view) {
    const std::vector<InstanceId> all = view.under_key(key_of(op));
    ReadSet needed;
    for (const InstanceId& id : all) needed.instance(id, Depth::document);
    view.expect(needed);
    std::vector<InstanceId> open;
    std::ranges::copy_if(all, std::back_inserter(open),
                         [&](const InstanceId& id) { return is_open(view.find(id)->status); });
    if (!open.empty()) {
        const Instance& newest = *view.find(open.front());
        if (op.on_open == OnOpen::reject) return BusinessKeyTaken{newest.id, newest.status};
        if (op.on_open == OnOpen::existing) return StartedBefore{newest};
        if (op.on_open == OnOpen::cancel) return cancel_open(view, op, open);
        return std::nullopt;
    }
    if (all.empty() || op.on_closed == OnClosed::start) return std::nullopt;
    const Instance& newest = *view.find(all.front());
    const bool failed = newest.status != Status::succeeded;
    if (op.on_closed == OnClosed::after_failure && failed) return std::nullopt;
    return BusinessKeyTaken{newest.id, newest.status};
}

}  // namespace

std::string_view name_of(OnOpen on_open) {
    return std::ranges::find(open_policies, on_open, &std::pair<OnOpen, std::string_view>::first)
        ->second;
}
std::optional<OnOpen> parse_on_open(std::string_view text) {
    for (const auto& [policy, name] : open_policies)
        if (name == text) return policy;
    return std::nullopt;
}
std::string_view name_of(OnClosed on_closed) {
    return std::ranges::find(closed_policies, on_closed,
                             &std::pair<OnClosed, std::string_view>::first)
        ->second;
}
std::optional<OnClosed> parse_on_closed(std::string_view text) {
    for (const auto& [policy, name] : closed_policies)
        if (name == text) return policy;
    return std::nullopt;
}

Instance& begin_instance(View& view, const Definition& definition, Instance instance,
                         const Stimulus& stimulus, const Cause& cause) {
    instance.tenant = definition.tenant;
    instance.definition = definition.ref;
    instance.started_by = cause.caller.user;
    instance.created_at = view.now();
    instance.execution_started_at = view.now();
    instance.last_modified_by = cause.caller.user;
    instance.last_modified_at = view.now();
    instance.run_by = definition.program->run_by();
    const InstanceId id = instance.id;
    Instance& stored = view.insert(std::move(instance));
    view.accept(stored, {.type = HistoryType::started,
                         .payload = stored.state.text(),
                         .state_metadata = stored.state_metadata.text(),
                         .cause = cause});
    const auto* started = std::get_if<stimulus::Started>(&stimulus);
    if (started && definition.limits)
        begin_in_turn(view, id, definition, *started, cause);
    else
        react(view, id, stimulus, cause);
    return view.edit(id);
}

void reads(const Start& op, ReadSet& reads) {
    reads.instance(op.instance(), Depth::row);
    reads.definition({op.cause.tenant(), op.definition});
    if (op.is_unique()) reads.under_key(key_of(op));
}

Start::Outcome decide(const Start& op, View& view) {
    const Definition* definition = view.newest_definition({op.cause.tenant(), op.definition});
    if (!definition) return UnknownDefinition{op.definition};
    if (definition->disabled) return DisabledDefinition{op.definition};
    if (!definition->program->starts_by_call()) return NotStartable{op.definition};
    if (auto invalid = check_schema(view, definition, op.state)) return *std::move(invalid);

    Instance instance{.id = op.instance(), .business = op.business};
    instance.state = op.state;
    instance.state_metadata = op.state_metadata;
    if (auto wrong = definition->program->check_state({}, op.state); !wrong.empty())
        return InvalidState{std::move(wrong)};
    if (op.is_unique())
        if (auto taken = decide_under_key(op, view)) return *std::move(taken);
    return Started{begin_instance(
        view, *definition, std::move(instance),
        stimulus::Started{.arguments = op.arguments, .priority = op.priority}, op.cause)};
}

}  // namespace holdfast::op
