// The columns that show an instance agree with it in every commit (I11): status, waiting kind,
// token and time, active task, and the rows that let senders and the timer thread find it.
#include "support/world.h"

namespace holdfast::testing {
namespace {

// Each counts rows that disagree.
constexpr const char* everywhere[] = {
    "select count(*) from instances where (status in ('running', 'suspended')) <> (completed_at is "
    "null)",
    "select count(*) from instances where (waiting_kind = 'none') <> (waiting_token is null)",
    "select count(*) from instances where (waiting_token is null) <> (waiting_json is null)",
    "select count(*) from instances where status = 'suspended' and waiting_token is null",
    "select count(*) from instances where completed_at is not null and waiting_token is not null",
    "select count(*) from runtime_states r join instances i on i.id = r.runtime_instance_id "
    "where r.state_version <> i.version or r.runtime_status <> i.status "
    "or r.waiting_kind <> i.waiting_kind",
    "select (select count(*) from instances) - (select count(*) from runtime_states)",
};

constexpr const char* on_sqlite[] = {
    "select count(*) from runtime_states r where r.active_task_id is not "
    "(select t.task_id from tasks t join instances i on i.seq = t.instance where i.id = "
    "r.runtime_instance_id and t.ended_at is null order by t.created_at, t.task_id limit 1)",
    "select count(*) from timers t left join instances i on i.seq = t.instance where i.seq is null "
    "or i.waiting_token is not t.token or i.waiting_until is not t.due_at or i.paused = 1",
    "select count(*) from instances i where i.status = 'suspended' and i.paused = 0 and "
    "i.waiting_until is not null and not exists (select 1 from timers t where t.instance = i.seq)",
    "select count(*) from runtime_states r join instances i on i.id = r.runtime_instance_id where "
    "json_extract(r.state_json, '$.status') <> i.status or "
    "json_extract(r.state_json, '$.waiting.kind') <> i.waiting_kind",
};

constexpr const char* on_postgres[] = {
    "select count(*) from documents d join instances i on i.id = d.instance_id "
    "where d.open <> (i.completed_at is null)",
    "select count(*) from runtime_states r where r.active_task_id is distinct from "
    "(select t.task_id from tasks t where t.instance_id = r.runtime_instance_id and t.ended_at is "
    "null order by t.created_at, t.task_id limit 1)",
    "select count(*) from timers t left join instances i on i.id = t.instance_id where i.id is "
    "null "
    "or i.waiting_token is distinct from t.token or i.waiting_until is distinct from t.due_at or "
    "i.paused",
    "select count(*) from instances i where i.status = 'suspended' and not i.paused and "
    "i.waiting_until is not null and not exists (select from timers t where t.instance_id = i.id)",
    "select count(*) from runtime_states r join instances i on i.id = r.runtime_instance_id where "
    "r.state_json ->> 'status' <> i.status or r.state_json #>> '{waiting,kind}' <> i.waiting_kind",
};

class Projection : public ::testing::TestWithParam<const char*> {
protected:
    Projection() : world(GetParam()) { world.define("orders"); }

    template <class Op>
    typename Op::Outcome run(Op op) {
        op.cause.operation = world.cause().operation;
        auto outcome = world.run(std::move(op));
        check(Op::name);
        return outcome;
    }
    void check(std::string_view after) {
        world.coordinator.reset();
        world.store.reset();
        for (const char* query : everywhere)
            EXPECT_EQ(world.place.query(query), "0") << "after " << after << ": " << query;
        if (world.place.kind() == "sqlite")
            for (const char* query : on_sqlite)
                EXPECT_EQ(world.place.query(query), "0") << "after " << after << ": " << query;
        else
            for (const char* query : on_postgres)
                EXPECT_EQ(world.place.query(query), "0") << "after " << after << ": " << query;
        world.restart();
    }
    InstanceId start() {
        const op::Start start{.definition = "orders", .state = document(R"({"n":1})")};
        return std::get<op::Started>(run(start)).instance.id;
    }
    op::Run place(const InstanceId& id) {
        const Instance instance = world.read(id);
        return {instance.run, instance.index, {}};
    }
    void suspend(const InstanceId& id, Wait wait) {
        run(op::Suspend{.instance = id, .run = place(id), .wait = std::move(wait)});
    }
    void send(const InstanceId& id, const std::string& name) {
        run(op::SendEvent{.event = world.ids.next<EventId>(),
                          .event_name = name,
                          .target = id,
                          .value = document("1")});
    }

    World world;
};

TEST_P(Projection, AgreesWithAWorkflowThatWaitsInEveryWay) {
    const InstanceId id = start();
    suspend(id, {.names = {"paid"}});
    send(id, "paid");
    suspend(id, {.until = *world.store->ask(FindTime{}) + std::chrono::hours(1)});
    run(op::Pause{.instance = id});
    run(op::Resume{.instance = id});
    run(op::CancelTimers{.instance = id});
    const InstanceId other = start();
    suspend(other,
            {.names = {"go"}, .until = *world.store->ask(FindTime{}) + std::chrono::hours(1)});
    send(other, "go");
    suspend(other, {.names = {"go"}, .workflows = {id}});
    run(op::EditState{.instance = other, .edit = op::Replace{.state = document(R"({"n":2})")}});
    run(op::Cancel{.instance = id});
    EXPECT_EQ(world.read(other).status, Status::running) << "woken by the end of the first";
    run(op::Finish{.instance = other, .run = place(other), .result = document("1")});
    run(op::Clear{.instance = other});
}

TEST_P(Projection, AgreesWithTheTasksOfAWorkflow) {
    const InstanceId id = start();
    const auto create = [&](const std::string& name) {
        return std::get<op::TaskCreated>(run(op::CreateTask{.instance = id,
                                                            .run = place(id),
                                                            .step_name = name,
                                                            .spec = {.name = name}}))
            .task.id;
    };
    const TaskId first = create("first");
    const TaskId second = create("second");
    suspend(id, {.names = {event_name_of(first)}});
    run(op::ClaimTask{.cause = {.caller = {.user = "ann"}}, .instance = id, .task = first});
    run(op::CompleteTask{.cause = {.caller = {.user = "ann"}},
                         .instance = id,
                         .task = first,
                         .outputs = document("{}")});
    run(op::CancelTask{.cause = {.caller = {.user = "ann"}}, .instance = id, .task = second});
    create("third");
    run(op::Fail{.instance = id, .run = place(id), .code = "broken", .error = document("1")});
}

INSTANTIATE_TEST_SUITE_P(Stores, Projection, ::testing::Values("sqlite", "postgres"), store_name);

}  // namespace
}  // namespace holdfast::testing
