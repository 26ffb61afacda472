// Ends an instance as succeeded, with its result.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Finished {
    static constexpr std::string_view name = "finished";

    Version version = 0;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};

struct Finish {
    static constexpr std::string_view name = "finish";
    using Outcome = std::variant<Finished, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    Document result;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("result", op.result);
    }
};

void reads(const Finish& op, ReadSet& reads);
Finish::Outcome decide(const Finish& op, View& view);

// The checks that Finish and Fail share. Absent: the runner may end the instance.
using EndRefusal = std::variant<Overtaken, Ended, NotFound, Quarantined>;
std::optional<EndRefusal> refuse_end(View& view, const InstanceId& id, const Run& run);
template <class Outcome>
Outcome refused_as(EndRefusal refusal) {
    return std::visit([](auto& one) { return Outcome{std::move(one)}; }, refusal);
}

}  // namespace holdfast::op
