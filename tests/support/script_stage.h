// A new store with a manual clock and one shard that the caller runs.
#pragma once

#include <prometheus/registry.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "round/shard.h"
#include "support/ordered_operation.h"
#include "support/script.h"

namespace holdfast::testing {

class ScriptStage {
public:
    // The definition whose instances the stage's own node runs.
    static constexpr const char* flow = "flow";

    explicit ScriptStage(const std::string& kind);

    Moment now() const { return clock_.now(); }
    void set_now(Moment now);
    // Submits the operations together and runs rounds until all are answered.
    void run(const std::vector<Operation>& operations, Ordering ordering);

    Store& store() { return *store_; }
    const Played& played() const { return played_; }
    // Closes the store and returns the result.
    Played finish();

private:
    class FixedClock final : public Clock {
    public:
        Moment now() const override { return now_; }
        Moment now_{std::chrono::seconds{1'800'000'000}};
    };

    StorePlace place_;
    FixedClock clock_;
    IdSource ids_{clock_, 1};
    prometheus::Registry registry_;
    CoordinatorMetrics metrics_{registry_};
    std::unique_ptr<Store> store_;
    std::unique_ptr<Shard> shard_;
    std::set<InstanceId> instances_;  // that an operation may have created
    Played played_;
};

}  // namespace holdfast::testing
