// The guarantees of a commit on every store: all or nothing, only changed rows, a known status (I7,
// I10, I12, I22).
#include <atomic>

#include "support/batch.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Commit : public ::testing::TestWithParam<const char*> {};

// Commits one round directly on the writer, to see its row count.
class Direct {
public:
    explicit Direct(World& world) : world_(world), writer_(*world.store->open_writer()) {}

    template <class Op>
    std::size_t rows(Op op) {
        Round round{.id = world_.ids.next<RoundId>(), .reads = {}};
        op::reads(op, round.reads);
        auto result = writer_->commit(round, [&](View& view) { op::decide(op, view); });
        EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
        return result ? std::get<Committed>(*result).rows : 0;
    }

private:
    World& world_;
    std::unique_ptr<Writer> writer_;
};

Instance with_activities(World& world, int count) {
    Instance instance{.id = world.ids.next<InstanceId>(), .definition = {"orders", 1}};
    for (int i = 0; i < count; ++i)
        instance.children.active.push_back({world.ids.next<ActivityInstanceId>(), "a"});
    return instance;
}

// Every change also writes the row of its round and a history row.
constexpr std::size_t fixed_rows = 2;

TEST_P(Commit, WritesOnlyTheRowsThatChanged) {
    World world(GetParam());
    Direct direct(world);
    Instance instance = with_activities(world, 10);
    EXPECT_EQ(direct.rows(op::Write{.cause = world.cause(), .instance = instance}),
              fixed_rows + 1 + 10);

    instance.children.completed.push_back(instance.children.active.back());
    instance.children.active.pop_back();
    EXPECT_EQ(direct.rows(op::Write{.cause = world.cause(), .instance = instance, .expected = 1}),
              fixed_rows + 1 + 1);

    EXPECT_EQ(direct.rows(op::Write{.cause = world.cause(), .instance = instance, .expected = 2}),
              fixed_rows + 1);
    EXPECT_EQ(direct.rows(op::Read{.cause = world.cause(), .instance = instance.id}), 0u);
    EXPECT_EQ(direct.rows(op::Write{.cause = world.cause(), .instance = instance, .expected = 2}),
              0u);
}

TEST_P(Commit, AFaultAfterEachStatementLeavesNothingOfTheRound) {
    std::atomic<std::size_t> fault_at = ~std::size_t{0};
    World world(GetParam(), {.fault = [&](std::size_t done) { return done == fault_at; }});
    world.define("orders");
    const Instance before = world.start("orders", R"({"n":1})");
    const auto history = world.history(before.id).size();
    op::EditState edit{.cause = {},
                       .instance = before.id,
                       .expected = before.version,
                       .edit = op::Replace{.state = document(R"({"n":2})")}};
    int faults = 0;
    for (std::size_t at = 0; at < 50; ++at) {
        fault_at = at;
        edit.cause = world.cause();
        const auto outcome = world.coordinator->submit(edit).get();
        fault_at = ~std::size_t{0};
        if (outcome) break;
        ++faults;
        EXPECT_EQ(outcome.error().code, ErrorCode::refused);
        EXPECT_EQ(world.read(before.id), before) << "fault " << at;
        EXPECT_EQ(world.history(before.id).size(), history) << "fault " << at;
    }
    EXPECT_GE(faults, 4);
    EXPECT_EQ(world.read(before.id).state, document(R"({"n":2})"));
}

TEST_P(Commit, ALostCommitIsLookedUpBeforeAnyoneIsAnswered) {
    std::atomic<int> losses = 0;
    World world(GetParam(), {.lose_commit = [&] { return losses-- > 0; }});
    world.define("orders");
    const Instance started = world.start("orders", R"({"n":0})");
    losses = 1;
    const auto outcome =
        world.run(op::EditState{.cause = world.cause(),
                                .instance = started.id,
                                .expected = 1,
                                .edit = op::Replace{.state = document(R"({"n":1})")}});
    EXPECT_EQ(std::get<op::Edited>(outcome).version, 2u);
    EXPECT_EQ(world.read(started.id).version, 2u);
    EXPECT_EQ(world.history(started.id).size(), 2u);
}

TEST_P(Commit, ARoundWhoseStatusIsNeverCannotCommitLater) {
    World world(GetParam());
    world.define("orders");
    auto writer = *world.store->open_writer();
    const RoundId settled = world.ids.next<RoundId>();
    EXPECT_EQ(*writer->commit_status(settled), CommitStatus::never);
    EXPECT_EQ(*writer->commit_status(settled), CommitStatus::never);
    if (world.place.kind() == "memory") return;
    op::Start start{.cause = world.cause(), .definition = "orders"};
    Round round{.id = settled, .reads = {}};
    op::reads(start, round.reads);
    const auto late = writer->commit(round, [&](View& view) { op::decide(start, view); });
    EXPECT_FALSE(late.has_value());
    EXPECT_FALSE(*world.store->ask(FindInstance{start.instance(), Depth::row}));
}

TEST_P(Commit, ARefusedRowDoesNotFailTheOtherOperations) {
    World world(GetParam());
    world.define("orders");
    std::vector<Operation> batch;
    for (int i = 0; i < 20; ++i)
        batch.push_back(op::Start{.cause = world.cause(),
                                  .definition = "orders",
                                  .business = {.key = std::string(i == 13 ? 300 : 10, 'k')}});
    const auto results = testing::submit_batch(*world.coordinator, std::move(batch)).get();
    ASSERT_EQ(results.size(), 20u);
    for (std::size_t i = 0; i < results.size(); ++i) {
        EXPECT_EQ(results[i].has_value(), i != 13) << i;
        if (i == 13) {
            EXPECT_EQ(results[i].error().code, ErrorCode::refused);
        }
    }
    EXPECT_EQ(world.store->ask(InstanceQuery{.limit = 100})->items.size(), 19u);
}

TEST_P(Commit, OfManyWritersWithOneExpectedVersionExactlyOneWins) {
    World world(GetParam());
    world.define("orders");
    const Instance started = world.start("orders", R"({"winner":null})");
    std::vector<std::future<Result<op::EditState::Outcome>>> answers;
    {
        std::vector<std::jthread> writers;
        std::mutex mutex;
        for (int i = 0; i < 64; ++i)
            writers.emplace_back([&, i] {
                auto answer = world.coordinator->submit(op::EditState{
                    .cause = world.cause(),
                    .instance = started.id,
                    .expected = 1,
                    .edit =
                        op::Replace{.state = Document::of(boost::json::object{{"winner", i}})}});
                const std::lock_guard lock(mutex);
                answers.push_back(std::move(answer));
            });
    }
    int won = 0;
    const Document after = world.read(started.id).state;
    for (auto& answer : answers) {
        const auto outcome = answer.get();
        ASSERT_TRUE(outcome.has_value());
        if (std::holds_alternative<op::Edited>(*outcome))
            ++won;
        else
            EXPECT_EQ(std::get<op::Stale>(*outcome).state, after);
    }
    EXPECT_EQ(won, 1);
    EXPECT_EQ(world.read(started.id).version, 2u);
    EXPECT_EQ(world.store->ask(ConflictQuery{.instance = started.id, .limit = 100})->items.size(),
              63u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Commit, all_stores(), store_name);

// The listeners and the store see the same difference, and no change is missing in it.
TEST_P(Commit, TheDifferenceIsTakenOnce) {
    World world(GetParam());
    world.define("orders");
    const Instance instance = world.start("orders", "{}");
    Round round{.id = world.ids.next<RoundId>(), .reads = {}};
    round.reads.instance(instance.id, Depth::document);
    const auto writer = *world.store->open_writer();
    const Changes* taken = nullptr;
    const auto result = writer->commit(round, [&](View& view) {
        view.save();
        view.edit(instance.id).paused = true;
        taken = &view.changes();
        EXPECT_EQ(view.touched().size(), 1u);
        EXPECT_FALSE(view.queued_signals().leased);
        EXPECT_EQ(&view.changes(), taken);
        EXPECT_DEATH(view.save(), "after the difference was taken");
    });
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_TRUE(world.read(instance.id).paused);
}

}  // namespace
}  // namespace holdfast::testing
