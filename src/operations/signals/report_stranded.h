// Raises an incident for an instance whose program no node has. Its continuation stays in the
// queue: a node that brings the program goes on with it.
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

// The code of the incident.
inline constexpr std::string_view missing_program = "missing_program";

struct StrandedReported {
    static constexpr std::string_view name = "strandedReported";

    Version version = 0;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};
// A node has it meanwhile, or somebody reported it.
struct NotStranded {
    static constexpr std::string_view name = "notStranded";
};

struct ReportStranded {
    static constexpr std::string_view name = "reportStranded";
    using Outcome = std::variant<StrandedReported, NotStranded>;

    Cause cause;
    InstanceId instance;
    SignalId signal;  // its continuation
    std::string detail;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("signal", op.signal);
        with("detail", op.detail);
    }
};

void reads(const ReportStranded& op, ReadSet& reads);
ReportStranded::Outcome decide(const ReportStranded& op, View& view);

// The holder of its continuation acts: its program is not missing any more.
void settle_stranded(View& view, const InstanceId& id, const Run& run);

}  // namespace holdfast::op
