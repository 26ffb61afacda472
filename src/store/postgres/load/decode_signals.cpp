#include "store/postgres/load/decode_signals.h"

namespace holdfast::postgres {
namespace {

// The common first columns of all signal tables. An unknown type is not an error here: decoding the
// envelope will fail.
SignalRow first_columns(Row& row) {
    SignalRow signal;
    signal.id = row.id<SignalId>();
    signal.instance = row.id<InstanceId>();
    signal.type = parse_signal_type(row.text()).value_or(SignalType::external_signal);
    signal.program = row.optional(&Row::text);
    signal.enqueued_at = row.moment();
    return signal;
}

}  // namespace

SignalRow signal_row(Row& row) {
    SignalRow signal = first_columns(row);
    signal.visible_at = row.moment();
    signal.leased_by = row.optional(&Row::id<NodeId>);
    signal.epoch = row.int8();
    signal.attempts = row.int4();
    signal.envelope = row.text();
    return signal;
}

ScheduledSignal scheduled_row(Row& row) {
    ScheduledSignal scheduled;
    scheduled.signal = first_columns(row);
    scheduled.due_at = scheduled.signal.visible_at = row.moment();
    scheduled.signal.envelope = row.text();
    return scheduled;
}

DeadLetter dead_letter_row(Row& row) {
    DeadLetter letter;
    letter.signal = first_columns(row);
    letter.signal.visible_at = letter.signal.enqueued_at;
    letter.signal.epoch = row.int8();
    letter.signal.attempts = row.int4();
    letter.signal.envelope = row.text();
    const auto reason = parse_dead_letter_reason(row.text());
    if (!reason) row.mark_corrupt("dead_letters", "reason");
    letter.reason = reason.value_or(DeadLetterReason::undecodable);
    letter.detail = row.text();
    letter.node = row.text();
    letter.at = row.moment();
    return letter;
}

}  // namespace holdfast::postgres
