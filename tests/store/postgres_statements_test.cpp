// A round sends as many statements for 256 operations as for one.
#include <gtest/gtest.h>

#include "base/ids/id_source.h"
#include "base/json/parse.h"
#include "operations/operation.h"
#include "store/postgres/store.h"
#include "support/private_postgres.h"

namespace holdfast::postgres {
namespace {

using namespace std::chrono_literals;

class StatementsOfARound : public ::testing::Test {
protected:
    StatementsOfARound() {
        server_.create_database("counted");
        counter_ = *Connection::open({server_.url("counted"), 30s}, Role::maintenance);
        EXPECT_TRUE(counter_->script("create extension pg_stat_statements"));
        StoreOptions options;
        options.clock = &clock_;
        store_ = *open_postgres(server_.url("counted"), options);
        writer_ = *store_->open_writer();
    }

    // Since the last reset(), except begin, commit and rollback: there is one of each, and the
    // extension counts a prepared one only the first time.
    std::uint64_t calls() {
        counter_->queue_once(
            "select coalesce(sum(calls), 0)::bigint from pg_stat_statements s "
            "join pg_database d on d.oid = s.dbid where d.datname = 'counted' "
            "and query not like '%pg_stat_statements%' and query not ilike 'select set_config%'");
        return counter_->exchange()->back()[0].int8();
    }
    void reset() { ASSERT_TRUE(counter_->script("select pg_stat_statements_reset()")); }

    std::uint64_t statements_of(const ReadSet& reads, const Decide& decide) {
        reset();
        const auto done = writer_->commit({ids_.next<RoundId>(), reads}, decide);
        EXPECT_TRUE(done) << done.error().message;
        return calls();
    }

    std::vector<InstanceId> some_ids(std::size_t count) {
        std::vector<InstanceId> made;
        for (std::size_t i = 0; i < count; ++i) made.push_back(ids_.next<InstanceId>());
        return made;
    }

    static Document document(std::string_view text) { return Document::of(*json::parse(text)); }
    Cause cause() { return {.operation = ids_.next<OperationId>()}; }

    // One client's start: row, documents, children, answer and history.
    void start(View& view, const InstanceId& id) {
        Instance fresh;
        fresh.id = id;
        fresh.definition = {"order", 0};
        fresh.created_at = fresh.last_modified_at = view.now();
        fresh.state = document(R"({"currentStep":"pay"})");
        fresh.children.active = {{ids_.next<ActivityInstanceId>(), "pay"}};
        fresh.children.variables = {{ids_.next<ScopeId>(), document(R"({"n":1})")}};
        Instance& instance = view.insert(std::move(fresh));
        view.accept(
            instance,
            {.type = HistoryType::started, .payload = instance.state.text(), .cause = cause()});
        view.put(KeyedOutcome{.key = {"default", to_string(id)},
                              .outcome = "{}",
                              .operation = ids_.next<OperationId>(),
                              .at = view.now()});
    }

    // One client's edit: everything that an existing instance can have written.
    void edit(View& view, const InstanceId& id) {
        Instance& instance = view.edit(id);
        instance.state = document(R"({"currentStep":"ship"})");
        instance.children.completed = std::exchange(instance.children.active, {});
        instance.children.active = {{ids_.next<ActivityInstanceId>(), "ship"}};
        instance.children.variables.clear();
        view.accept(instance, {.type = HistoryType::state_changed,
                               .payload = instance.state.text(),
                               .cause = cause()});
        view.put(Checkpoint{.instance = id,
                            .name = "shipped",
                            .version = instance.version,
                            .state = instance.state,
                            .created_at = view.now()});
        view.add(ConflictRow{.id = ids_.next<OperationId>(),
                             .instance = id,
                             .expected = 1,
                             .actual = 2,
                             .paths = {"/currentStep"},
                             .at = view.now()});
    }

    ReadSet starts(const std::vector<InstanceId>& ids) {
        ReadSet reads;
        reads.definition({"default", "order"});
        for (const InstanceId& id : ids) {
            reads.instance(id, Depth::row, Past::looked_up);
            reads.answer({"default", to_string(id)});
        }
        return reads;
    }
    ReadSet edits(const std::vector<InstanceId>& ids) {
        ReadSet reads;
        for (const InstanceId& id : ids) {
            reads.instance(id, Depth::whole);
            reads.state_at(id, 1);
            reads.checkpoint(id, "shipped");
        }
        return reads;
    }

    // One round of these operations; every one of them must be decided at once.
    template <class Op>
    std::uint64_t statements_of(const std::vector<Op>& ops) {
        ReadSet reads;
        for (const Op& op : ops) op::reads(op, reads);
        return statements_of(reads, [&](View& view) {
            for (const Op& op : ops) {
                const auto decided = op::decide(op, view);
                if constexpr (requires { decided.has_value(); }) {
                    ASSERT_TRUE(decided.has_value());
                }
            }
        });
    }
    template <class Make>
    auto for_each(const std::vector<InstanceId>& ids, Make make) {
        std::vector<decltype(make(ids.front(), std::string()))> ops;
        for (const InstanceId& id : ids) ops.push_back(make(id, "name-" + to_string(id)));
        return ops;
    }
    void start_all(const std::vector<InstanceId>& ids) {
        statements_of(starts(ids), [&](View& view) {
            for (const InstanceId& id : ids) start(view, id);
        });
    }

    SystemClock clock_;
    IdSource ids_{clock_};
    testing::PrivatePostgres server_{{.settings = {"pg_stat_statements.track_utility=off"}}};
    std::unique_ptr<Connection> counter_;
    std::unique_ptr<Store> store_;
    std::unique_ptr<Writer> writer_;
};

TEST_F(StatementsOfARound, AreAsManyForManyOperationsAsForOne) {
    std::vector<std::uint64_t> for_starts;
    std::vector<std::uint64_t> for_edits;
    for (const std::size_t count : {1, 16, 256}) {
        const auto ids = some_ids(count);
        for_starts.push_back(statements_of(starts(ids), [&](View& view) {
            for (const InstanceId& id : ids) start(view, id);
        }));
        for_edits.push_back(statements_of(edits(ids), [&](View& view) {
            for (const InstanceId& id : ids) edit(view, id);
        }));
    }
    // Lock, lineages, definitions, answers, clock; round, instances, operations, documents,
    // activities, variables, history.
    EXPECT_EQ(for_starts, (std::vector<std::uint64_t>{12, 12, 12}));
    // Lock, documents, four child tables, states, checkpoints, clock; round, instances, documents,
    // activities inserted and updated, variables deleted, checkpoints, history, conflicts.
    EXPECT_EQ(for_edits, (std::vector<std::uint64_t>{18, 18, 18}));
}

using Counts = std::vector<std::uint64_t>;

TEST_F(StatementsOfARound, AreAsManyForManyWaitsAndEventsAsForOne) {
    Counts for_suspends;
    Counts for_broadcasts;
    Counts for_queued;
    Counts for_taken;
    const auto awaited = some_ids(1);
    start_all(awaited);
    for (const std::size_t count : {1, 16, 256}) {
        const auto ids = some_ids(count);
        start_all(ids);
        const auto suspend = [&](std::uint64_t index) {
            return for_each(ids, [&, index](const InstanceId& id, const std::string& name) {
                return op::Suspend{
                    .cause = cause(),
                    .instance = id,
                    .run = {1, index},
                    .wait = {.names = {name}, .until = clock_.now() + 1h, .workflows = awaited}};
            });
        };
        const auto send = [&](bool targeted) {
            return for_each(ids, [&, targeted](const InstanceId& id, const std::string& name) {
                op::SendEvent op{
                    .cause = cause(), .event = ids_.next<EventId>(), .event_name = name};
                if (targeted) op.target = id;
                return op;
            });
        };
        for_suspends.push_back(statements_of(suspend(0)));
        for_broadcasts.push_back(statements_of(send(false)));
        for_queued.push_back(statements_of(send(true)));
        for_taken.push_back(statements_of(suspend(1)));
    }
    // New names, names, lock, inboxes, broadcasts, journal, clock; round, instances, waits,
    // completion waits, timers, history.
    EXPECT_EQ(for_suspends, (Counts{13, 13, 13}));
    // Names, lock with the waiters, waits, sizes, known events, fates, clock; lock and check
    // of the event ids, round, instances, waits, completion waits, timers, steps, winners, fates,
    // history.
    EXPECT_EQ(for_broadcasts, (Counts{18, 18, 18}));
    // Lock, sizes, known events, fates, clock; lock and check of the event ids, round, instances,
    // pending events.
    EXPECT_EQ(for_queued, (Counts{10, 10, 10}));
    // Names, lock, inboxes, broadcasts, journal, clock; round, instances, steps, winners, pending
    // events, fates, history.
    EXPECT_EQ(for_taken, (Counts{13, 13, 13}));
}

TEST_F(StatementsOfARound, AreAsManyForManyStepsAndEndsAsForOne) {
    Counts for_steps;
    Counts for_cancels;
    Counts for_ends;
    for (const std::size_t count : {1, 16, 256}) {
        const auto ids = some_ids(count);
        const auto others = some_ids(count);
        start_all(ids);
        start_all(others);
        for_steps.push_back(
            statements_of(for_each(ids, [&](const InstanceId& id, const std::string& name) {
                return op::RecordStep{
                    .cause = cause(), .instance = id, .run = {1, 0}, .step_name = name};
            })));
        for_ends.push_back(
            statements_of(for_each(ids, [&](const InstanceId& id, const std::string&) {
                return op::Finish{.cause = cause(), .instance = id, .run = {1, 1}};
            })));
        for_cancels.push_back(
            statements_of(for_each(others, [&](const InstanceId& id, const std::string&) {
                return op::Cancel{.cause = cause(), .instance = id};
            })));
    }
    // Lock, journal, clock; round, instances, steps, history.
    EXPECT_EQ(for_steps, (Counts{7, 7, 7}));
    // Lock with the waiters, completion waits, inboxes, open tasks, clock; round, instances,
    // documents, history.
    EXPECT_EQ(for_ends, (Counts{9, 9, 9}));
    // The same with documents and children to load.
    EXPECT_EQ(for_cancels, (Counts{11, 11, 11}));
}

TEST_F(StatementsOfARound, AreAsManyForManySignalsAsForOne) {
    Counts for_sent;
    Counts for_consumed;
    for (const std::size_t count : {1, 16, 256}) {
        std::vector<SignalRow> rows;
        ReadSet reads;
        for (std::size_t i = 0; i < count; ++i) {
            rows.push_back({.id = ids_.next<SignalId>(),
                            .instance = ids_.next<InstanceId>(),
                            .enqueued_at = clock_.now(),
                            .visible_at = clock_.now()});
            reads.signal(rows.back().id);
        }
        for_sent.push_back(statements_of(reads, [&](View& view) {
            for (const SignalRow& row : rows) view.signals().enqueue(row);
        }));
        for_consumed.push_back(statements_of(reads, [&](View& view) {
            for (const SignalRow& row : rows) view.signals().consume(row, view.now());
        }));
    }
    // Queue, live nodes, schedule, dead letters, processed, clock; round, signals.
    EXPECT_EQ(for_sent, (Counts{8, 8, 8}));
    // The same; round, signals, processed.
    EXPECT_EQ(for_consumed, (Counts{9, 9, 9}));
}

TEST_F(StatementsOfARound, AreAsManyForManyContinuationsAsForOne) {
    Counts for_starts;
    Counts for_ends;
    for (const std::size_t count : {1, 16, 256}) {
        const auto ids = some_ids(count);
        ReadSet reads;
        for (const InstanceId& id : ids) {
            reads.instance(id, Depth::row, Past::looked_up);
            reads.continuation(id);
        }
        for_starts.push_back(statements_of(reads, [&](View& view) {
            for (const InstanceId& id : ids) {
                Instance fresh{.id = id, .definition = {"order", 0}};
                fresh.created_at = fresh.last_modified_at = view.now();
                fresh.run_by = RunBy::node;
                Instance& instance = view.insert(std::move(fresh));
                view.accept(instance,
                            {.type = HistoryType::started, .payload = "{}", .cause = cause()});
            }
        }));
        for_ends.push_back(statements_of(reads, [&](View& view) {
            for (const InstanceId& id : ids) view.edit(id).buried = true;
        }));
    }
    // Lock, queue, live nodes, lineages, clock; round, instances, signals, history.
    EXPECT_EQ(for_starts, (Counts{9, 9, 9}));
    // The same without history; continuations deleted instead of inserted.
    EXPECT_EQ(for_ends, (Counts{8, 8, 8}));
}

TEST_F(StatementsOfARound, OnlyLoadWhenNothingChanges) {
    const auto ids = some_ids(16);
    const auto statements = statements_of(starts(ids), [](View&) {});
    EXPECT_EQ(statements, 5U);
}

}  // namespace
}  // namespace holdfast::postgres
