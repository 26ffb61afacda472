// Many writers on few instances and names: no deadlock, no lost or duplicate event (I1 to I3).
#include <deque>
#include <random>

#include "store/postgres/connection/connection.h"
#include "support/mail_audit.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Contention : public ::testing::Test {
protected:
    Contention() : world("postgres", {.writers = 4}) {
        world.define("orders");
        for (int i = 0; i < 24; ++i) orders.push_back(world.start("orders", "{}").id);
        database =
            *postgres::Connection::open({world.place.url(), 30s}, postgres::Role::maintenance);
        other =
            *Coordinator::open(*world.store, world.ids, world.metrics, {.limits = world.limits});
    }

    std::size_t any(std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    }
    // Two nodes whose rounds use the same instances.
    Coordinator& coordinator() { return any(2) ? *world.coordinator : *other; }
    std::string any_name() { return "name-" + std::to_string(any(40)); }
    const InstanceId& any_order() { return orders[any(orders.size())]; }

    // The run and index of the instance, as a read outside the round sees them.
    op::Run run_of(const InstanceId& id) {
        const auto found = world.store->ask(FindInstance{id, Depth::row});
        if (!found || !*found) return {};
        return {(*found)->instance.run, (*found)->instance.index};
    }

    template <class Op>
    void submit(Op op) {
        op.cause = world.cause();
        waiting.push_back([answer = std::make_shared<std::future<Result<typename Op::Outcome>>>(
                               coordinator().submit(std::move(op))),
                           this] {
            const auto outcome = answer->get();
            ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
            note(*outcome);
        });
        if (waiting.size() < 48) return;
        waiting.front()();
        waiting.pop_front();
    }
    template <class Outcome>
    void note(const Outcome& outcome) {
        if constexpr (std::is_same_v<Outcome, op::SendEvent::Outcome>) {
            if (const auto* sent = std::get_if<op::Delivered>(&outcome))
                accepted.push_back(sent->event);
            if (const auto* sent = std::get_if<op::Queued>(&outcome))
                accepted.push_back(sent->event);
        }
        ++answers;
    }

    void submit_any() {
        const InstanceId& id = any_order();
        switch (any(12)) {
            case 0:
            case 1:
            case 2: return suspend(id);
            case 3:
            case 4: return send(id);
            case 5:
            case 6:
            case 7: return send(std::nullopt);
            case 8:
                return submit(op::RecordStep{
                    .cause = {}, .instance = id, .run = run_of(id), .step_name = "step"});
            case 9: return submit(op::Pause{.cause = {}, .instance = id});
            case 10: return submit(op::Resume{.cause = {}, .instance = id});
            case 11: return any(4) ? submit(op::Resume{.cause = {}, .instance = id}) : replace();
        }
    }
    void suspend(const InstanceId& id) {
        Wait wait{.names = {any_name()}};
        for (std::size_t more = any(3); more > 0; --more) wait.names.push_back(any_name());
        std::ranges::sort(wait.names);
        wait.names.erase(std::ranges::unique(wait.names).begin(), wait.names.end());
        if (any(2)) wait.workflows = {any_order()};
        submit(op::Suspend{.cause = {}, .instance = id, .run = run_of(id), .wait = wait});
    }
    void send(std::optional<InstanceId> target) {
        submit(op::SendEvent{
            .cause = {},
            .event = world.ids.next<EventId>(),
            .event_name = any_name(),
            .target = target,
            .value = document("1"),
            .on_target_ended = any(2) ? OnTargetEnded::broadcast : OnTargetEnded::dead_letter});
    }
    // Cancels one instance and starts another in its place.
    void replace() {
        InstanceId& id = orders[any(orders.size())];
        submit(op::Cancel{.cause = {}, .instance = id});
        id = world.start("orders", "{}").id;
    }
    void finish() {
        for (; !waiting.empty(); waiting.pop_front()) waiting.front()();
    }

    std::uint64_t number(const std::string& sql, const postgres::Parameters& parameters = {}) {
        database->queue_once(sql, parameters);
        auto rows = database->exchange();
        if (!rows) throw std::runtime_error(rows.error().message);
        return rows->back()[0].int8();
    }

    // A session reports its statistics completely only when it ends.
    std::uint64_t deadlocks() {
        other.reset();
        world.coordinator.reset();
        world.store.reset();
        for (int look = 0; look < 20'000; ++look) {
            if (number("select count(*) from pg_stat_activity where datname = current_database() "
                       "and pid <> pg_backend_pid()") == 0)
                break;
            postgres::pause(1ms);
        }
        return number(
            "select deadlocks::bigint from pg_stat_database where datname = current_database()");
    }

    World world;
    std::unique_ptr<postgres::Connection> database;
    std::unique_ptr<Coordinator> other;
    std::mt19937 random{20261115};
    std::vector<InstanceId> orders;
    std::deque<std::function<void()>> waiting;
    std::vector<EventId> accepted;
    std::size_t answers = 0;
};

TEST_F(Contention, NeitherDeadlocksNorLosesNorDoublesAnEvent) {
    for (int i = 0; i < 4'000; ++i) submit_any();
    finish();
    EXPECT_GE(answers, 4'000u);
    EXPECT_GT(accepted.size(), 1'000u);
    EXPECT_EQ(number(violations_sql), 0u);
    EXPECT_EQ(number(misplaced_sql, postgres::Parameters().array(accepted)), 0u);
    EXPECT_GT(number("select count(*) from event_fates where fate = 'delivered'"), 200u);
    EXPECT_EQ(deadlocks(), 0u);
}

}  // namespace
}  // namespace holdfast::testing
