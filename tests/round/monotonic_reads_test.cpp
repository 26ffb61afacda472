// A client never reads an older version than it has seen, whichever node it asks (I16).
#include <atomic>
#include <thread>

#include "support/world.h"

namespace holdfast::testing {
namespace {

constexpr int edits = 150;

// Nodes of one database; on SQLite, which one process owns, one node with several readers.
class MonotonicReads : public ::testing::TestWithParam<const char*> {
protected:
    MonotonicReads() : world(GetParam()) {
        world.define("orders");
        id = world.start("orders", R"({"n":1})").id;
        stores.push_back(world.store.get());
        coordinators.push_back(world.coordinator.get());
        if (world.place.kind() != "postgres") return;
        other_store = *open_store(world.place.url(), world.options);
        other = *Coordinator::open(*other_store, world.ids, world.metrics, {});
        stores.push_back(other_store.get());
        coordinators.push_back(other.get());
    }
    ~MonotonicReads() override {
        if (other) other->shutdown();
    }

    Version read(std::size_t node) {
        const auto found = stores[node % stores.size()]->ask(FindInstance{id, Depth::document});
        EXPECT_TRUE(found.has_value() && found->has_value());
        const Instance& instance = (*found)->instance;
        // State and version are of one commit.
        EXPECT_EQ(instance.state, document(R"({"n":)" + std::to_string(instance.version) + "}"));
        return instance.version;
    }
    // The version that the client is answered.
    Version edit(std::size_t node, Version expected) {
        const auto outcome =
            coordinators[node % coordinators.size()]
                ->submit(op::EditState{
                    .cause = world.cause(),
                    .instance = id,
                    .expected = expected,
                    .edit = op::Replace{.state = document(R"({"n":)" +
                                                          std::to_string(expected + 1) + "}")}})
                .get();
        return std::get<op::Edited>(outcome.value()).version;
    }

    World world;
    InstanceId id;
    std::unique_ptr<Store> other_store;
    std::unique_ptr<Coordinator> other;
    std::vector<Store*> stores;
    std::vector<Coordinator*> coordinators;
};

TEST_P(MonotonicReads, AClientThatChangesNodesNeverReadsAnOlderVersion) {
    std::atomic<bool> over = false;
    std::atomic<int> steps_back = 0;
    std::atomic<std::size_t> reads = 0;
    std::vector<std::jthread> readers;
    for (std::size_t reader = 0; reader < 3; ++reader)
        readers.emplace_back([&, reader] {
            Version seen = 0;
            for (std::size_t turn = reader; !over; ++turn) {
                const Version now = read(turn);
                steps_back += now < seen ? 1 : 0;
                seen = std::max(seen, now);
                ++reads;
            }
        });
    Version version = 1;
    for (std::size_t turn = 0; turn < edits; ++turn) {
        version = edit(turn, version);
        EXPECT_GE(read(turn + 1), version) << "another node, right after the answer";
    }
    over = true;
    readers.clear();
    EXPECT_EQ(steps_back, 0);
    EXPECT_GT(reads, 0u);
    EXPECT_EQ(version, 1u + edits);
}

INSTANTIATE_TEST_SUITE_P(Stores, MonotonicReads, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
