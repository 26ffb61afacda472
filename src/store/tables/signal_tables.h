// The columns of signals: queue, schedule and dead letters.
#pragma once

#include "model/signal.h"
#include "store/nodes.h"
#include "store/tables/decode.h"

namespace holdfast {

inline std::optional<SignalType> parse_name(std::string_view name, std::type_identity<SignalType>) {
    return parse_signal_type(name);
}
inline std::optional<DeadLetterReason> parse_name(std::string_view name,
                                                  std::type_identity<DeadLetterReason>) {
    return parse_dead_letter_reason(name);
}

namespace tables {

// What all three have first.
struct SignalHead {
    static constexpr std::string_view name = "signal_head";
    using Row = SignalRow;

    template <class Visit, class SomeSignal>
    static void columns(Visit& visit, SomeSignal& signal) {
        visit("signal_id", signal.id);
        visit("instance_id", signal.instance);
        visit("type", signal.type);
        visit("program", signal.program);
        visit("enqueued_at", signal.enqueued_at);
    }
};

struct SignalQueue {
    static constexpr std::string_view name = "signal_queue";
    using Row = SignalRow;

    template <class Visit, class SomeSignal>
    static void columns(Visit& visit, SomeSignal& signal) {
        SignalHead::columns(visit, signal);
        visit("visible_at", signal.visible_at);
        visit("leased_by", signal.leased_by);
        visit("epoch", signal.epoch);
        visit("attempts", signal.attempts);
        visit("envelope", bytes(signal.envelope));
    }
};

struct Incidents {
    static constexpr std::string_view name = "incidents";
    using Row = Incident;

    template <class Visit, class SomeIncident>
    static void columns(Visit& visit, SomeIncident& incident) {
        visit("id", incident.instance);
        visit("definition_key", incident.definition.key);
        visit("definition_version", incident.definition.version);
        visit("business_key", or_null(incident.business_key));
        visit("last_error_code", incident.code);
        visit("updated_at", incident.updated_at);
    }
};

struct ScheduleQueue {
    static constexpr std::string_view name = "schedule_queue";
    using Row = ScheduledSignal;

    template <class Visit, class SomeSignal>
    static void columns(Visit& visit, SomeSignal& scheduled) {
        SignalHead::columns(visit, scheduled.signal);
        visit("due_at", scheduled.due_at);
        visit("envelope", bytes(scheduled.signal.envelope));
    }
};

struct DeadLetters {
    static constexpr std::string_view name = "dead_letters";
    using Row = DeadLetter;

    template <class Visit, class SomeLetter>
    static void columns(Visit& visit, SomeLetter& letter) {
        SignalHead::columns(visit, letter.signal);
        visit("epoch", letter.signal.epoch);
        visit("attempts", letter.signal.attempts);
        visit("envelope", bytes(letter.signal.envelope));
        visit("reason", letter.reason);
        visit("detail", letter.detail);
        visit("node", letter.node);
        visit("at", letter.at);
        visit("tenant", letter.tenant);
    }
};

// When they are visible is not stored.
inline ScheduledSignal completed(ScheduledSignal scheduled) {
    scheduled.signal.visible_at = scheduled.due_at;
    return scheduled;
}
inline DeadLetter completed(DeadLetter letter) {
    letter.signal.visible_at = letter.signal.enqueued_at;
    return letter;
}

}  // namespace tables
}  // namespace holdfast
