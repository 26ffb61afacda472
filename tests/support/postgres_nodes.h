// Two stores on one PostgreSQL database, for tests of nodes that share it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/ids/id_source.h"
#include "store/postgres/store.h"
#include "support/private_postgres.h"

namespace holdfast::postgres {

using namespace std::chrono_literals;

// Leases are expired with SQL: no test waits for a clock.
class PostgresNodes : public ::testing::Test {
protected:
    static void SetUpTestSuite() { server_ = new testing::PrivatePostgres; }
    static void TearDownTestSuite() { delete server_; }

    PostgresNodes() {
        const std::string name = "nodes_" + std::to_string(++databases_);
        server_->create_database(name);
        url_ = server_->url(name);
        options_.clock = &clock_;
        options_.call_timeout = 30s;
        store_ = *open_postgres(url_, options_);
        other_ = *open_postgres(url_, options_);
        writer_ = *store_->open_writer();
        by_hand_ = *Connection::open({url_, 30s}, Role::maintenance);
    }

    void script(const std::string& text) {
        const auto done = by_hand_->script(text);
        ASSERT_TRUE(done) << done.error().message;
    }
    std::uint64_t count(const std::string& rows) {
        by_hand_->queue_once("select count(*) from " + rows);
        return by_hand_->exchange()->back()[0].int8();
    }
    void round(const ReadSet& reads, const Decide& decide) {
        const auto done = writer_->commit({ids_.next<RoundId>(), reads}, decide);
        ASSERT_TRUE(done) << done.error().message;
    }

    NodeId joined(Store& store) {
        const auto node = ids_.next<NodeId>();
        const auto done = store.join({node, "node", 1h});
        EXPECT_TRUE(done) << done.error().message;
        return node;
    }
    void expire(const NodeId& node) {
        script("update nodes set lease_until = now() - interval '1 second' where node_id = '" +
               to_string(node) + "'");
    }
    std::vector<SignalRow> claim(Store& store, const NodeId& node,
                                 std::vector<std::string> programs = {}, std::size_t limit = 64) {
        auto claimed = store.claim({node, std::move(programs), limit});
        EXPECT_TRUE(claimed) << claimed.error().message;
        return claimed ? claimed->signals : std::vector<SignalRow>{};
    }

    // Whether no signal is free; leases last for an hour.
    static bool is_all_leased(Store& store, const NodeId& node) {
        const auto beat = store.beat(node, 1h, {});
        return !beat->claimable_at || *beat->claimable_at > beat->now;
    }

    SignalRow signal() {
        const Moment past = clock_.now() - 1min;
        return {.id = ids_.next<SignalId>(),
                .instance = ids_.next<InstanceId>(),
                .enqueued_at = past,
                .visible_at = past,
                .envelope = std::string("\0\xff bytes", 8)};
    }
    SignalRow enqueued(SignalRow row) {
        round({}, [&](View& view) { view.signals().enqueue(row); });
        return row;
    }

    // Stores an instance with a program, as a start does.
    InstanceId started(const Decide& before = [](View&) {}) {
        const auto id = ids_.next<InstanceId>();
        ReadSet reads;
        reads.instance(id, Depth::row, Past::looked_up);
        round(reads, [&](View& view) {
            before(view);
            Instance fresh{.id = id, .definition = {"order", 0}};
            fresh.created_at = fresh.last_modified_at = view.now();
            fresh.run_by = RunBy::node;
            Instance& instance = view.insert(std::move(fresh));
            view.accept(instance,
                        {.type = HistoryType::started, .payload = "{}", .cause = cause()});
        });
        return id;
    }
    ReadSet continuation_of(const InstanceId& id) {
        ReadSet reads;
        reads.instance(id, Depth::whole);
        reads.continuation(id);
        return reads;
    }
    void end(const InstanceId& id) {
        round(continuation_of(id), [&](View& view) {
            Instance& instance = view.edit(id);
            instance.status = Status::succeeded;
            instance.completed_at = view.now();
            view.accept(instance,
                        {.type = HistoryType::state_changed, .payload = "{}", .cause = cause()});
        });
    }
    Cause cause() { return {.operation = ids_.next<OperationId>()}; }

    static inline testing::PrivatePostgres* server_ = nullptr;
    static inline int databases_ = 0;
    SystemClock clock_;
    IdSource ids_{clock_};
    StoreOptions options_;
    std::string url_;
    std::unique_ptr<Store> store_;
    std::unique_ptr<Store> other_;
    std::unique_ptr<Writer> writer_;
    std::unique_ptr<Connection> by_hand_;
};

}  // namespace holdfast::postgres
