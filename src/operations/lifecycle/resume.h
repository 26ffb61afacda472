// Resumes a paused instance: delivers what was queued meanwhile, else registers its wait again.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Resumed {
    static constexpr std::string_view name = "resumed";

    Version version = 0;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};

struct Resume {
    static constexpr std::string_view name = "resume";
    using Outcome = std::variant<Resumed, Stale, Ended, NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;
    std::string reason{};

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with.later("reason", op.reason);
    }
};

void reads(const Resume& op, ReadSet& reads);
Resume::Outcome decide(const Resume& op, View& view);

}  // namespace holdfast::op
