// Puts a dead letter back into the queue, under the same signal id (004.7).
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"

namespace holdfast::op {

struct Redriven {
    static constexpr std::string_view name = "redriven";

    SignalId signal;
    InstanceId instance;

    static void describe(auto& outcome, auto& with) {
        with("signal", outcome.signal);
        with("instance", outcome.instance);
    }
};

struct RedriveDeadLetter {
    static constexpr std::string_view name = "redriveDeadLetter";
    using Outcome = std::variant<Redriven, Ended, NotFound>;

    Cause cause;
    std::optional<ClientKey> client_key;
    SignalId signal;

    std::size_t shard() const { return shard_hash(signal); }
    static void describe(auto& op, auto& with) { with("signal", op.signal); }
};

void reads(const RedriveDeadLetter& op, ReadSet& reads);
RedriveDeadLetter::Outcome decide(const RedriveDeadLetter& op, View& view);

}  // namespace holdfast::op
