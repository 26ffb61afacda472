// Commits that only PostgreSQL can disturb: a lost connection, cancelled replication, a commit in
// progress.
#include <gtest/gtest.h>

#include <future>

#include "base/ids/id_source.h"
#include "store/postgres/connection/failure.h"
#include "store/postgres/store.h"
#include "support/eventually.h"
#include "support/private_postgres.h"

namespace holdfast::postgres {
namespace {

using namespace std::chrono_literals;

class PostgresCommit : public ::testing::Test {
protected:
    PostgresCommit() {
        server_.create_database("commits");
        options_.clock = &clock_;
        options_.call_timeout = 10s;
        other_ = *Connection::open({server_.url("commits"), 30s}, Role::maintenance);
        watcher_ = *Connection::open({server_.url(), 30s}, Role::maintenance);
        store_ = *open_postgres(server_.url("commits"), options_);
        writer_ = *store_->open_writer();
    }

    ReadSet reads() const {
        ReadSet reads;
        reads.instance(id_, Depth::row, Past::looked_up);
        return reads;
    }
    void start(View& view) {
        if (view.find(id_)) return;
        Instance fresh;
        fresh.id = id_;
        fresh.definition = {"order", 0};
        fresh.created_at = fresh.last_modified_at = view.now();
        Instance& instance = view.insert(std::move(fresh));
        view.accept(instance, {.type = HistoryType::started,
                               .payload = "{}",
                               .cause = {.operation = ids_.next<OperationId>()}});
    }
    auto commit(const Decide& decide) { return writer_->commit({round_, reads()}, decide); }

    void script(const std::string& text) {
        const auto done = other_->script(text);
        ASSERT_TRUE(done) << done.error().message;
    }
    // The number of sessions of this database that match `condition`. On its own connection: inside
    // a transaction pg_stat_activity is a fixed snapshot.
    std::uint64_t count(const std::string& condition) {
        watcher_->queue_once(
            "select count(*) from pg_stat_activity where datname = 'commits' and " + condition);
        return watcher_->exchange()->back()[0].int8();
    }
    void wait_for(const std::string& condition) {
        EXPECT_TRUE(testing::eventually([&] { return count(condition) > 0; })) << condition;
    }

    SystemClock clock_;
    IdSource ids_{clock_};
    InstanceId id_ = ids_.next<InstanceId>();
    RoundId round_ = ids_.next<RoundId>();
    testing::PrivatePostgres server_;
    StoreOptions options_;
    std::unique_ptr<Connection> other_;
    std::unique_ptr<Connection> watcher_;
    std::unique_ptr<Store> store_;
    std::unique_ptr<Writer> writer_;
};

TEST_F(PostgresCommit, IsNotAcknowledgedWhenTheWaitForItsStandbyWasCancelled) {
    script("alter system set synchronous_standby_names = 'absent'");
    script("select pg_reload_conf()");
    auto done =
        std::async(std::launch::async, [&] { return commit([&](View& view) { start(view); }); });
    wait_for("wait_event = 'SyncRep'");
    script("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");

    const auto outcome = done.get();

    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::outcome_unknown);
    EXPECT_NE(outcome.error().message.find("standby"), std::string::npos)
        << outcome.error().message;
}

// A server in immediate shutdown warns with the SQLSTATE of a cancelled wait, even during COMMIT:
// then the commit status is queried, not refused.
TEST(PostgresWarnings, OfAnImmediateShutdownAreNotThoseOfALostStandby) {
    EXPECT_TRUE(postgres::means_unreplicated("SyncRepWaitForLSN"));
    EXPECT_FALSE(postgres::means_unreplicated("quickdie"));
    EXPECT_FALSE(postgres::means_unreplicated(""));
}

TEST_F(PostgresCommit, RunsAgainWhenTheConnectionWasLostBeforeIt) {
    ASSERT_TRUE(commit([](View&) {}));
    script(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'commits' "
        "and pid <> pg_backend_pid()");

    const auto outcome = commit([&](View& view) { start(view); });

    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_TRUE(std::holds_alternative<Committed>(*outcome));
    EXPECT_TRUE((*store_->ask(FindInstance{id_, Depth::row})).has_value());
}

TEST_F(PostgresCommit, IsUnknownWhenTheConnectionIsLostInIt) {
    const auto outcome = commit([&](View& view) {
        start(view);
        script(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'commits' "
            "and pid <> pg_backend_pid() and state = 'idle in transaction'");
        EXPECT_TRUE(
            testing::eventually([&] { return count("state = 'idle in transaction'") == 0; }));
    });

    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_TRUE(std::holds_alternative<Unknown>(*outcome));
    EXPECT_EQ(*writer_->commit_status(round_), CommitStatus::never);
    EXPECT_FALSE((*store_->ask(FindInstance{id_, Depth::row})).has_value());
}

TEST_F(PostgresCommit, ThatIsInProgressBlocksTheStatusQuery) {
    script("begin");
    script("insert into rounds values ('" + to_string(round_) + "', 'committed', now())");
    auto pending = std::async(std::launch::async, [&] { return writer_->commit_status(round_); });
    wait_for("wait_event_type = 'Lock'");
    script("commit");

    const auto status = pending.get();

    ASSERT_TRUE(status) << status.error().message;
    EXPECT_EQ(*status, CommitStatus::committed);
}

TEST_F(PostgresCommit, WaitsForARowThatAnotherRoundHolds) {
    ASSERT_TRUE(commit([&](View& view) { start(view); }));
    round_ = ids_.next<RoundId>();
    script("begin");
    script("select 1 from instances for update");
    int decided = 0;
    auto done = std::async(std::launch::async, [&] { return commit([&](View&) { ++decided; }); });
    wait_for("wait_event_type = 'Lock'");
    EXPECT_EQ(decided, 0);
    script("commit");

    EXPECT_TRUE(done.get());
    EXPECT_EQ(decided, 1);
}

// A proxy may reset the session between two rounds: here each round does so as it commits.
TEST_F(PostgresCommit, IsDurableWhateverTheSessionSays) {
    script("create table seen (setting text)");
    script(
        "create function look() returns trigger language plpgsql as $$ begin "
        "insert into seen values (current_setting('synchronous_commit')); "
        "perform set_config('synchronous_commit', 'off', false); return null; end $$");
    script(
        "create constraint trigger look after insert on rounds deferrable initially deferred "
        "for each row execute function look()");
    for (int i = 0; i < 2; ++i) {
        const auto done = commit([&](View& view) { start(view); });
        ASSERT_TRUE(done) << done.error().message;
        round_ = ids_.next<RoundId>();
        id_ = ids_.next<InstanceId>();
    }
    watcher_ = *Connection::open({server_.url("commits"), 30s}, Role::maintenance);
    watcher_->queue_once("select count(*) from seen where setting = 'on'");
    EXPECT_EQ(watcher_->exchange()->back()[0].int8(), 2);
}

// What DISCARD ALL does between two rounds, which a proxy may send: the session keeps neither
// settings nor prepared statements. Every second round finds that out and runs on a new session.
TEST_F(PostgresCommit, NeedsNothingThatASessionKept) {
    script("create table sessions (id int)");
    script(
        "create function discard_session() returns trigger language plpgsql as $$ begin "
        "insert into sessions values (pg_backend_pid()); "
        "perform pg_advisory_unlock_all(); execute 'reset all'; execute 'deallocate all'; "
        "execute 'close all'; execute 'unlisten *'; return null; end $$");
    script(
        "create constraint trigger discard_session after insert on rounds deferrable "
        "initially deferred for each row execute function discard_session()");
    for (int i = 0; i < 6; ++i) {
        const auto done = commit([&](View& view) { start(view); });
        ASSERT_TRUE(done) << done.error().message;
        ASSERT_TRUE(std::holds_alternative<Committed>(*done));
        ASSERT_TRUE(store_->ask(FindInstance{id_, Depth::whole})->has_value());
        round_ = ids_.next<RoundId>();
        id_ = ids_.next<InstanceId>();
    }
    watcher_ = *Connection::open({server_.url("commits"), 30s}, Role::maintenance);
    watcher_->queue_once("select count(*), count(distinct id) from sessions");
    const auto counted = watcher_->exchange();
    Row row = counted->back()[0];
    EXPECT_EQ(row.int8(), 6) << "each round was committed once";
    EXPECT_GT(row.int8(), 1) << "no session was given up";
}

TEST(PostgresFailures, OfASessionThatLostItsStatementsMeanALostConnection) {
    EXPECT_EQ(classify("26000"), FailureKind::lost);
    EXPECT_EQ(classify("23505"), FailureKind::collided);
    EXPECT_EQ(classify("23514"), FailureKind::refused);
}

}  // namespace
}  // namespace holdfast::postgres
