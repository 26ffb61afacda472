// Users who change one task at the same time through two nodes on one database (000.12).
#include "support/task_world.h"

namespace holdfast::testing {
namespace {

class TaskRace : public ::testing::Test {
protected:
    TaskRace()
        : id(world.start_order()),
          ids(world.clock),
          metrics(registry),
          store(*open_store(world.place.url(), world.options)),
          other(*Coordinator::open(*store, ids, metrics, {})) {}
    ~TaskRace() override { other->shutdown(); }

    TaskWorld world{"postgres"};
    InstanceId id;
    IdSource ids;
    prometheus::Registry registry;
    CoordinatorMetrics metrics;
    std::unique_ptr<Store> store;
    std::unique_ptr<Coordinator> other;
};

TEST_F(TaskRace, OfClaimersOnTwoNodesOneWins) {
    for (int i = 0; i < 40; ++i) {
        const HumanTask task = world.create(id);
        auto ann = world.on<op::ClaimTask>(task, "ann");
        auto bob = world.on<op::ClaimTask>(task, "bob");
        ann.expected = bob.expected = 1;
        auto here = world.coordinator->submit(ann);
        auto there = other->submit(bob);
        int won = 0;
        for (auto* answer : {&here, &there}) {
            const auto outcome = answer->get();
            ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
            won += std::holds_alternative<op::TaskChanged>(*outcome);
            if (const auto* held = std::get_if<op::TaskHeld>(&*outcome)) {
                EXPECT_EQ(held->task, world.stored(task.id));
            }
        }
        EXPECT_EQ(won, 1);
        EXPECT_EQ(world.story(task.id), "created claimed");
    }
}

TEST_F(TaskRace, ATaskEndsOnceOnTwoNodes) {
    for (int i = 0; i < 20; ++i) {
        const HumanTask task = world.claim(world.create(id), "ann");
        const Version before = world.read(id).version;
        auto here = world.coordinator->submit(world.on<op::CompleteTask>(task, "ann"));
        auto there = other->submit(world.on<op::FailTask>(task, "ann"));
        const auto completed = here.get();
        const auto failed = there.get();
        ASSERT_TRUE(completed.has_value() && failed.has_value());
        EXPECT_NE(std::holds_alternative<op::TaskChanged>(*completed),
                  std::holds_alternative<op::TaskChanged>(*failed));
        EXPECT_EQ(world.events(task.id).size(), 3u);
        EXPECT_EQ(world.read(id).version, before + 1) << "notified once";
    }
}

}  // namespace
}  // namespace holdfast::testing
