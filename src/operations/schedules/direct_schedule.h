// Asks a schedule for something now: to fire, to make up for times of the past, to drop what waits,
// or to go on after a pause without what was due meanwhile.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct ScheduleDirected {
    static constexpr std::string_view name = "scheduleDirected";

    Instance instance;

    static void describe(auto& outcome, auto& with) { with("instance", outcome.instance); }
};
// Nothing changed.
struct ScheduleRefused {
    static constexpr std::string_view name = "scheduleRefused";

    std::string why;

    static void describe(auto& outcome, auto& with) { with("why", outcome.why); }
};

struct DirectSchedule {
    static constexpr std::string_view name = "directSchedule";
    using Outcome =
        std::variant<ScheduleDirected, ScheduleRefused, Stale, NotFound, Ended, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;  // absent: any version
    Document request;                 // {"do": "trigger"}, ... (program/schedule/turn.h)
    std::string reason;               // of a resume

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with("request", op.request);
        with("reason", op.reason);
    }
};

void reads(const DirectSchedule& op, ReadSet& reads);
DirectSchedule::Outcome decide(const DirectSchedule& op, View& view);

}  // namespace holdfast::op
