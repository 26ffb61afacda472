// Ends an instance as succeeded, with its result.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Finished {
    Version version = 0;
};

struct Finish {
    static constexpr std::string_view name = "finish";
    using Outcome = std::variant<Finished, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    Document result;
};

void reads(const Finish& op, ReadSet& reads);
Finish::Outcome decide(const Finish& op, View& view);
boost::json::object to_json(const Finish& op);
boost::json::object to_json(const Finished& outcome);

// The checks that Finish and Fail share. Absent: the runner may end the instance.
using EndRefusal = std::variant<Overtaken, Ended, NotFound, Quarantined>;
std::optional<EndRefusal> refuse_end(View& view, const InstanceId& id, const Run& run);
template <class Outcome>
Outcome refused_as(EndRefusal refusal) {
    return std::visit([](auto& one) { return Outcome{std::move(one)}; }, refusal);
}

}  // namespace holdfast::op
