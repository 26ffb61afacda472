// The raw limit that `bench store` prints: what it writes is what a coordinator would have written.
#include "store/raw_limit.h"

#include "store/edits.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class RawLimits : public ::testing::TestWithParam<const char*> {};

TEST_P(RawLimits, WriteEditsThatAreEditsOfTheInstances) {
    World world(GetParam());
    const auto instances = bench::start_instances(world);
    world.coordinator.reset();
    world.store.reset();
    const std::string& url = world.place.url();
    const auto limit =
        world.place.kind() == "sqlite"
            ? bench::sqlite_raw_limit(url.substr(7), instances, std::chrono::milliseconds(1))
            : bench::postgres_raw_limit(url, instances, std::chrono::milliseconds(1));
    EXPECT_GE(limit.rows_per_edit, 3) << "instance, documents, history";
    world.restart();
    const Instance edited = world.read(instances.back().id);
    EXPECT_GT(edited.version, instances.back().version);
    EXPECT_EQ(edited.state, bench::edited_state(instances.size() - 1, edited.version - 1));
    const auto history = world.history(edited.id);
    EXPECT_EQ(history.size(), edited.version);
    Digest hash;
    for (const HistoryRow& row : history) EXPECT_EQ(hash = chain(hash, row), row.hash);
    EXPECT_EQ(edited.history_hash, hash);
}

INSTANTIATE_TEST_SUITE_P(Databases, RawLimits, ::testing::Values("sqlite", "postgres"), store_name);

}  // namespace
}  // namespace holdfast::testing
