// Edits (002.2 to 002.6), through the coordinator on the memory store.
#include "support/world.h"

namespace holdfast::testing {
namespace {

class EditState : public ::testing::Test {
protected:
    EditState() : world("memory") {
        world.define("orders", R"({"type":"object","properties":{"n":{"type":"integer"}}})");
        started = world.start("orders", R"({"n":1,"a":{"x":1,"y":1}})");
    }

    op::EditState::Outcome edit(std::optional<Version> expected, op::Edit change,
                                OnConflict strategy = OnConflict::reject) {
        return world.run(op::EditState{.cause = world.cause(),
                                       .instance = started.id,
                                       .expected = expected,
                                       .edit = std::move(change),
                                       .on_conflict = strategy});
    }
    op::MergePatch patch(const std::string& text) { return {document(text)}; }
    std::vector<Resolution> ledger() {
        std::vector<Resolution> resolutions;
        const auto page = world.store->ask(ConflictQuery{.instance = started.id, .limit = 50});
        for (const auto& row : page->items) resolutions.push_back(row.resolution);
        return resolutions;
    }
    Document stored() { return world.read(started.id).state; }

    World world;
    Instance started;
};

TEST_F(EditState, ASuccessfulUpdateMovesTheVersionByOneAndLeavesOneHistoryRow) {
    const auto edited = std::get<op::Edited>(edit(1, patch(R"({"n":2})")));
    EXPECT_EQ(edited.version, 2u);
    const auto history = world.history(started.id);
    ASSERT_EQ(history.size(), 2u);
    EXPECT_EQ(history[1].type, HistoryType::state_changed);
    EXPECT_EQ(history[1].payload, stored().text());
    EXPECT_EQ(history[1].hash, chain(history[0].hash, history[1]));
}

TEST_F(EditState, AStaleVersionIsRefusedWithTheCurrentState) {
    edit(1, patch(R"({"n":2})"));
    const auto stale = std::get<op::Stale>(edit(1, patch(R"({"n":3})")));
    EXPECT_EQ(stale.actual, 2u);
    EXPECT_EQ(stale.state, stored());
    EXPECT_EQ(ledger(), std::vector{Resolution::rejected});
    EXPECT_EQ(world.metrics.conflict(Resolution::rejected).Value(), 1);
    EXPECT_EQ(world.history(started.id).size(), 2u);
}

TEST_F(EditState, EveryConflictIsLoggedWithWhoAndWhere) {
    edit(1, patch(R"({"n":2})"));
    Cause cause = world.cause();
    cause.caller.user = "ann@example.org";
    ::testing::internal::CaptureStderr();
    world.run(op::EditState{
        .cause = cause, .instance = started.id, .expected = 1, .edit = patch(R"({"a":{"x":9}})")});
    const std::string logged = ::testing::internal::GetCapturedStderr();
    for (const std::string& part :
         {std::string("state.conflict"), to_string(started.id), cause.caller.user,
          std::string("expected=1"), std::string("actual=2"), std::string("/state/a/x"),
          std::string("rejected")})
        EXPECT_NE(logged.find(part), std::string::npos) << part << " is not in " << logged;
}

TEST_F(EditState, AStarMatchesAnyVersion) {
    edit(1, patch(R"({"n":2})"));
    EXPECT_EQ(std::get<op::Edited>(edit(std::nullopt, patch(R"({"n":3})"))).version, 3u);
}

TEST_F(EditState, ServerWinsWritesNothing) {
    edit(1, patch(R"({"n":2})"));
    const auto kept = std::get<op::Edited>(edit(1, patch(R"({"n":9})"), OnConflict::server_wins));
    EXPECT_EQ(kept.version, 2u);
    EXPECT_EQ(kept.resolution, Resolution::server_wins);
    EXPECT_EQ(kept.state, document(R"({"n":2,"a":{"x":1,"y":1}})"));
    EXPECT_EQ(world.history(started.id).size(), 2u);
    EXPECT_EQ(ledger(), std::vector{Resolution::server_wins});
}

TEST_F(EditState, ClientWinsAppliesThePatchToTheCurrentState) {
    edit(1, patch(R"({"a":{"x":5}})"));
    const auto won = std::get<op::Edited>(edit(1, patch(R"({"n":9})"), OnConflict::client_wins));
    EXPECT_EQ(won.version, 3u);
    EXPECT_EQ(won.resolution, Resolution::client_wins);
    EXPECT_EQ(stored(), document(R"({"n":9,"a":{"x":5,"y":1}})"));
}

TEST_F(EditState, ChangesOfDifferentPathsMerge) {
    edit(1, patch(R"({"a":{"x":5}})"));
    const op::Replace whole{.state = document(R"({"n":7,"a":{"x":1,"y":8}})")};
    const auto merged = std::get<op::Edited>(edit(1, whole, OnConflict::merge));
    EXPECT_EQ(merged.resolution, Resolution::merged);
    EXPECT_EQ(stored(), document(R"({"n":7,"a":{"x":5,"y":8}})"));
    EXPECT_EQ(ledger(), std::vector{Resolution::merged});
}

TEST_F(EditState, ChangesOfOnePathOverlap) {
    edit(1, patch(R"({"a":{"x":5}})"));
    const auto stale = std::get<op::Stale>(edit(1, patch(R"({"a":{"x":6}})"), OnConflict::merge));
    EXPECT_EQ(stale.resolution, Resolution::overlapping);
    EXPECT_EQ(stale.paths, std::vector<std::string>{"/state/a/x"});
    EXPECT_EQ(stored(), document(R"({"n":1,"a":{"x":5,"y":1}})"));
    EXPECT_EQ(ledger(), std::vector{Resolution::overlapping});
}

TEST_F(EditState, AMergeNeedsItsBase) {
    edit(1, patch(R"({"n":2})"));
    const auto stale = std::get<op::Stale>(edit(99, patch(R"({"n":6})"), OnConflict::merge));
    EXPECT_EQ(stale.resolution, Resolution::base_missing);
    EXPECT_EQ(stored(), document(R"({"n":2,"a":{"x":1,"y":1}})"));
}

TEST_F(EditState, AStateThatFailsItsSchemaIsNotWritten) {
    const auto invalid = std::get<op::InvalidState>(edit(1, patch(R"({"n":"two"})")));
    ASSERT_FALSE(invalid.violations.empty());
    EXPECT_EQ(invalid.violations[0].path, "/n");
    EXPECT_EQ(world.read(started.id).version, 1u);
    EXPECT_EQ(world.history(started.id).size(), 1u);
}

TEST_F(EditState, AnEndedInstanceDoesNotChange) {
    world.run(op::Cancel{.cause = world.cause(), .instance = started.id});
    const auto ended = std::get<op::Ended>(edit(2, patch(R"({"n":2})")));
    EXPECT_EQ(ended.status, Status::cancelled);
    EXPECT_EQ(world.history(started.id).size(), 2u);
}

TEST_F(EditState, AFailedTestOfAPatchRefusesTheWholePatch) {
    const std::string text =
        R"([{"op":"replace","path":"/n","value":5},{"op":"test","path":"/n","value":6}])";
    const auto patch = *json::parse_patch(json_of(text));
    const auto refused = std::get<op::PatchRefused>(edit(1, op::JsonPatch{patch, document(text)}));
    EXPECT_EQ(refused.failure.kind, json::PatchFailure::Kind::test_failed);
    EXPECT_EQ(refused.failure.step, 1u);
    EXPECT_EQ(stored(), document(R"({"n":1,"a":{"x":1,"y":1}})"));
}

TEST_F(EditState, TheUserAndTheTimeOfTheLastEditAreKept) {
    const std::string user = "Ann Müller";
    Cause cause = world.cause();
    cause.caller.user = user;
    world.run(op::EditState{.cause = cause, .instance = started.id, .edit = patch(R"({"n":2})")});
    const Instance edited = world.read(started.id);
    EXPECT_EQ(edited.last_modified_by, user);
    EXPECT_GE(edited.last_modified_at, started.last_modified_at);
    EXPECT_EQ(world.history(started.id).back().cause.caller.user, user);
}

}  // namespace
}  // namespace holdfast::testing
