// How a door runs an operation: waits for its outcome, and throws what went wrong.
#pragma once

#include "base/answer.h"
#include "node/door.h"
#include "node/thrown.h"

namespace holdfast {

template <class Op>
typename Op::Outcome Door::run(Op op) {
    using Outcome = Result<typename Op::Outcome>;
    const auto answer = std::make_shared<Answer<Outcome>>();
    parts_.coordinator.submit(std::move(op),
                              [answer](Outcome outcome) { answer->give(std::move(outcome)); });
    while (parts_.drive && !answer->is_there()) parts_.drive();
    return value_of(answer->take());
}

}  // namespace holdfast
