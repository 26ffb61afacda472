// The same event id, sent to two targets at the same moment through two nodes on one PostgreSQL.
#include <latch>
#include <thread>

#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

// A second node on the world's database.
struct SecondNode {
    explicit SecondNode(MailWorld& world)
        : ids(world.clock),
          metrics(registry),
          store(*open_store(world.place.url(), {.clock = &world.clock})),
          coordinator(*Coordinator::open(*store, ids, metrics)) {}
    ~SecondNode() { coordinator->shutdown(); }

    IdSource ids;
    prometheus::Registry registry;
    CoordinatorMetrics metrics;
    std::unique_ptr<Store> store;
    std::unique_ptr<Coordinator> coordinator;
};

TEST(OneEventId, SentToTwoTargetsAtTheSameMomentIsAcceptedOnce) {
    constexpr int rounds = 150;
    MailWorld world("postgres");
    SecondNode other(world);
    world.define("orders");
    int accepted_twice = 0;
    int taken = 0;
    for (int i = 0; i < rounds; ++i) {
        const Event event = world.event("paid");
        // Every third pair of targets waits, in every third pair one does, in the others none.
        const std::array targets = {
            i % 3 < 2 ? world.suspended({.names = {"paid"}}).id : world.running(),
            i % 3 < 1 ? world.suspended({.names = {"paid"}}).id : world.running()};
        std::array<Coordinator*, 2> nodes = {world.coordinator.get(), other.coordinator.get()};
        std::latch both(2);
        std::array<bool, 2> accepted{};
        std::array<bool, 2> refused{};
        const auto send = [&](std::size_t n) {
            op::SendEvent op{.cause = {.operation = other.ids.next<OperationId>()}};
            op.event = event.id;
            op.event_name = event.name;
            op.target = targets[n];
            op.value = event.value;
            both.arrive_and_wait();
            const auto outcome = nodes[n]->submit(std::move(op)).get();
            ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
            const auto* delivered = std::get_if<op::Delivered>(&*outcome);
            accepted[n] = std::holds_alternative<op::Queued>(*outcome) ||
                          (delivered && delivered->to == targets[n]);
            refused[n] = std::holds_alternative<op::IdTaken>(*outcome);
        };
        {
            const std::jthread first([&] { send(0); });
            const std::jthread second([&] { send(1); });
        }
        const KnownEvent known = *world.store->ask(FindEvent{event.id});
        ASSERT_EQ(known.fates.size() + (known.queued ? 1 : 0), 1u) << "round " << i;
        accepted_twice += accepted[0] && accepted[1] ? 1 : 0;
        taken += refused[0] || refused[1] ? 1 : 0;
    }
    EXPECT_EQ(accepted_twice, 0);
    EXPECT_GT(taken, 0);
}

}  // namespace
}  // namespace holdfast::testing
