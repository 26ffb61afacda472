// The view runtime_states (004.13): after each change it shows the committed instance, and its
// state_json equals the model's snapshot.
#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/snapshot.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

// The stores whose writers fill the runtime columns.
constexpr const char* stores_with_runtime[] = {"sqlite", "postgres"};

constexpr const char* columns =
    "state_version,snapshot_schema_version,waiting_kind,waiting_token,waiting_until_utc,"
    "active_task_id,resume_pointer_json,last_signal_id,last_error_code,last_error_json,"
    "last_executed_by,last_executed_on_utc,workflow_name,workflow_version,business_reference,"
    "runtime_provider,runtime_instance_id,runtime_status,state_json,created_at,"
    "execution_started_at,completed_at";

class RuntimeStates : public ::testing::TestWithParam<const char*> {
protected:
    RuntimeStates() : world(GetParam()) {
        world.define("orders");
        order = world
                    .start("orders", R"({"currentStep":"pay","items":[1,2.5,"ä"]})",
                           {"A-1", {{"customer", "77"}}})
                    .id;
    }

    bool sqlite() const { return world.place.kind() == "sqlite"; }
    std::string bare(std::string id) const { return std::erase(id, '-'), id; }

    // Queries the database while the store is closed.
    std::string query(const std::string& sql) {
        world.coordinator.reset();
        world.store.reset();
        const std::string result = world.place.query(sql);
        world.restart();
        return result;
    }
    std::string shown(const std::string& expression) {
        return query("select " + expression + " from runtime_states where " +
                     id_text("runtime_instance_id") + " = '" + bare(to_string(order)) + "'");
    }
    std::string id_text(const std::string& column) const {
        return sqlite() ? "lower(hex(" + column + "))" : "replace(" + column + "::text, '-', '')";
    }
    std::string microseconds(const std::string& column) const {
        return sqlite() ? column : "(extract(epoch from " + column + ") * 1000000)::bigint";
    }

    void expect_the_committed_instance() {
        const Instance instance = world.read(order);
        EXPECT_EQ(shown("state_version"), std::to_string(instance.version));
        EXPECT_EQ(query("select count(*) from runtime_states r join instances i on i.id = "
                        "r.runtime_instance_id where r.state_version <> i.version"),
                  "0");
        EXPECT_EQ(shown("runtime_status"), name_of(instance.status));
        EXPECT_EQ(shown("last_executed_by"), instance.last_executed_by.value_or(""));
        EXPECT_EQ(json::canonical(json_of(shown("resume_pointer_json"))),
                  json::canonical(to_json(snapshot_of(instance).resume)));
        EXPECT_EQ(json::canonical(json_of(shown("state_json"))),
                  json::canonical(snapshot_json(instance)));
    }

    op::Asleep suspend(Wait wait) {
        const Instance instance = world.read(order);
        return std::get<op::Asleep>(world.run(op::Suspend{.cause = world.cause(),
                                                          .instance = order,
                                                          .run = {instance.run, instance.index},
                                                          .wait = std::move(wait)}));
    }
    void send(const std::string& name) {
        world.run(op::SendEvent{.cause = world.cause(),
                                .event = world.ids.next<EventId>(),
                                .event_name = name,
                                .target = order,
                                .value = document("{}")});
    }

    World world;
    InstanceId order;
};

TEST_P(RuntimeStates, HaveTheDocumentedColumns) {
    EXPECT_EQ(query(sqlite() ? "select group_concat(name) from pragma_table_info('runtime_states')"
                             : "select string_agg(column_name, ',' order by ordinal_position) from "
                               "information_schema.columns where table_name = 'runtime_states'"),
              columns);
}

TEST_P(RuntimeStates, ShowAStartedInstance) {
    expect_the_committed_instance();
    EXPECT_EQ(shown("waiting_kind"), "none");
    EXPECT_EQ(shown("snapshot_schema_version"), std::to_string(engine_schema_version));
    EXPECT_EQ(shown("workflow_name"), "orders");
    EXPECT_EQ(shown("workflow_version"), "1");
    EXPECT_EQ(shown("runtime_provider"), "holdfast");
    EXPECT_EQ(json_of(shown("business_reference")),
              json_of(R"({"key":"A-1","parts":{"customer":"77"}})"));
    EXPECT_EQ(shown("count(created_at)"), "1");
    EXPECT_EQ(shown("count(completed_at)"), "0");
}

TEST_P(RuntimeStates, ShowAWaitForAnEventAndItsDelivery) {
    const TokenId token = suspend({.names = {"paid"}}).token;
    expect_the_committed_instance();
    EXPECT_EQ(shown("waiting_kind"), "event");
    EXPECT_EQ(shown(id_text("waiting_token")), bare(to_string(token)));
    EXPECT_EQ(shown("count(waiting_until_utc)"), "0");

    send("paid");
    expect_the_committed_instance();
    EXPECT_EQ(shown("waiting_kind"), "none");
    EXPECT_EQ(shown("count(waiting_token)"), "0");
    EXPECT_EQ(shown("runtime_status"), "running");
}

TEST_P(RuntimeStates, ShowWhenATimerIsDue) {
    const Moment due = world.clock.now() + std::chrono::hours{24};
    suspend({.until = due});
    expect_the_committed_instance();
    EXPECT_EQ(shown("waiting_kind"), "timer");
    EXPECT_EQ(shown(microseconds("waiting_until_utc")),
              std::to_string(due.time_since_epoch().count()));
}

TEST_P(RuntimeStates, ShowAWaitForSeveralThings) {
    const InstanceId child = world.start("orders", "{}").id;
    suspend({.names = {"paid", "refused"},
             .until = world.clock.now() + std::chrono::hours{1},
             .workflows = {child}});
    expect_the_committed_instance();
    EXPECT_EQ(shown("waiting_kind"), "several");
}

TEST_P(RuntimeStates, ShowAWaitForAnotherWorkflow) {
    suspend({.workflows = {world.start("orders", "{}").id}});
    expect_the_committed_instance();
    EXPECT_EQ(shown("waiting_kind"), "sub_workflow");
}

TEST_P(RuntimeStates, ShowTheOldestOpenTask) {
    const auto ask = [&](std::uint64_t index) {
        const auto created = world.run(op::CreateTask{.cause = world.cause(),
                                                      .instance = order,
                                                      .run = {1, index, {}},
                                                      .step_name = "approve",
                                                      .input_hash = sha256("approve"),
                                                      .spec = {.name = "approve"}});
        return std::get<op::TaskCreated>(created).task;
    };
    const auto end = [&](const HumanTask& task) {
        world.run(op::CancelTask{.cause = world.cause("ann"), .instance = order, .task = task.id});
    };
    EXPECT_EQ(shown("count(active_task_id)"), "0");
    const HumanTask first = ask(0);
    const HumanTask second = ask(1);
    expect_the_committed_instance();
    EXPECT_EQ(shown(id_text("active_task_id")), bare(to_string(first.id)));
    end(first);
    EXPECT_EQ(shown(id_text("active_task_id")), bare(to_string(second.id)));
    end(second);
    EXPECT_EQ(shown("count(active_task_id)"), "0");
    expect_the_committed_instance();
    ask(2);
    world.run(op::Cancel{.cause = world.cause(), .instance = order});
    EXPECT_EQ(shown("count(active_task_id)"), "0") << "a cancel ends the open tasks";
}

TEST_P(RuntimeStates, ShowAFinishedInstance) {
    suspend({.names = {"paid"}});
    send("paid");
    world.run(op::Finish{
        .cause = world.cause(), .instance = order, .run = {1, 1}, .result = document("{}")});
    expect_the_committed_instance();
    EXPECT_EQ(shown("runtime_status"), "succeeded");
    EXPECT_EQ(shown("count(completed_at)"), "1");
    EXPECT_EQ(shown("count(last_error_json)"), "0");
}

TEST_P(RuntimeStates, ShowTheErrorOfAFailedInstance) {
    world.run(op::Fail{.cause = world.cause(),
                       .instance = order,
                       .run = {1, 0},
                       .code = "card-refused",
                       .error = document(R"({"limit":5})")});
    expect_the_committed_instance();
    EXPECT_EQ(shown("last_error_code"), "card-refused");
    EXPECT_EQ(json_of(shown("last_error_json")),
              json_of(R"({"code":"card-refused","error":{"limit":5}})"));
}

TEST_P(RuntimeStates, ShowTheLastSignalThatMovedTheInstance) {
    EXPECT_EQ(shown("last_signal_id"), "");
    const auto node = world.ids.next<NodeId>();
    const auto handle = [&](std::optional<TokenId> token) {
        const op::EnqueueSignal signal{
            .cause = world.cause(),
            .signal = world.ids.next<SignalId>(),
            .instance = order,
            .token = token,
            .payload = document(R"({"event":")" + to_string(world.ids.next<EventId>()) +
                                R"(","name":"paid","value":1})")};
        world.run(signal);
        const auto claimed = world.store->claim({.node = node, .programs = {}})->signals;
        EXPECT_EQ(claimed.size(), 1u);
        for (const SignalRow& row : claimed)
            world.run(op::HandleSignal{.cause = world.cause(),
                                       .instance = order,
                                       .signal = row.id,
                                       .lease = {*row.leased_by, row.epoch}});
        return bare(to_string(signal.signal));
    };
    const TokenId token = suspend({.names = {"paid"}}).token;
    ASSERT_TRUE(world.store->join({node, "node", std::chrono::hours(1)}).has_value());
    const std::string moved = handle(token);
    handle(token);  // too late: it moves nothing
    EXPECT_EQ(shown(id_text("last_signal_id")), moved);
}

INSTANTIATE_TEST_SUITE_P(Stores, RuntimeStates, ::testing::ValuesIn(stores_with_runtime),
                         store_name);

}  // namespace
}  // namespace holdfast::testing
