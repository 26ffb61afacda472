#include "support/batch.h"

#include <atomic>

#include "support/ordered_operation.h"

namespace holdfast::testing {
namespace {

// The outcomes of a batch while they come in; the last one fulfils the promise.
struct Batch {
    std::promise<std::vector<Result<AnyOutcome>>> promise;
    std::vector<std::optional<Result<AnyOutcome>>> results;
    std::atomic<std::size_t> missing;

    void fulfil() {
        std::vector<Result<AnyOutcome>> all;
        all.reserve(results.size());
        for (auto& result : results) all.push_back(*std::move(result));
        promise.set_value(std::move(all));
    }
};

}  // namespace

std::future<std::vector<Result<AnyOutcome>>> submit_batch(Coordinator& coordinator,
                                                          std::vector<Operation> operations) {
    auto batch = std::make_shared<Batch>();
    batch->results.resize(operations.size());
    batch->missing = operations.size();
    auto future = batch->promise.get_future();
    if (operations.empty()) batch->promise.set_value({});

    Shard::Group group;
    for (std::size_t i = 0; i < operations.size(); ++i)
        group.push_back(
            plain_operation(std::move(operations[i]), [batch, i](Result<AnyOutcome> outcome) {
                batch->results[i].emplace(std::move(outcome));
                if (--batch->missing == 0) batch->fulfil();
            }));
    coordinator.submit_batch(std::move(group));
    return future;
}

}  // namespace holdfast::testing
