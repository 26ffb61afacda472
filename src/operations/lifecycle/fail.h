// Ends an instance as failed, with its error.
#pragma once

#include <variant>

#include "operations/lifecycle/finish.h"

namespace holdfast::op {

struct Failed {
    Version version = 0;
};

struct Fail {
    static constexpr std::string_view name = "fail";
    using Outcome = std::variant<Failed, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    std::string code;
    Document error;          // details
    bool cancelled = false;  // true: the rollback of a cancelled program is complete
};

void reads(const Fail& op, ReadSet& reads);
Fail::Outcome decide(const Fail& op, View& view);
boost::json::object to_json(const Fail& op);
boost::json::object to_json(const Failed& outcome);

}  // namespace holdfast::op
