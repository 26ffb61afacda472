// How a door runs an operation: waits for its outcome, and throws what went wrong.
#pragma once

#include "node/door.h"
#include "node/thrown.h"

namespace holdfast {

template <class Op>
typename Op::Outcome Door::run(Op op) {
    auto answer = parts_.coordinator.submit(std::move(op));
    while (parts_.drive && answer.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        parts_.drive();
    return value_of(answer.get());
}

}  // namespace holdfast
