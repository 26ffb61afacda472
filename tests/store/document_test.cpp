// State documents on every store: JSON round trips, checksums, quarantine and release (002.1,
// 002.11, I17).
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Documents : public ::testing::TestWithParam<const char*> {
protected:
    Documents() : world(GetParam()) { world.define("orders"); }

    op::EditState::Outcome replace(const Instance& instance, const std::string& state) {
        return world.run(op::EditState{.cause = world.cause(),
                                       .instance = instance.id,
                                       .edit = op::Replace{.state = document(state)}});
    }

    World world;
};

TEST_P(Documents, EveryKindOfValueRoundTrips) {
    const char* states[] = {
        R"({"int":9223372036854775807,"uint":18446744073709551615,"min":-9223372036854775808})",
        R"({"double":0.1,"tiny":5e-324,"huge":1.7976931348623157e308,"e21":1e21,"e-7":1e-7})",
        R"({"text":"\u0001 \t \n \" \\ / é 漢 😀","":"empty key"})",
        R"({"nested":[[],{},null,[{"a":[null,true,false]}]],"b":{"c":{"d":{}}}})",
        R"({"z":1,"a":2,"é":3,"\ue000":4,"😀":5})"};
    for (const char* state : states) {
        const Instance started = world.start("orders", state);
        if (world.place.kind() != "memory") world.restart();
        const auto found = *world.store->ask(FindInstance{started.id, Depth::document});
        ASSERT_TRUE(found.has_value());
        EXPECT_FALSE(found->corrupt) << state;
        EXPECT_EQ(found->instance.state, document(state));
        EXPECT_EQ(found->instance.state.checksum(), document(state).checksum());
        EXPECT_EQ(world.read(started.id).state.text(), document(state).text());
    }
}

TEST_P(Documents, OneHundredWaysToWriteANumberGiveOneChecksum) {
    const Instance a = world.start("orders", R"({"n":1e2})");
    const Instance b = world.start("orders", R"({"n":100})");
    const Instance c = world.start("orders", R"({"n":100.0})");
    EXPECT_EQ(a.state.checksum(), b.state.checksum());
    EXPECT_EQ(world.read(a.id).state.checksum(), world.read(c.id).state.checksum());
}

TEST_P(Documents, AStateThatFailsItsChecksumIsQuarantinedAndNeverChanged) {
    const Instance started = world.start("orders", R"({"n":1})");
    world.corrupt_state(started.id);
    EXPECT_TRUE((*world.store->ask(FindInstance{started.id, Depth::document}))->corrupt);
    EXPECT_TRUE(std::holds_alternative<op::Quarantined>(replace(started, R"({"n":2})")));
    EXPECT_TRUE(std::holds_alternative<op::Quarantined>(
        world.run(op::Cancel{.cause = world.cause(), .instance = started.id})));
    EXPECT_TRUE(std::holds_alternative<op::Quarantined>(
        world.run(op::Clear{.cause = world.cause(), .instance = started.id})));
    EXPECT_TRUE(std::holds_alternative<op::Quarantined>(world.run(
        op::Checkpoint{.cause = world.cause(), .instance = started.id, .checkpoint = "c"})));
    const auto found = *world.store->ask(FindInstance{started.id, Depth::document});
    EXPECT_TRUE(found->instance.quarantined);
    EXPECT_TRUE(found->corrupt);
    EXPECT_EQ(found->instance.version, 1u);
    EXPECT_EQ(found->instance.state.text(), R"({"rotten":true})");
    EXPECT_EQ(world.history(started.id).size(), 1u);
}

TEST_P(Documents, AReleaseNeedsARepair) {
    const Instance started = world.start("orders", R"({"n":1})");
    world.corrupt_state(started.id);
    const op::Release release{.cause = world.cause(), .instance = started.id};
    EXPECT_TRUE(std::holds_alternative<op::StillCorrupt>(world.run(release)));
    op::Release repair = release;
    repair.cause = world.cause();
    repair.state = document(R"({"n":1})");
    EXPECT_EQ(std::get<op::Released>(world.run(repair)).version, 2u);
    const Instance released = world.read(started.id);
    EXPECT_FALSE(released.quarantined);
    EXPECT_EQ(released.state, document(R"({"n":1})"));
    EXPECT_EQ(std::get<op::Edited>(replace(released, R"({"n":2})")).version, 3u);
    EXPECT_TRUE(std::holds_alternative<op::NotQuarantined>(
        world.run(op::Release{.cause = world.cause(), .instance = started.id})));
}

TEST_P(Documents, ADocumentMayBecomeEmptyAndFullAgain) {
    const Instance started = world.start("orders", "{}");
    EXPECT_TRUE(std::holds_alternative<op::Edited>(replace(started, R"({"a":1})")));
    EXPECT_EQ(world.read(started.id).state, document(R"({"a":1})"));
    EXPECT_TRUE(std::holds_alternative<op::Edited>(replace(started, "{}")));
    EXPECT_EQ(world.read(started.id).state, document("{}"));
    EXPECT_TRUE(std::holds_alternative<op::Edited>(replace(started, R"({"b":2})")));
    EXPECT_EQ(world.read(started.id).state, document(R"({"b":2})"));
    EXPECT_EQ(world.read(started.id).version, 4u);
}

using DocumentsDeathTest = Documents;

TEST_P(DocumentsDeathTest, ThatWereNotReadCannotBeAskedFor) {
    const Instance started = world.start("orders", R"({"n":1})");
    const auto writer = *world.store->open_writer();
    ReadSet reads;
    reads.instance(started.id, Depth::row);
    const auto done = writer->commit({world.ids.next<RoundId>(), reads}, [&](View& view) {
        const Instance& row = *view.find(started.id);
        EXPECT_DEATH(row.state.text(), "only a document that was read");
        EXPECT_DEATH(row.state.value(), "only a document that was read");
        EXPECT_DEATH(row.state_metadata.text(), "only a document that was read");
    });
    EXPECT_TRUE(done);
}

// The memory store has them at hand, and the simulation runs on it.
TEST_P(DocumentsDeathTest, RowsThatWereNotReadAreNotSeenAndNotChanged) {
    const Instance started = world.start("orders", R"({"n":1})");
    const auto writer = *world.store->open_writer();
    const auto commit = [&](Depth depth, const Decide& decide) {
        ReadSet reads;
        reads.instance(started.id, depth);
        EXPECT_TRUE(writer->commit({world.ids.next<RoundId>(), reads}, decide));
    };
    commit(Depth::whole, [&](View& view) {
        view.edit(started.id)
            .children.active.push_back({.id = world.ids.next<ActivityInstanceId>()});
    });
    for (const Depth depth : {Depth::row, Depth::document})
        commit(depth, [&](View& view) {
            EXPECT_TRUE(view.find(started.id)->children.active.empty());
            view.edit(started.id).paused = !view.find(started.id)->paused;
            EXPECT_DEATH(
                {
                    view.edit(started.id).children.active.emplace_back();
                    (void)view.changes();
                },
                "only an instance that was read whole");
        });
    commit(Depth::whole, [&](View& view) {
        EXPECT_EQ(view.find(started.id)->children.active.size(), 1u) << "nothing was lost";
    });
}

INSTANTIATE_TEST_SUITE_P(Stores, DocumentsDeathTest, all_stores(), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, Documents, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
