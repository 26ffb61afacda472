// Deletes a dead letter. A continuation's flow has nothing left that could run it: it fails.
#pragma once

#include <variant>

#include "operations/refusals.h"

namespace holdfast::op {

struct LetterRemoved {};

struct RemoveDeadLetter {
    static constexpr std::string_view name = "removeDeadLetter";
    using Outcome = std::variant<LetterRemoved, NotFound>;

    Cause cause;
    SignalId signal;
};

void reads(const RemoveDeadLetter& op, ReadSet& reads);
RemoveDeadLetter::Outcome decide(const RemoveDeadLetter& op, View& view);
boost::json::object to_json(const RemoveDeadLetter& op);
boost::json::object to_json(const LetterRemoved& outcome);

}  // namespace holdfast::op
