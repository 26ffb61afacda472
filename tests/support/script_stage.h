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
    // The jobs that it works on.
    static constexpr const char* jobs = "work";

    explicit ScriptStage(const std::string& kind);

    Moment now() const { return clock_.now(); }
    void set_now(Moment now);
    // Submits the operations together and runs rounds until all are answered.
    void run(const std::vector<Operation>& operations, Ordering ordering);

    // The node takes what it may, outside of the rounds.
    void claim();
    // A number that another one follows with every continuation that is made. Memory only.
    std::size_t leases_made();

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
    NodeId node_;
    FixedClock clock_;
    IdSource ids_{clock_, 1};
    prometheus::Registry registry_;
    CoordinatorMetrics metrics_{registry_};
    std::unique_ptr<Store> store_;
    std::unique_ptr<Shard> shard_;
    std::set<InstanceId> instances_;  // that an operation may have created
    Played played_;
};

// Whether the operations, one by one, make a continuation that later ones of its segment may act
// on. A runner learns its lease from a commit, so that no round has both.
bool leases_within_segments(const Script& script);

}  // namespace holdfast::testing
