// Begins the next run of an instance: same id, empty journal, new arguments; queued events stay
// (001.13).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Continued {
    Run run;
    Version version = 0;
};

struct ContinueAs {
    static constexpr std::string_view name = "continueAs";
    using Outcome = std::variant<Continued, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    Document arguments;  // recorded at index 0 of the new journal
};

void reads(const ContinueAs& op, ReadSet& reads);
ContinueAs::Outcome decide(const ContinueAs& op, View& view);
boost::json::object to_json(const ContinueAs& op);
boost::json::object to_json(const Continued& outcome);

}  // namespace holdfast::op
