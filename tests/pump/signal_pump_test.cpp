// The pump without its thread: claimed signals when the store fails in between.
#include "pump/signals/signal_pump.h"

#include "program/flow.h"
#include "support/forwarding_store.h"
#include "support/manual_clock.h"
#include "support/pump_world.h"

namespace holdfast::testing {
namespace {

using std::chrono::seconds;

// Leases the signals but loses the result.
class LossyStore final : public ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;
    Result<Claimed> claim(const Claim& claim) override {
        ++claims;
        auto claimed = inner_.claim(claim);
        if (std::exchange(loses, false)) return fail(ErrorCode::outcome_unknown, "lost");
        return claimed;
    }
    bool loses = false;
    std::size_t claims = 0;
};

class Pumping : public ::testing::Test {
protected:
    Pumping()
        : ids(clock, 1),
          metrics(registry),
          pump_metrics(registry),
          memory(*open_store("memory:", {.clock = &clock})),
          store(*memory),
          coordinator(*Coordinator::open(*memory, ids, metrics)) {
        programs.add("orders", handler);
        run(op::Define{.key = "orders", .kind = "flow", .program = flow_program()});
        run(op::Define{.key = "letters"});
    }
    ~Pumping() override { coordinator->shutdown(); }

    template <class Op>
    typename Op::Outcome run(Op op) {
        op.cause = {.operation = ids.next<OperationId>()};
        return *coordinator->submit(std::move(op)).get();
    }
    InstanceId start(const std::string& key) {
        const auto outcome = run(op::Start{.definition = key,
                                           .state = document("{}"),
                                           .state_metadata = document("{}"),
                                           .arguments = document("{}")});
        return std::get<op::Started>(outcome).instance.id;
    }
    // One of several nodes on the store.
    struct Node {
        std::shared_ptr<WorkQueue> work_queue;
        std::unique_ptr<NodeLife> life;
        std::unique_ptr<SignalPump> pump;
    };
    Node node() {
        Node node;
        node.work_queue =
            WorkQueue::make(programs, {.at_once = 8,
                                       .post =
                                           [](WorkerPool::WorkItem& job) {
                                               job();
                                               return true;
                                           },
                                       .finished = [](const Work&, const Result<void>&) {}});
        node.work_queue->open();
        node.life = std::make_unique<NodeLife>(
            store, ids, pump_metrics,
            NodeLife::Options{.name = "node",
                              .lease = seconds(10),
                              .programs = programs.keys(),
                              .steady = [this] { return clock.steady(); }},
            [work_queue = node.work_queue](const NodeId& over) { work_queue->drop(over); });
        node.pump = std::make_unique<SignalPump>(
            SignalPump::Parts{store, ids, pump_metrics, *node.life, *node.work_queue, programs},
            settings,
            SignalPump::Operations{.handle =
                                       [this](std::vector<op::HandleSignal> operations) {
                                           handled += operations.size();
                                           if (fails > 0)
                                               --fails;
                                           else
                                               return coordinator->run_all(std::move(operations));
                                           return std::vector<Result<op::HandleSignal::Outcome>>(
                                               operations.size(),
                                               fail(ErrorCode::unavailable, "down"));
                                       },
                                   .bury =
                                       [this](std::vector<op::BurySignal> operations) {
                                           return coordinator->run_all(std::move(operations));
                                       }});
        return node;
    }
    SignalId enqueue(const InstanceId& id, const std::string& payload) {
        const auto signal = ids.next<SignalId>();
        run(op::EnqueueSignal{.signal = signal, .instance = id, .payload = document(payload)});
        return signal;
    }

    ManualClock clock;
    IdSource ids;
    prometheus::Registry registry;
    CoordinatorMetrics metrics;
    PumpMetrics pump_metrics;
    std::unique_ptr<Store> memory;
    LossyStore store;
    std::unique_ptr<Coordinator> coordinator;
    TestHandler handler;
    Programs programs;
    PumpSettings settings;
    std::size_t fails = 0;
    std::size_t handled = 0;
};

TEST_F(Pumping, ALostResultOfAClaimEndsTheLife) {
    start("orders");
    Node one = node();
    ASSERT_TRUE(one.life->join());
    const auto first = one.life->id();
    store.loses = true;
    EXPECT_FALSE(one.pump->look());
    EXPECT_EQ(one.work_queue->held(), 0U);
    ASSERT_TRUE(one.pump->look());
    EXPECT_NE(one.life->id(), first);
    const Work work = handler.seen(1)[0];
    EXPECT_EQ(work.attempts, 1U);
    EXPECT_EQ(work.lease.node, *one.life->id());
}

TEST_F(Pumping, SignalsThatTheStoreFailedOnAreProcessedWithTheNextLook) {
    const InstanceId id = start("letters");
    enqueue(id, R"({"event": "0190a5d2-0000-7000-8000-000000000001", "name": "a", "value": 1})");
    Node one = node();
    fails = 1;
    EXPECT_FALSE(one.pump->look());
    const auto looked = one.pump->look();
    ASSERT_TRUE(looked);
    EXPECT_FALSE(looked->next);
    EXPECT_EQ(handled, 2U);
    EXPECT_EQ(memory->ask(PendingEventQuery{{.target = id}})->items.size(), 1U);
}

TEST_F(Pumping, AnUndecodablePayloadBecomesADeadLetterAtOnce) {
    const SignalId signal = enqueue(start("letters"), R"({"nothing": "of use"})");
    Node one = node();
    ASSERT_TRUE(one.pump->look());
    const auto letter = *memory->ask(FindDeadLetter{signal});
    ASSERT_TRUE(letter);
    EXPECT_EQ(letter->reason, DeadLetterReason::undecodable);
    EXPECT_EQ(letter->signal.attempts, 1U);
}

TEST_F(Pumping, SignalsOfADeadNodeAreTakenOverWhenItsLeaseExpires) {
    start("orders");
    Node one = node();
    ASSERT_TRUE(one.pump->look());
    EXPECT_EQ(one.work_queue->held(), 1U);
    Node two = node();
    const auto looked = two.pump->look();
    ASSERT_TRUE(looked && looked->next);
    EXPECT_EQ(looked->next->in, seconds(10));
    EXPECT_EQ(two.work_queue->held(), 0U);
    clock.pass(seconds(5));
    ASSERT_TRUE(two.life->beat());
    clock.pass(seconds(6));
    ASSERT_TRUE(two.pump->look());
    EXPECT_EQ(two.work_queue->held(), 1U);
    EXPECT_EQ(handler.seen(2)[1].attempts, 2U);
}

TEST_F(Pumping, AScheduledSignalSetsTheTimeOfTheNextLook) {
    const InstanceId id = start("letters");
    run(op::EnqueueSignal{.signal = ids.next<SignalId>(),
                          .instance = id,
                          .payload = document(
                              R"({"event": "0190a5d2-0000-7000-8000-000000000002", "name": "a",
                                  "value": 1})"),
                          .after = seconds(7)});
    Node one = node();
    const auto looked = one.pump->look();
    ASSERT_TRUE(looked && looked->next);
    EXPECT_EQ(looked->next->in, seconds(7));
    EXPECT_EQ(handled, 0U);
    clock.pass(seconds(7));
    ASSERT_TRUE(one.pump->look());
    EXPECT_EQ(handled, 1U);
}

TEST_F(Pumping, AFullWorkQueueClaimsNothingThatNeedsAHandler) {
    for (int i = 0; i < 20; ++i) start("orders");
    Node one = node();
    const auto looked = one.pump->look();
    ASSERT_TRUE(looked);
    EXPECT_TRUE(looked->starved);
    EXPECT_EQ(one.work_queue->held(), 8U);
    EXPECT_EQ(handler.most_receivers(), 8U);
}

}  // namespace
}  // namespace holdfast::testing
