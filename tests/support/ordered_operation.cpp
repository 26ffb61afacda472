#include "support/ordered_operation.h"

namespace holdfast::testing {

std::unique_ptr<QueuedOperation> plain_operation(Operation operation, OnOutcome done) {
    return queued(std::move(operation), std::move(done));
}

}  // namespace holdfast::testing
