// Signals, continuations and dead letters as rounds on PostgreSQL write them.
#include "support/postgres_nodes.h"

namespace holdfast::postgres {
namespace {

TEST_F(PostgresNodes, OnlyTheOldestSignalOfAnInstanceIsClaimed) {
    const NodeId node = joined(*store_);
    const InstanceId id = started();
    std::vector<SignalId> sent;
    for (int i = 0; i < 3; ++i) {
        SignalRow row = signal();
        row.instance = id;
        row.enqueued_at += i * 1s;
        sent.push_back(enqueued(row).id);
    }
    const auto first = claim(*store_, node, {"order"});
    ASSERT_EQ(first.size(), 2u) << "and the continuation, which is independent of them";
    EXPECT_EQ(first[0].id, sent[0]);
    EXPECT_EQ(first[1].type, SignalType::internal_continue);
    EXPECT_TRUE(claim(*store_, node, {"order"}).empty());
    EXPECT_FALSE(store_->claim({node, {"order"}})->next) << "no other signal is claimable";
    ReadSet reads;
    reads.signal(sent[0]);
    round(reads, [&](View& view) {
        const KnownSignal known = view.signals().known(sent[0]);
        EXPECT_TRUE(known.lease_valid);
        view.signals().consume(*known.queued, view.now());
    });
    const auto second = claim(*store_, node, {"order"});
    ASSERT_EQ(second.size(), 1u);
    EXPECT_EQ(second[0].id, sent[1]);
}

TEST_F(PostgresNodes, ScheduledSignalsMoveWhenTheyAreDue) {
    const NodeId node = joined(*store_);
    const SignalRow due = signal();
    const SignalRow later = signal();
    round({}, [&](View& view) {
        view.signals().schedule({due, clock_.now() - 1s});
        view.signals().schedule({later, clock_.now() + 1h});
    });
    const auto claimed = store_->claim({node, {}});
    ASSERT_TRUE(claimed) << claimed.error().message;
    ASSERT_EQ(claimed->signals.size(), 1u);
    EXPECT_EQ(claimed->signals[0].id, due.id);
    EXPECT_EQ(claimed->signals[0].envelope, due.envelope);
    ASSERT_TRUE(claimed->next);
    EXPECT_GT(*claimed->next, claimed->now);
    EXPECT_EQ(count("schedule_queue"), 1u);
}

TEST_F(PostgresNodes, AContinuationFollowsItsInstance) {
    const NodeId node = joined(*store_);
    const InstanceId id =
        started([&](View& view) { view.set_self({.node = node, .programs = {"order"}}); });
    EXPECT_EQ(count("signal_queue where type = 'InternalContinue' and epoch = 1"), 1u);
    round(continuation_of(id), [&](View& view) {
        const KnownSignal* known = view.signals().continuation(id);
        ASSERT_TRUE(known);
        EXPECT_EQ(known->queued->leased_by, node);
        EXPECT_TRUE(known->lease_valid);
        EXPECT_EQ(view.find(id)->run_by, RunBy::node);
    });
    expire(node);
    round(continuation_of(id),
          [&](View& view) { EXPECT_FALSE(view.signals().continuation(id)->lease_valid); });
    end(id);
    EXPECT_EQ(count("signal_queue"), 0u);
    round(continuation_of(id), [&](View& view) { EXPECT_FALSE(view.signals().continuation(id)); });
}

TEST_F(PostgresNodes, AClearDeletesEverySignal) {
    const InstanceId id = started();
    SignalRow row = signal();
    row.instance = id;
    enqueued(row);
    SignalRow scheduled = signal();
    scheduled.instance = id;
    round({}, [&](View& view) { view.signals().schedule({scheduled, clock_.now() + 1h}); });
    round(continuation_of(id), [&](View& view) { view.clear(id, cause()); });
    EXPECT_EQ(count("signal_queue"), 0u);
    EXPECT_EQ(count("schedule_queue"), 0u);
}

TEST_F(PostgresNodes, DeadLettersKeepTheirBytesAndComeInPages) {
    std::vector<DeadLetter> letters;
    for (int i = 0; i < 3; ++i) {
        DeadLetter letter{.signal = enqueued(signal()), .detail = "why", .node = "node"};
        letter.signal.visible_at = letter.signal.enqueued_at;
        letter.at = clock_.now();
        ReadSet reads;
        reads.signal(letter.signal.id);
        round(reads, [&](View& view) { view.signals().bury(letter); });
        letters.push_back(letter);
    }
    EXPECT_EQ(count("signal_queue"), 0u);
    EXPECT_EQ(*store_->ask(FindDeadLetter{letters[1].signal.id}), letters[1]);
    const auto page = *store_->ask(DeadLetterQuery{.limit = 2});
    EXPECT_EQ(page.items, (std::vector{letters[0], letters[1]}));
    EXPECT_EQ(page.next, letters[1].signal.id);
    EXPECT_EQ(store_->ask(DeadLetterQuery{.after = page.next})->items, std::vector{letters[2]});
    EXPECT_TRUE(
        store_->ask(DeadLetterQuery{.reason = DeadLetterReason::undecodable})->items.empty());
    ReadSet reads;
    reads.signal(letters[0].signal.id);
    round(reads, [&](View& view) { view.signals().unbury(letters[0]); });
    EXPECT_FALSE(*store_->ask(FindDeadLetter{letters[0].signal.id}));
}

TEST_F(PostgresNodes, AnInstanceOfANewerHoldfastIsNotChanged) {
    const InstanceId id = started();
    script("update instances set snapshot_schema_version = 99");
    const auto done = writer_->commit({ids_.next<RoundId>(), continuation_of(id)}, [](View&) {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::refused);
    EXPECT_NE(done.error().message.find("99"), std::string::npos) << done.error().message;
}

TEST_F(PostgresNodes, TheJournalComesInOrderFromAnIndex) {
    const InstanceId id = started();
    script("insert into steps (instance_id, activity_index, name, result, value, at) select '" +
           to_string(id) + "', n, 's' || n, 'value', '{}', now() from generate_series(0, 9) n");
    script("insert into winning_conditions values ('" + to_string(id) + "', 4, 'event', 'paid')");
    const auto entries = *store_->journal_from(id, 3, 3);
    ASSERT_EQ(entries.size(), 3u);
    EXPECT_EQ(entries[0].step.name, "s3");
    ASSERT_TRUE(entries[1].winner);
    EXPECT_EQ(entries[1].winner->name, "paid");
    EXPECT_EQ(entries[2].step.index, 5u);
}

}  // namespace
}  // namespace holdfast::postgres
