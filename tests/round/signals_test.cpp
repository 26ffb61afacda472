// Signals through the coordinator: enqueued once, handled once, moved to the dead letters byte for
// byte, redriven under the same id (004.1 to 004.7, I9, I18, I19, I41).
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Signals : public ::testing::TestWithParam<const char*> {
protected:
    Signals() : world(GetParam()) {
        world.define_program("checkout");
        world.define("orders");
        order = world.start("orders", "{}").id;
    }

    op::EnqueueSignal signal(const std::string& event, std::optional<TokenId> token = {}) {
        return {.cause = world.cause(),
                .signal = world.ids.next<SignalId>(),
                .instance = order,
                .token = token,
                .payload = document(R"({"event":")" + to_string(world.ids.next<EventId>()) +
                                    R"(","name":")" + event + R"(","value":7})")};
    }
    std::vector<SignalRow> claim() {
        return world.store->claim({.node = *world.self.node, .programs = {"checkout"}})->signals;
    }
    op::HandleSignal::Outcome handle(const SignalRow& row) {
        return world.run(op::HandleSignal{.cause = world.cause(),
                                          .instance = row.instance,
                                          .signal = row.id,
                                          .lease = {*row.leased_by, row.epoch}});
    }
    op::BurySignal::Outcome bury(const SignalRow& row, bool hold = false) {
        return world.run(op::BurySignal{.cause = world.cause(),
                                        .instance = row.instance,
                                        .signal = row.id,
                                        .lease = {*row.leased_by, row.epoch},
                                        .detail = "tried too often",
                                        .hold = hold});
    }
    TokenId sleep_for(const std::string& event) {
        const Instance instance = world.read(order);
        return std::get<op::Asleep>(world.run(op::Suspend{.cause = world.cause(),
                                                          .instance = order,
                                                          .run = {instance.run, instance.index, {}},
                                                          .wait = {.names = {event}}}))
            .token;
    }

    World world;
    InstanceId order;
};

TEST_P(Signals, AnExternalSignalEndsAWaitAndLeavesTheQueueInOneCommit) {
    sleep_for("paid");
    world.run(signal("paid"));
    const auto claimed = claim();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_EQ(claimed[0].attempts, 1u);
    EXPECT_TRUE(std::get<op::Handled>(handle(claimed[0])).woken);
    EXPECT_EQ(world.read(order).status, Status::running);
    EXPECT_TRUE(claim().empty());
    EXPECT_TRUE(std::holds_alternative<op::LeaseLost>(handle(claimed[0])));
}

TEST_P(Signals, ARepeatedIdChangesNothingHoweverLate) {
    const auto first = signal("paid");
    auto again = first;
    EXPECT_TRUE(std::holds_alternative<op::Enqueued>(world.run(first)));
    again.cause = world.cause();
    EXPECT_TRUE(std::holds_alternative<op::SignalRepeated>(world.run(again)));
    world.run(signal("paid"));
    for (int i = 0; i < 2; ++i)
        for (const SignalRow& row : claim()) handle(row);
    EXPECT_TRUE(std::holds_alternative<op::SignalRepeated>(world.run(again)));
    EXPECT_TRUE(claim().empty());
    EXPECT_EQ(world.store->ask(PendingEventQuery{{.target = order}})->items.size(), 2u);
}

TEST_P(Signals, ASignalWithAnOldTokenIsOnlyRemoved) {
    const TokenId old = sleep_for("paid");
    world.run(op::SendEvent{.cause = world.cause(),
                            .event = world.ids.next<EventId>(),
                            .event_name = "paid",
                            .target = order,
                            .value = document("1")});
    sleep_for("paid");
    world.run(signal("paid", old));
    const auto claimed = claim();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<op::StaleSignal>(handle(claimed[0])));
    EXPECT_EQ(world.read(order).status, Status::suspended);
    EXPECT_TRUE(claim().empty());
}

TEST_P(Signals, AnEditBetweenMakesNoSignalStale) {
    const TokenId token = sleep_for("paid");
    world.run(signal("paid", token));
    const Version version = world.read(order).version;
    world.run(op::EditState{.cause = world.cause(),
                            .instance = order,
                            .expected = version,
                            .edit = op::MergePatch{document(R"({"a":1})")}});
    const auto claimed = claim();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_TRUE(std::get<op::Handled>(handle(claimed[0])).woken);
}

TEST_P(Signals, ASignalThatIsNotDueYetIsScheduled) {
    auto later = signal("paid");
    later.after = std::chrono::hours(1);
    world.run(later);
    EXPECT_TRUE(claim().empty());
    auto now = signal("paid");
    now.after = std::chrono::microseconds(0);
    world.run(now);
    EXPECT_EQ(claim().size(), 1u);
}

TEST_P(Signals, ABuriedSignalKeepsItsBytesAndComesBackUnderItsId) {
    sleep_for("paid");
    const auto sent = signal("paid");
    world.run(sent);
    const auto claimed = claim();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<op::Buried>(bury(claimed[0])));
    EXPECT_TRUE(claim().empty());
    EXPECT_TRUE(world.read(order).incident);
    const auto letter = world.store->ask(FindDeadLetter{sent.signal});
    ASSERT_TRUE(letter && *letter);
    EXPECT_EQ((*letter)->signal.envelope, claimed[0].envelope);
    EXPECT_EQ((*letter)->signal.attempts, 1u);
    EXPECT_EQ((*letter)->detail, "tried too often");

    const op::RedriveDeadLetter redrive{.cause = world.cause(), .signal = sent.signal};
    EXPECT_TRUE(std::holds_alternative<op::Redriven>(world.run(redrive)));
    EXPECT_FALSE(world.read(order).incident);
    const auto again = claim();
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].id, sent.signal);
    EXPECT_EQ(again[0].envelope, claimed[0].envelope);
    EXPECT_EQ(again[0].attempts, 1u);
    EXPECT_TRUE(std::get<op::Handled>(handle(again[0])).woken);
    EXPECT_TRUE(std::holds_alternative<op::NotFound>(world.run(redrive)));
}

TEST_P(Signals, ABuriedContinuationLeavesAnIncidentUntilItIsRedriven) {
    world.self.node.reset();
    const InstanceId checkout = world.start("checkout", "{}").id;
    const NodeId node = world.ids.next<NodeId>();
    ASSERT_TRUE(world.store->join({node, "second", std::chrono::hours(1)}));
    const auto claim_it = [&] {
        return world.store->claim({.node = node, .programs = {"checkout"}})->signals;
    };
    const auto claimed = claim_it();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<op::Buried>(bury(claimed[0])));
    EXPECT_TRUE(world.read(checkout).incident);
    EXPECT_EQ(world.read(checkout).status, Status::running);
    EXPECT_TRUE(claim_it().empty());
    const auto letter = world.store->ask(FindDeadLetter{claimed[0].id});
    ASSERT_TRUE(letter && *letter);
    EXPECT_EQ(decode_envelope((*letter)->signal.envelope)->instance, checkout);

    const op::RedriveDeadLetter redrive{.cause = world.cause(), .signal = claimed[0].id};
    EXPECT_TRUE(std::holds_alternative<op::Redriven>(world.run(redrive)));
    EXPECT_FALSE(world.read(checkout).incident);
    const auto again = claim_it();
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].id, claimed[0].id);
    EXPECT_EQ(again[0].attempts, 1u);
}

TEST_P(Signals, AHeldSignalIsADeadLetterThatKeepsItsPlace) {
    sleep_for("paid");
    const auto first = signal("paid");
    world.run(first);
    world.run(signal("paid"));
    const auto claimed = claim();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<op::Held>(bury(claimed[0], true)));
    EXPECT_TRUE(world.read(order).incident);
    const auto letters = world.store->ask(DeadLetterQuery{.instance = order});
    ASSERT_EQ(letters->items.size(), 1u);
    EXPECT_EQ(letters->items[0].signal.id, first.signal);
    EXPECT_EQ(letters->items[0].signal.envelope, claimed[0].envelope);
    EXPECT_TRUE(claim().empty()) << "the second waits behind it";
    EXPECT_TRUE(std::holds_alternative<op::LeaseLost>(handle(claimed[0])));

    const op::RedriveDeadLetter redrive{.cause = world.cause(), .signal = first.signal};
    EXPECT_TRUE(std::holds_alternative<op::Redriven>(world.run(redrive)));
    EXPECT_FALSE(world.read(order).incident);
    EXPECT_FALSE(*world.store->ask(FindDeadLetter{first.signal}));
    const auto again = claim();
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].id, first.signal);
    EXPECT_EQ(again[0].attempts, 1u);
    EXPECT_GT(again[0].epoch, claimed[0].epoch);
    EXPECT_TRUE(std::get<op::Handled>(handle(again[0])).woken);
    EXPECT_EQ(claim().size(), 1u);
}

TEST_P(Signals, AHeldSignalThatIsRemovedLetsTheOthersPass) {
    world.run(signal("paid"));
    world.run(signal("paid"));
    const auto claimed = claim();
    ASSERT_EQ(claimed.size(), 1u);
    bury(claimed[0], true);
    const op::RemoveDeadLetter remove{.cause = world.cause(), .signal = claimed[0].id};
    EXPECT_TRUE(std::holds_alternative<op::LetterRemoved>(world.run(remove)));
    EXPECT_FALSE(*world.store->ask(FindDeadLetter{claimed[0].id}));
    const auto next = claim();
    ASSERT_EQ(next.size(), 1u);
    EXPECT_NE(next[0].id, claimed[0].id);
}

TEST_P(Signals, AContinuationThatIsHeldIsADeadLetterLikeOneThatIsMoved) {
    world.self.node.reset();
    const InstanceId checkout = world.start("checkout", "{}").id;
    const NodeId node = world.ids.next<NodeId>();
    ASSERT_TRUE(world.store->join({node, "second", std::chrono::hours(1)}));
    const auto claimed = world.store->claim({.node = node, .programs = {"checkout"}})->signals;
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<op::Buried>(bury(claimed[0], true)));
    EXPECT_TRUE(world.read(checkout).buried);
    EXPECT_EQ(world.store->ask(DeadLetterQuery{.instance = checkout})->items.size(), 1u);
    const op::RedriveDeadLetter redrive{.cause = world.cause(), .signal = claimed[0].id};
    EXPECT_TRUE(std::holds_alternative<op::Redriven>(world.run(redrive)));
    EXPECT_EQ(world.store->claim({.node = node, .programs = {"checkout"}})->signals.size(), 1u);
}

TEST_P(Signals, ADeadLetterCanBeRemoved) {
    world.run(signal("paid"));
    const auto claimed = claim();
    bury(claimed.at(0));
    const op::RemoveDeadLetter remove{.cause = world.cause(), .signal = claimed[0].id};
    EXPECT_TRUE(std::holds_alternative<op::LetterRemoved>(world.run(remove)));
    EXPECT_TRUE(std::holds_alternative<op::NotFound>(world.run(remove)));
    EXPECT_FALSE(*world.store->ask(FindDeadLetter{claimed[0].id}));
}

TEST_P(Signals, RemovingTheDeadLetterOfAContinuationFailsItsInstance) {
    world.self.node.reset();
    const InstanceId checkout = world.start("checkout", "{}").id;
    const NodeId node = world.ids.next<NodeId>();
    ASSERT_TRUE(world.store->join({node, "second", std::chrono::hours(1)}));
    const auto claimed = world.store->claim({.node = node, .programs = {"checkout"}})->signals;
    ASSERT_EQ(claimed.size(), 1u);
    bury(claimed[0]);
    ASSERT_TRUE(world.read(checkout).buried);
    EXPECT_TRUE(std::holds_alternative<op::LetterRemoved>(
        world.run(op::RemoveDeadLetter{.cause = world.cause(), .signal = claimed[0].id})));
    const Instance ended = world.read(checkout);
    EXPECT_EQ(ended.status, Status::failed);
    EXPECT_EQ(ended.last_error, "dead_letter_removed");
    EXPECT_EQ(ended.result->value().at("code"), "dead_letter_removed");
    EXPECT_EQ(world.history(checkout).back().type, HistoryType::failed);
}

TEST_P(Signals, AnEnvelopeIsAtMostSixtyFourKibibytes) {
    auto huge = signal("paid");
    huge.payload = document('"' + std::string(70'000, 'x') + '"');
    EXPECT_TRUE(std::holds_alternative<op::SignalTooLong>(world.run(huge)));
    EXPECT_TRUE(claim().empty());
}

TEST_P(Signals, AnUndecodableSignalBecomesADeadLetter) {
    auto odd = signal("paid");
    odd.payload = document(R"({"no":"event"})");
    world.run(odd);
    const auto claimed = claim();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_EQ(std::get<op::Buried>(handle(claimed[0])).reason, DeadLetterReason::undecodable);
    EXPECT_TRUE(*world.store->ask(FindDeadLetter{odd.signal}));
}

INSTANTIATE_TEST_SUITE_P(Stores, Signals, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
