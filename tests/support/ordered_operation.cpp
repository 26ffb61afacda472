#include "support/ordered_operation.h"

namespace holdfast::testing {

std::unique_ptr<QueuedOperation> plain_operation(Operation operation, OnOutcome done) {
    return std::visit(
        [&]<class Op>(Op& op) -> std::unique_ptr<QueuedOperation> {
            using Outcome = typename Op::Outcome;
            return std::make_unique<QueuedOperationOf<Op>>(
                std::move(op), [done = std::move(done)](Result<Outcome> outcome) {
                    if (outcome)
                        done(AnyOutcome(std::in_place_type<Outcome>, *std::move(outcome)));
                    else
                        done(std::unexpected(std::move(outcome.error())));
                });
        },
        operation);
}

}  // namespace holdfast::testing
