// Signals and continuations on every store (004.1, 004.2, I18, I29, I41, I42, I47).
#include <algorithm>

#include "program/flow.h"
#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Signals : public ::testing::TestWithParam<const char*> {
protected:
    Signals() : world(GetParam()) {}

    static std::vector<SignalId> ids_of(const std::vector<SignalRow>& rows) {
        std::vector<SignalId> ids;
        for (const SignalRow& row : rows) ids.push_back(row.id);
        return ids;
    }

    SignalWorld world;
};

TEST_P(Signals, AProgramStartsWithItsContinuationLeasedToItsNode) {
    const NodeId node = world.join();
    const Instance instance = world.program({.node = node, .programs = {"program"}});
    const KnownSignal known = world.continuation(instance.id);
    ASSERT_TRUE(known.queued);
    EXPECT_EQ(known.queued->instance, instance.id);
    EXPECT_EQ(known.queued->type, SignalType::internal_continue);
    EXPECT_EQ(known.queued->program, "program");
    EXPECT_EQ(known.queued->leased_by, node);
    EXPECT_EQ(known.queued->epoch, 1u);
    EXPECT_EQ(known.queued->attempts, 1u);
    EXPECT_EQ(known.queued->envelope, "");
    EXPECT_TRUE(known.lease_valid);
    EXPECT_TRUE(world.claim(node, {"program"}).empty());
}

TEST_P(Signals, AContinuationIsFreeIfTheNodeLacksTheProgramOrCapacity) {
    const NodeId node = world.join();
    const Instance other = world.program({.node = node, .programs = {"another"}});
    const Instance busy = world.program({.node = node, .programs = {"program"}, .has_room = false});
    const Instance nobody = world.program();
    for (const Instance& instance : {other, busy, nobody}) {
        const KnownSignal known = world.continuation(instance.id);
        ASSERT_TRUE(known.queued);
        EXPECT_FALSE(known.queued->leased_by);
        EXPECT_FALSE(known.lease_valid);
        EXPECT_EQ(known.queued->attempts, 0u);
    }
    EXPECT_TRUE(world.claim(node).empty());
    EXPECT_EQ(world.claim(node, {"program"}).size(), 3u);
}

TEST_P(Signals, AContinuationIsDeletedOnSuspendAndEndAndInsertedOnWake) {
    const NodeId node = world.join();
    const Self self{.node = node, .programs = {"program"}};
    const Instance instance = world.program(self);
    const SignalId first = world.continuation(instance.id).queued->id;
    world.suspend(instance.id);
    EXPECT_FALSE(world.continuation(instance.id).queued);
    EXPECT_TRUE(world.known(first).empty());
    world.wake(instance.id, self);
    ASSERT_TRUE(world.continuation(instance.id).queued);
    EXPECT_NE(world.continuation(instance.id).queued->id, first);
    world.change(instance.id, [&](View& view, Instance& changed) {
        changed.status = Status::succeeded;
        changed.completed_at = view.now();
    });
    EXPECT_FALSE(world.continuation(instance.id).queued);
}

TEST_P(Signals, AnInstanceHasOneContinuation) {
    const Instance instance = world.program();
    world.suspend(instance.id);
    SignalRow stray = world.signal(instance.id, world.past(1min));
    stray.id = SignalId{derive(instance.id.value, 1'000)};
    stray.type = SignalType::internal_continue;
    world.enqueued(stray);
    ReadSet reads;
    reads.instance(instance.id, Depth::whole);
    const auto done = world.writer->commit({world.ids.next<RoundId>(), reads}, [&](View& view) {
        Instance& changed = view.edit(instance.id);
        changed.status = Status::running;
        changed.waits.clear();
    });
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().code, ErrorCode::refused);
    EXPECT_EQ((*world.store->ask(FindInstance{instance.id, Depth::row}))->instance.status,
              Status::suspended);
}

TEST_P(Signals, ProgressResetsTheAttemptsToOne) {
    const NodeId node = world.join();
    const Instance instance = world.program();
    for (int i = 0; i < 3; ++i) {
        const auto claimed = world.claim(node, {"program"});
        ASSERT_EQ(claimed.size(), 1u);
        ASSERT_TRUE(
            world.store->give_back(claimed[0].id, {node, claimed[0].epoch}, 0us).has_value());
    }
    EXPECT_EQ(world.continuation(instance.id).queued->attempts, 3u);
    world.change(instance.id, [&](View& view, Instance&) { view.progress(instance.id); });
    EXPECT_EQ(world.continuation(instance.id).queued->attempts, 1u);
    EXPECT_EQ(world.continuation(instance.id).queued->epoch, 3u);
}

TEST_P(Signals, ALeaseIsValidUntilItsNodeLeaves) {
    const NodeId node = world.join();
    const Instance instance = world.program({.node = node, .programs = {"program"}});
    EXPECT_TRUE(world.continuation(instance.id).lease_valid);
    ASSERT_TRUE(world.store->leave(node).has_value());
    EXPECT_FALSE(world.continuation(instance.id).lease_valid);
    const NodeId next = world.join("b");
    const auto claimed = world.claim(next, {"program"});
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_EQ(claimed[0].leased_by, next);
    EXPECT_EQ(claimed[0].epoch, 2u);
    EXPECT_EQ(claimed[0].attempts, 1u);
}

TEST_P(Signals, OnlyTheSignalsOfTheReadSetAreLoaded) {
    const InstanceId id = world.running();
    SignalRow row = world.signal(id, world.past(1min), "{\"a\":1}");
    row.program = "program";
    EXPECT_TRUE(world.known(row.id).empty());
    world.enqueued(row);
    EXPECT_EQ(world.known(row.id).queued, row);
    EXPECT_TRUE(world.known(world.ids.next<SignalId>()).empty());
    EXPECT_FALSE(world.continuation(id).queued);
}

TEST_P(Signals, AConsumedSignalStaysKnownForItsInstance) {
    const InstanceId id = world.running();
    const SignalRow row = world.enqueued(id);
    ReadSet reads;
    reads.signal(row.id);
    const auto consume = [&] {
        world.round(reads, [&](View& view) { view.signals().consume(row, view.now()); });
    };
    consume();
    EXPECT_FALSE(world.known(row.id).queued);
    EXPECT_TRUE(world.known(row.id).processed);
    consume();  // a repeat changes nothing
    EXPECT_TRUE(world.known(row.id).processed);
}

TEST_P(Signals, AScheduledSignalIsClaimedOnceItIsDue) {
    const NodeId node = world.join();
    const InstanceId id = world.running();
    const Moment now = *world.store->ask(FindTime{});
    const ScheduledSignal due{world.signal(id, now - 1h), now - 1min};
    const ScheduledSignal later{world.signal(id, now - 2h), now + 1h};
    world.round(ReadSet{}, [&](View& view) {
        view.signals().schedule(due);
        view.signals().schedule(later);
    });
    EXPECT_EQ(world.known(later.signal.id).scheduled->due_at, later.due_at);
    EXPECT_EQ(world.known(later.signal.id).scheduled->signal.envelope, "{}");
    const auto claimed = world.store->claim({node, {}, 64});
    ASSERT_TRUE(claimed) << claimed.error().message;
    EXPECT_EQ(ids_of(claimed->signals), std::vector{due.signal.id});
    EXPECT_EQ(claimed->next, later.due_at);
    EXPECT_FALSE(world.known(due.signal.id).scheduled);
    EXPECT_EQ(world.known(due.signal.id).queued->leased_by, node);
}

TEST_P(Signals, TheOldestAreClaimedFirstAndOneOfEachInstance) {
    const NodeId node = world.join();
    const InstanceId a = world.running();
    const InstanceId b = world.running();
    const SignalRow a2 = world.enqueued(world.signal(a, world.past(2min)));
    const SignalRow b1 = world.enqueued(world.signal(b, world.past(3min)));
    const SignalRow a1 = world.enqueued(world.signal(a, world.past(4min)));
    const SignalRow b2 = world.enqueued(world.signal(b, world.past(1min)));
    const auto claimed = world.claim(node);
    EXPECT_EQ(ids_of(claimed), (std::vector{a1.id, b1.id}));
    EXPECT_TRUE(world.claim(node).empty());
    ReadSet reads;
    reads.signal(a1.id);
    world.round(reads, [&](View& view) { view.signals().consume(a1, view.now()); });
    EXPECT_EQ(ids_of(world.claim(node)), std::vector{a2.id});
}

TEST_P(Signals, AContinuationDoesNotTakePartInTheOrderOfSignals) {
    const NodeId node = world.join();
    const Instance instance = world.program();
    const SignalRow first = world.enqueued(world.signal(instance.id, world.past(2min)));
    world.enqueued(world.signal(instance.id, world.past(1min)));
    const auto claimed = world.claim(node, {"program"});
    EXPECT_EQ(ids_of(claimed), (std::vector{first.id, world.continuation(instance.id).queued->id}));
}

TEST_P(Signals, AClaimRespectsItsLimitAndReportsTheRest) {
    const NodeId node = world.join();
    std::vector<SignalId> expected;
    for (int i = 0; i < 5; ++i)
        expected.push_back(
            world.enqueued(world.signal(world.running(), world.past(1h - i * 1min))).id);
    const auto some = world.store->claim({node, {}, 3});
    ASSERT_TRUE(some) << some.error().message;
    EXPECT_EQ(ids_of(some->signals), (std::vector{expected[0], expected[1], expected[2]}));
    ASSERT_TRUE(some->next);
    EXPECT_LE(*some->next, some->now);
    const auto rest = world.store->claim({node, {}, 3});
    EXPECT_EQ(rest->signals.size(), 2u);
    EXPECT_FALSE(rest->next);
}

TEST_P(Signals, OnlyNodesThatHaveTheProgramClaimIt) {
    const NodeId node = world.join();
    SignalRow row = world.signal(world.running(), world.past(1min));
    row.program = "it's \"odd\"";
    world.enqueued(row);
    EXPECT_TRUE(world.claim(node, {"other"}).empty());
    EXPECT_FALSE(world.store->claim({node, {"other"}, 64})->next);
    EXPECT_EQ(world.claim(node, {"other", *row.program}).size(), 1u);
}

TEST_P(Signals, AReturnedSignalWaitsForItsPauseAndAnOlderEpochChangesNothing) {
    const NodeId node = world.join();
    const SignalRow row = world.enqueued(world.running());
    ASSERT_EQ(world.claim(node).size(), 1u);
    ASSERT_TRUE(world.store->give_back(row.id, {node, 1}, 0us).has_value());
    const auto again = world.claim(node);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].epoch, 2u);
    EXPECT_EQ(again[0].attempts, 2u);
    ASSERT_TRUE(world.store->give_back(row.id, {node, 1}, 0us).has_value());
    EXPECT_EQ(world.known(row.id).queued->leased_by, node);
    ASSERT_TRUE(world.store->give_back(row.id, {node, 2}, 1h).has_value());
    const auto paused = world.store->claim({node, {}, 64});
    EXPECT_TRUE(paused->signals.empty());
    ASSERT_TRUE(paused->next);
    EXPECT_GT(*paused->next, paused->now);
}

TEST_P(Signals, ANodeThatNeverJoinedClaimsNothing) {
    world.enqueued(world.running());
    EXPECT_TRUE(world.claim(world.ids.next<NodeId>()).empty());
}

TEST_P(Signals, ADeadLetterKeepsItsBytes) {
    const InstanceId id = world.running();
    const SignalRow row =
        world.enqueued(id, std::string("\x00\xff\xfe{\"broken\":\xc3\x28\x00", 17));
    world.bury(row);
    EXPECT_FALSE(world.known(row.id).queued);
    ASSERT_TRUE(world.known(row.id).dead);
    const auto letter = *world.store->ask(FindDeadLetter{row.id});
    ASSERT_TRUE(letter);
    EXPECT_EQ(letter->signal.envelope, row.envelope);
    EXPECT_EQ(letter->signal.instance, id);
    EXPECT_EQ(letter->signal.enqueued_at, row.enqueued_at);
    EXPECT_EQ(letter->reason, DeadLetterReason::undecodable);
    EXPECT_EQ(letter->detail, "not JSON");
    EXPECT_EQ(letter->node, "a");
    EXPECT_FALSE(*world.store->ask(FindDeadLetter{world.ids.next<SignalId>()}));
}

TEST_P(Signals, ADeadLetterMayBeRedrivenAndBuriedAgainInOneRound) {
    const SignalRow row = world.enqueued(world.running());
    world.bury(row);
    ReadSet reads;
    reads.signal(row.id);
    world.round(reads, [&](View& view) {
        view.signals().unbury(*view.signals().known(row.id).dead);
        view.signals().enqueue(row);
    });
    EXPECT_TRUE(world.known(row.id).queued);
    EXPECT_FALSE(world.known(row.id).dead);
    world.bury(row);
    DeadLetter later = world.letter(row);
    later.detail = "again";
    world.round(reads, [&](View& view) {
        view.signals().unbury(*view.signals().known(row.id).dead);
        view.signals().enqueue(row);
        view.signals().bury(later);
    });
    EXPECT_EQ((*world.store->ask(FindDeadLetter{row.id}))->detail, "again");
}

TEST_P(Signals, DeadLettersComeInPagesByReasonAndInstance) {
    const InstanceId id = world.running();
    std::vector<SignalId> all;
    for (int i = 0; i < 5; ++i) {
        const SignalRow row = world.enqueued(i < 3 ? id : world.running());
        world.bury(row);
        all.push_back(row.id);
    }
    std::ranges::sort(all);
    std::vector<SignalId> seen;
    DeadLetterQuery query{.limit = 2};
    do {
        const auto page = *world.store->ask(query);
        for (const DeadLetter& letter : page.items) seen.push_back(letter.signal.id);
        query.after = page.next;
    } while (query.after);
    EXPECT_EQ(seen, all);
    EXPECT_EQ(world.store->ask(DeadLetterQuery{.instance = id})->items.size(), 3u);
    EXPECT_EQ(
        world.store->ask(DeadLetterQuery{.reason = DeadLetterReason::undecodable})->items.size(),
        5u);
    EXPECT_TRUE(world.store->ask(DeadLetterQuery{.reason = DeadLetterReason::missing_instance})
                    ->items.empty());
}

TEST_P(Signals, AFanOutReachesEveryWaiterOfThatName) {
    constexpr std::size_t waiters = 1'000;
    std::vector<Instance> sleepers;
    ReadSet reads;
    for (std::size_t i = 0; i < waiters; ++i) {
        Instance instance = world.fresh_instance();
        instance.status = Status::suspended;
        instance.waits = {world.waiting({.names = {"all", "more"}})};
        reads.instance(instance.id, Depth::whole);
        sleepers.push_back(std::move(instance));
    }
    world.round(reads, [&](View& view) {
        for (const Instance& instance : sleepers) MailWorld::insert(view, instance, world.cause());
    });
    world.suspended({.names = {"other"}});
    const NodeId node = world.join();
    const auto operation = world.ids.next<OperationId>();
    const EnvelopeParts envelope = *encode_parts({.payload = document(R"({"n":1})")});
    for (int repeat = 0; repeat < 2; ++repeat)
        world.round(ReadSet{}, [&](View& view) {
            view.signals().fan_out({.to = SignalChanges::Awaiting{channel("all")},
                                    .envelope = envelope,
                                    .operation = operation,
                                    .at = view.now()});
        });
    const auto claimed = world.claim(node, {}, 2 * waiters);
    ASSERT_EQ(claimed.size(), waiters);
    std::set<InstanceId> reached;
    for (const SignalRow& row : claimed) {
        EXPECT_EQ(row.type, SignalType::external_signal);
        const auto decoded = decode_envelope(row.envelope);
        ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
        EXPECT_EQ(decoded->id, row.id);
        EXPECT_EQ(decoded->instance, row.instance);
        EXPECT_EQ(decoded->payload, document(R"({"n":1})"));
        EXPECT_EQ(row.id, fan_out_id(operation, decoded->token->value));
        EXPECT_FALSE(row.program);
        reached.insert(row.instance);
    }
    EXPECT_EQ(reached.size(), waiters);
}

TEST_P(Signals, AClearDeletesAllSignalsOfAnInstance) {
    const NodeId node = world.join();
    const Instance instance = world.program({.node = node, .programs = {"program"}});
    const InstanceId id = instance.id;
    const SignalId continuation = world.continuation(id).queued->id;
    const SignalRow queued = world.enqueued(id);
    const SignalRow done = world.enqueued(id);
    const ScheduledSignal scheduled{world.signal(id, world.past(1h)), world.past(-1h)};
    ReadSet reads;
    reads.signal(done.id);
    world.round(reads, [&](View& view) {
        view.signals().consume(done, view.now());
        view.signals().schedule(scheduled);
    });
    const SignalRow late = world.signal(id, world.past(1min));
    world.round(id, [&](View& view) {
        view.signals().enqueue(late);
        view.clear(id, world.cause());
    });
    for (const SignalId& signal : {continuation, queued.id, done.id, scheduled.signal.id, late.id})
        EXPECT_TRUE(world.known(signal).empty());
    EXPECT_TRUE(world.claim(node, {"program"}).empty());
}

TEST_P(Signals, AnInstanceThatIsClearedAndStartedAgainHasItsOwnContinuation) {
    const Instance instance = world.program();
    world.round(instance.id, [&](View& view) {
        view.clear(instance.id, world.cause());
        MailWorld::insert(view, instance, world.cause());
    });
    ASSERT_TRUE(world.continuation(instance.id).queued);
    EXPECT_EQ(world.claim(world.join(), {"program"}).size(), 1u);
}

TEST_P(Signals, TheProgramOfAnInstanceIsStored) {
    Instance instance = world.fresh_program();
    instance.program = {
        .rollback = true,
        .retry = Retry{.index = 3, .attempts = {{document("\"down\""), world.past(1min)}}}};
    instance.buried = true;
    world.round(instance.id, [&](View& view) { MailWorld::insert(view, instance, world.cause()); });
    const auto stored = [&](const InstanceId& id) {
        return (*world.store->ask(FindInstance{id, Depth::row}))->instance;
    };
    EXPECT_EQ(stored(instance.id).program, instance.program);
    EXPECT_TRUE(stored(instance.id).buried);
    EXPECT_EQ(stored(instance.id).run_by, RunBy::node);
    world.change(instance.id, [](View&, Instance& changed) {
        changed.program = {.unwinding = true};
        changed.buried = false;
        changed.run_by = RunBy::rounds;
    });
    EXPECT_EQ(stored(instance.id).program, (ProgramState{.unwinding = true}));
    EXPECT_FALSE(stored(instance.id).buried);
    EXPECT_EQ(stored(instance.id).run_by, RunBy::rounds);
    EXPECT_EQ(stored(world.running()).run_by, RunBy::outside);
}

TEST_P(Signals, KindAndRetentionOfADefinitionAreStored) {
    Definition definition{.ref = {"kept", 1},
                          .kind = "flow",
                          .source = "co_return",
                          .retention = {.keep_for = 48h, .stale_after = 90min}};
    definition.program = flow_program();
    definition.created_at = world.past(1min);
    definition.checksum = content_checksum(definition);
    ReadSet reads;
    reads.definition({"default", "kept"});
    world.round(reads,
                [&](View& view) { view.add(std::make_shared<const Definition>(definition)); });
    const auto found = *world.store->ask(FindDefinition{{"kept", 1}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, "flow");
    EXPECT_EQ(found->source, "co_return");
    EXPECT_TRUE(found->program);
    EXPECT_EQ(found->retention, definition.retention);
    world.define("plain");
    EXPECT_EQ((*world.store->ask(FindDefinition{{"plain", 0}}))->kind, "outside");
    EXPECT_EQ((*world.store->ask(FindDefinition{{"plain", 0}}))->retention, holdfast::Retention{});
}

INSTANTIATE_TEST_SUITE_P(Stores, Signals, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
