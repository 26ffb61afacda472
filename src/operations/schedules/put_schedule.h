// Creates a schedule, or changes what it does and when. Its id follows from its tenant and name, so
// that two nodes that create it at once create one.
#pragma once

#include <variant>

#include "operations/lifecycle/start.h"
#include "operations/refusals.h"
#include "program/schedule/program.h"
#include "store/view.h"

namespace holdfast::op {

struct SchedulePut {
    static constexpr std::string_view name = "schedulePut";

    Instance instance;
    bool created = false;

    static void describe(auto& outcome, auto& with) {
        with("instance", outcome.instance);
        with("created", outcome.created);
    }
};
// The caller wants a new one.
struct ScheduleExists {
    static constexpr std::string_view name = "scheduleExists";

    Version version = 0;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};

struct PutSchedule {
    static constexpr std::string_view name = "putSchedule";
    using Outcome = std::variant<SchedulePut, ScheduleExists, DisabledDefinition, InvalidState,
                                 Stale, NotFound, Ended, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    std::string schedule;             // its name
    Document spec;                    // what it does and when
    std::optional<Version> expected;  // absent: any version, or none
    bool only_new = false;
    bool must_exist = false;

    InstanceId instance() const { return schedule_of(cause.tenant(), schedule); }

    static void describe(auto& op, auto& with) {
        with("schedule", op.schedule);
        with("spec", op.spec);
        with("expected", op.expected);
        with("onlyNew", op.only_new);
        with("mustExist", op.must_exist);
    }
};

void reads(const PutSchedule& op, ReadSet& reads);
PutSchedule::Outcome decide(const PutSchedule& op, View& view);

}  // namespace holdfast::op
