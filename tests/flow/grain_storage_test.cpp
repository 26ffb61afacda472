// Grain storage through the public header alone (000.1 to 000.7).
#include "holdfast/grain_storage.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/world.h"

namespace holdfast::testing {
namespace {

class GrainStorageOn : public ::testing::TestWithParam<const char*> {
protected:
    GrainStorageOn() : place(GetParam()) { open(); }

    void open() {
        grains.reset();
        grains.emplace(place.url());
        if (id.empty()) id = grains->new_id();
    }
    Grain full() {
        const std::string gateway = grains->new_id();
        const Grain::Time at{std::chrono::seconds(1'769'594'400)};
        Grain grain{.definition = "cart", .business_key = "ä-1", .created_at = at};
        grain.state = {{"n", 1}, {"list", boost::json::array()}, {"none", nullptr}};
        grain.metadata = {{"by", "test"}};
        grain.execution_started_at = at + std::chrono::microseconds(1);
        grain.active = {{gateway, "decide"}, {grains->new_id(), "pay"}};
        grain.completed = {{grains->new_id(), "begin"}};
        grain.variables = {{grains->new_id(), {{"x", {1, 2, 3}}}}};
        grain.conditions[gateway] = {{grains->new_id(), "yes", true, true},
                                     {grains->new_id(), "no", false, false}};
        grain.forks = {{grains->new_id(), gateway, {grains->new_id(), grains->new_id()}}};
        return grain;
    }

    StorePlace place;
    std::optional<GrainStorage> grains;
    std::string id;
};

TEST_P(GrainStorageOn, WhatIsWrittenIsReadAlsoAfterARestart) {
    EXPECT_FALSE(grains->read(id));
    Grain grain = full();
    grains->write(id, grain);
    EXPECT_EQ(grain.etag, "1");
    if (place.kind() != "memory") open();
    EXPECT_EQ(grains->read(id), grain);
    grain.completed.push_back(grain.active.back());
    grain.active.pop_back();
    grain.variables.clear();
    grain.forks.clear();
    grain.completed_at = grain.created_at + std::chrono::hours(1);
    grains->write(id, grain);
    EXPECT_EQ(grain.etag, "2");
    EXPECT_EQ(grains->read(id), grain);
    EXPECT_FALSE(grains->read(grains->new_id()));
}

TEST_P(GrainStorageOn, AWriteNeedsTheStoredETag) {
    Grain mine = full();
    Grain early = mine;
    early.etag = "1";
    EXPECT_THROW(grains->write(id, early), InconsistentState) << "there is none";
    grains->write(id, mine);
    Grain theirs = *grains->read(id);
    grains->write(id, mine);
    theirs.state = {{"n", 2}};
    try {
        grains->write(id, theirs);
        FAIL() << "it is stale";
    } catch (const InconsistentState& stale) {
        EXPECT_EQ(stale.stored, "2");
        EXPECT_EQ(stale.expected, "1");
    }
    Grain unread = full();
    EXPECT_THROW(grains->write(id, unread), InconsistentState);
    EXPECT_EQ(grains->read(id), mine) << "what is stored is untouched";
}

TEST_P(GrainStorageOn, AClearDeletesAndNoOldETagMatches) {
    Grain grain = full();
    grains->clear(id, grain);
    grains->write(id, grain);
    Grain stale = grain;
    grains->write(id, grain);
    EXPECT_THROW(grains->clear(id, stale), InconsistentState);
    Grain unread;
    EXPECT_THROW(grains->clear(id, unread), InconsistentState);
    grains->clear(id, grain);
    EXPECT_EQ(grain.etag, "");
    EXPECT_FALSE(grains->read(id));
    grains->write(id, grain);
    EXPECT_EQ(grain.etag, "4") << "after the two writes and the clear";
}

TEST_P(GrainStorageOn, MisuseIsNamed) {
    Grain grain = full();
    EXPECT_THROW(grains->read("one"), Misuse);
    grain.etag = "x";
    EXPECT_THROW(grains->write(id, grain), Misuse);
    EXPECT_THROW(GrainStorage("nothing:"), Exception);
}

INSTANTIATE_TEST_SUITE_P(Stores, GrainStorageOn, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
