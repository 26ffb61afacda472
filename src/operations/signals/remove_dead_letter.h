// Deletes a dead letter. A continuation's flow has nothing left that could run it: it fails.
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"

namespace holdfast::op {

struct LetterRemoved {
    static constexpr std::string_view name = "letterRemoved";
};

struct RemoveDeadLetter {
    static constexpr std::string_view name = "removeDeadLetter";
    using Outcome = std::variant<LetterRemoved, NotFound>;

    Cause cause;
    SignalId signal;

    std::size_t shard() const { return shard_hash(signal); }
    static void describe(auto& op, auto& with) { with("signal", op.signal); }
};

void reads(const RemoveDeadLetter& op, ReadSet& reads);
RemoveDeadLetter::Outcome decide(const RemoveDeadLetter& op, View& view);

}  // namespace holdfast::op
