#include "store/postgres/load/decode_mail.h"

#include "store/postgres/load/decode.h"

namespace holdfast::postgres {
namespace {

DeadEvent dead_event(Event event, const std::string& status, Moment ended_at) {
    return {std::move(event), parse_status(status).value_or(Status::failed), ended_at};
}

Step step_row(Row& row) {
    Step step;
    step.instance = row.id<InstanceId>();
    step.index = row.int8();
    step.name = row.text();
    step.input_hash = row.optional(&Row::digest);
    step.result = row.text() == "error" ? StepResult::error : StepResult::value;
    step.value = canonical_document(row.text());
    step.at = row.moment();
    return step;
}

}  // namespace

Event event_row(Row& row) {
    Event event;
    event.id = row.id<EventId>();
    event.name = row.text();
    event.target = row.optional(&Row::id<InstanceId>);
    event.value = canonical_document(row.text());
    event.on_target_ended = parse_on_target_ended(row.text()).value_or(OnTargetEnded::discard);
    event.keep = row.boolean() ? Keep::yes : Keep::no;
    event.accepted_at = row.moment();
    event.expires_at = row.optional(&Row::moment);
    event.operation = row.id<OperationId>();
    return event;
}

WaitRow wait_row(Row& row) {
    WaitRow wait;
    wait.instance = row.id<InstanceId>();
    wait.token = row.id<TokenId>();
    wait.began_at = row.moment();
    wait.operation = row.id<OperationId>();
    return wait;
}

DeadEvent dead_event_row(Row& row) {
    Event event = event_row(row);
    const std::string status = row.text();
    return dead_event(std::move(event), status, row.moment());
}

FateRow fate_row(Row& row) {
    FateRow fate;
    fate.event = row.id<EventId>();
    const auto instance = row.id<InstanceId>();
    if (instance != InstanceId{}) fate.instance = instance;
    fate.name = row.text();
    fate.fate = parse_event_fate(row.text()).value_or(EventFate::delivered);
    fate.index = row.int8();
    fate.at = row.moment();
    return fate;
}

JournalEntry journal_row(Row& row) {
    JournalEntry entry{step_row(row), std::nullopt};
    const auto type = row.optional(&Row::text);
    if (!type) return entry;
    Winner winner{.instance = entry.step.instance, .index = entry.step.index};
    winner.type = parse_winner_type(*type).value_or(WinnerType::event);
    winner.name = row.text();
    entry.winner = std::move(winner);
    return entry;
}

void add_known_event(Row& row, KnownEvent& known) {
    Event event = event_row(row);
    const auto status = row.optional(&Row::text);
    if (status)
        known.dead = dead_event(std::move(event), *status, row.moment());
    else
        known.queued = std::move(event);
}

EventId event_of(Row row) { return row.id<EventId>(); }

}  // namespace holdfast::postgres
