// Runs an operation: waits for its outcome and throws its error.
#pragma once

#include "base/threads/oneshot.h"
#include "node/thrown.h"
#include "node/workflow_api.h"

namespace holdfast {

template <class Op>
typename Op::Outcome WorkflowApi::run(Op op) {
    using Outcome = Result<typename Op::Outcome>;
    const auto answer = std::make_shared<OneShot<Outcome>>();
    parts_.coordinator.submit(std::move(op),
                              [answer](Outcome outcome) { answer->give(std::move(outcome)); });
    while (parts_.drive && !answer->is_ready()) parts_.drive();
    return value_of(answer->take());
}

}  // namespace holdfast
