// What somebody asks of a schedule, as its program gets it.
#pragma once

#include "model/history.h"
#include "program/stimulus.h"

namespace holdfast::op {

// The id of the operation tells when it was made: the same however often it runs again.
inline stimulus::Asked asked_by(const Document& request, const Cause& cause) {
    std::int64_t ms = 0;
    for (std::size_t i = 0; i < 6; ++i) ms = ms << 8 | cause.operation.value.bytes[i];
    return {request, Moment(std::chrono::milliseconds(ms))};
}

}  // namespace holdfast::op
