// Random walks through random models: the engine, the engine with a reload after every step, and a
// simple interpreter agree. `./dev campaign bpmn` makes many more of them.
#include <gtest/gtest.h>

#include "engine/walks/walk.h"
#include "support/world.h"

namespace holdfast::walks {
namespace {

std::string folder_of(const testing::StorePlace& place) {
    const std::string path = place.url().substr(std::string("sqlite:").size());
    return path.substr(0, path.rfind('/'));
}

TEST(Walks, TheEngineAndTheInterpreterAgreeAfterEveryStep) {
    Covered covered;
    std::size_t ended = 0;
    std::size_t steps = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Walked walked = walk(seed, "", &covered);
        ASSERT_EQ(walked.finding, "") << "seed " << seed;
        ended += walked.ended;
        steps += walked.steps;
    }
    EXPECT_GE(covered.kinds.size(), 11u) << "what a token can rest at";
    EXPECT_EQ(covered.happened, (std::set<std::string>{"advance", "complete", "job", "retry",
                                                       "send", "set", "signal"}));
    EXPECT_GE(ended, 100u);
    EXPECT_GE(steps, 900u);
}

// Seeds that the campaign found: two loops that began with one signal.
TEST(Walks, AgreeOnWhatDifferedOnce) { EXPECT_EQ(walk(42'923, "").finding, ""); }

TEST(Walks, AReloadAfterEveryStepChangesNothing) {
    const testing::StorePlace place("sqlite");
    for (std::uint64_t seed = 1'000; seed <= 1'040; ++seed)
        ASSERT_EQ(walk(seed, folder_of(place)).finding, "") << "seed " << seed;
}

}  // namespace
}  // namespace holdfast::walks
