// Deletes a dead event; its fate `discarded` is recorded (001.9).
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Removed {
    static constexpr std::string_view name = "removed";

    EventId event;

    static void describe(auto& outcome, auto& with) { with("event", outcome.event); }
};
struct NoDeadEvent {
    static constexpr std::string_view name = "noDeadEvent";
};

struct RemoveDeadEvent {
    static constexpr std::string_view name = "removeDeadEvent";
    using Outcome = std::variant<Removed, NoDeadEvent>;

    Cause cause;
    EventId event;

    std::size_t shard() const { return shard_hash(event); }
    static void describe(auto& op, auto& with) { with("event", op.event); }
};

void reads(const RemoveDeadEvent& op, ReadSet& reads);
RemoveDeadEvent::Outcome decide(const RemoveDeadEvent& op, View& view);

}  // namespace holdfast::op
