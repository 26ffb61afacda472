// Deletes a dead event; its fate `discarded` is recorded (001.9).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Removed {
    EventId event;
};
struct NoDeadEvent {};

struct RemoveDeadEvent {
    static constexpr std::string_view name = "removeDeadEvent";
    using Outcome = std::variant<Removed, NoDeadEvent>;

    Cause cause;
    EventId event;
};

void reads(const RemoveDeadEvent& op, ReadSet& reads);
RemoveDeadEvent::Outcome decide(const RemoveDeadEvent& op, View& view);
boost::json::object to_json(const RemoveDeadEvent& op);
boost::json::object to_json(const Removed& outcome);
boost::json::object to_json(const NoDeadEvent& outcome);

}  // namespace holdfast::op
