// The plans of our statements: a search uses its index, a round never scans a table.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <thread>

#include "base/ids/id_source.h"
#include "base/json/parse.h"
#include "store/postgres/index_builder.h"
#include "store/postgres/read/search.h"
#include "store/postgres/read/tasks.h"
#include "store/postgres/store.h"
#include "store/sql.h"
#include "support/eventually.h"
#include "support/private_postgres.h"

namespace holdfast::postgres {
namespace {

using namespace std::chrono_literals;

// Rows with the shape and distribution that rounds produce; checksums do not matter for a plan.
constexpr const char* twenty_thousand_instances = R"sql(
    insert into instances (id, definition_key, definition_version, business_key, business_parts,
                           status, version, rev, history_hash, created_at, completed_at,
                           updated_at, last_modified_at)
    select gen_random_uuid(), 'definition-' || i % 20, 1, 'order-' || i,
           jsonb_build_object('number', i::text, 'country', 'country-' || i % 30),
           case when i % 4 = 0 then 'running' else 'succeeded' end, 1, 1, '\x00', now(),
           case when i % 4 = 0 then null else now() end, now(), now()
    from generate_series(1, 20000) i;
    insert into documents (instance_id, open, state, state_metadata)
    select id, completed_at is null,
           jsonb_build_object('currentStep', 'step-' || i % 50, 'priority', i % 10,
                              'agentContext',
                              jsonb_build_object('currentAgent', 'agent-' || i % 200),
                              'customer', jsonb_build_object('id', 'customer-' || i)),
           jsonb_build_object('owner', 'user-' || i % 500)
    from (select *, split_part(business_key, '-', 2)::integer i from instances) numbered;
    insert into index_paths (path) values ('customer.id');
    insert into parallel_waits (instance_id, token, wait)
    select id, gen_random_uuid(), '{}' from instances limit 2000;
    insert into waits (name, began_at, operation_id, token, instance_id)
    select 'event-' || split_part(business_key, '-', 2), now(), gen_random_uuid(),
           gen_random_uuid(), id
    from instances limit 2000;
    insert into timers (instance_id, token, due_at)
    select id, gen_random_uuid(), now() from instances limit 2000;
    update instances set incident = split_part(business_key, '-', 2)::integer % 400 = 0;
    analyze;
)sql";

class Plans : public ::testing::Test {
protected:
    static void SetUpTestSuite() { server_ = new testing::PrivatePostgres; }
    static void TearDownTestSuite() { delete server_; }

    static Address fresh_database(const std::string& name) {
        server_->create_database(name);
        const Address address{server_->url(name), 30s};
        StoreOptions options;
        auto store = open_postgres(address.url, options);
        EXPECT_TRUE(store) << store.error().message;
        return address;
    }

    static std::unique_ptr<Connection> connect(const Address& address, Role role) {
        auto connection = Connection::open(address, role);
        EXPECT_TRUE(connection) << connection.error().message;
        return *std::move(connection);
    }

    static std::string plan(Connection& connection, const std::string& statement,
                            const Parameters& parameters = {}) {
        connection.queue_once("explain " + statement, parameters);
        auto results = connection.exchange();
        if (!results) return results.error().message;
        std::string text;
        for (Row row : results->back()) text += row.text() + '\n';
        return text;
    }

    static testing::PrivatePostgres* server_;
};

testing::PrivatePostgres* Plans::server_ = nullptr;

class SearchPlans : public Plans {
protected:
    static void SetUpTestSuite() {
        Plans::SetUpTestSuite();
        const Address address = fresh_database("search");
        const auto filled = connect(address, Role::maintenance)->script(twenty_thousand_instances);
        ASSERT_TRUE(filled) << filled.error().message;
        const auto built = build_declared_indexes(address, {});
        ASSERT_TRUE(built) << built.error().message;
        reader_ = connect(address, Role::reader).release();
    }
    static void TearDownTestSuite() {
        delete reader_;
        Plans::TearDownTestSuite();
    }

    static void expect_index(const InstanceQuery& query, const std::string& index) {
        const std::string statement(sql::text_of(sql::postgres_statements(), "search_instances"));
        const auto parameters = search_parameters(query, {});
        ASSERT_TRUE(parameters);
        const std::string text = plan(*reader_, statement, *parameters);
        EXPECT_NE(text.find(index), std::string::npos) << text;
        EXPECT_EQ(text.find("Seq Scan"), std::string::npos) << text;
    }

    static std::pair<json::Path, std::string> path(std::string_view where, std::string text) {
        return {*json::parse_path(where), std::move(text)};
    }

    static Connection* reader_;
};

Connection* SearchPlans::reader_ = nullptr;

TEST_F(SearchPlans, ContainmentUsesTheIndexOnState) {
    InstanceQuery query;
    query.contains = *json::parse(R"({"customer":{"id":"customer-77"}})");
    expect_index(query, "documents_state ");
}

TEST_F(SearchPlans, MetadataContainmentUsesTheIndexOnMetadata) {
    InstanceQuery query;
    query.meta_contains = *json::parse(R"({"owner":"user-77"})");
    expect_index(query, "documents_state_metadata");
}

TEST_F(SearchPlans, TheCurrentStepOfOpenInstancesUsesItsIndex) {
    InstanceQuery query;
    query.statuses = {Status::running};
    query.paths = {path("currentStep", "step-8")};
    expect_index(query, "documents_current_step");
}

TEST_F(SearchPlans, ANestedPathWithAStatusUsesItsIndex) {
    InstanceQuery query;
    query.statuses = {Status::succeeded};
    query.paths = {path("agentContext.currentAgent", "agent-7")};
    expect_index(query, "documents_current_agent");
}

TEST_F(SearchPlans, ContainmentWithAPathUsesTheIndexOnState) {
    InstanceQuery query;
    query.contains = *json::parse(R"({"customer":{"id":"customer-77"}})");
    query.paths = {path("priority", "7")};
    expect_index(query, "documents_state ");
}

TEST_F(SearchPlans, ADeclaredPathUsesItsIndex) {
    InstanceQuery query;
    query.paths = {path("customer.id", "customer-77")};
    expect_index(query, index_name("customer.id"));
}

TEST_F(SearchPlans, ABusinessKeyUsesItsIndex) {
    InstanceQuery query;
    query.business_key = "order-77";
    expect_index(query, "instances_business_key");
}

TEST_F(SearchPlans, ABusinessPartUsesItsIndex) {
    InstanceQuery query;
    query.business_parts = {{"number", "77"}};
    expect_index(query, "instances_business_parts");
}

TEST_F(SearchPlans, APageWithoutFiltersUsesThePrimaryKey) { expect_index({}, "instances_pkey"); }

class WriterPlans : public Plans, public ::testing::WithParamInterface<const char*> {};

std::string nulls(const std::string& statement) {
    int most = 0;
    const std::regex parameter(R"(\$(\d+))");
    for (std::sregex_iterator at(statement.begin(), statement.end(), parameter), end; at != end;
         ++at)
        most = std::max(most, std::stoi((*at)[1]));
    std::string list;
    for (int i = 0; i < most; ++i) list += i == 0 ? "null" : ", null";
    return list;
}

// Prepared while every table is empty and not analysed, as on a node with a new database.
TEST_P(WriterPlans, AGenericPlanMadeOnEmptyTablesUsesIndexes) {
    const std::string name = GetParam();
    const Address address = fresh_database("writer_" + name);
    const auto writer = connect(address, Role::writer);
    const std::string statement(sql::text_of(sql::postgres_statements(), name));
    const auto prepared = writer->script("prepare hot as " + statement);
    ASSERT_TRUE(prepared) << prepared.error().message;

    const std::string values = nulls(statement);
    const std::string text =
        plan(*writer, values.empty() ? "execute hot" : "execute hot(" + values + ")");

    EXPECT_NE(text.find("Index"), std::string::npos) << text;
    for (const char* bad : {"Seq Scan", "Hash Join", "Merge Join", "Bitmap"})
        EXPECT_EQ(text.find(bad), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    HotStatements, WriterPlans,
    ::testing::Values(
        "lock_instances", "load_documents", "load_activities", "load_variables", "load_conditions",
        "load_forks", "load_lineages", "load_newest_definitions", "load_definitions", "load_states",
        "load_checkpoints", "load_answers", "delete_instances", "update_instances",
        "update_identities", "delete_documents", "mark_documents", "delete_activities",
        "update_activities", "delete_variables", "update_variables", "delete_conditions",
        "update_conditions", "delete_forks", "update_forks", "read_fate", "lock_channels_exclusive",
        "lock_channels_shared", "lock_instances_and_waiters", "load_inboxes", "load_ending_inboxes",
        "load_releases", "end_inboxes", "count_inboxes", "load_broadcasts", "count_broadcasts",
        "load_waits", "load_completion_waits", "load_children_of", "load_under_key",
        "load_known_events", "load_fates", "load_receipts", "load_journal", "delete_waits",
        "delete_completion_waits", "delete_timers", "delete_steps", "delete_winners",
        "delete_pending_events", "release_pending_events", "discard_inboxes", "delete_dead_events",
        "read_due_timers", "lock_signals", "load_scheduled_signals", "load_dead_letters",
        "load_processed_signals", "delete_signals_of", "delete_continuations", "restart_attempts",
        "delete_signals", "delete_dead_letters", "fan_out_signals", "move_due_signals",
        "claim_signals", "read_claimable", "read_node", "leave_node", "give_back_signal",
        "read_journals", "lock_prunable", "prune_instances", "expire_events", "prune_ledgers",
        "prune_cleared", "trim_histories", "find_stale", "read_history_anchor", "load_tasks",
        "load_open_tasks", "update_tasks", "delete_task_events", "load_task_events",
        "find_instances", "read_history", "read_checkpoints", "read_checkpoint_rows",
        "lock_known_channels", "lock_leases", "end_leases", "check_recalled"),
    [](const auto& one) { return std::string(one.param); });

// A round that loads nothing locks its instances by this: in the order of the given ids, which is
// that of all other rounds.
TEST_F(Plans, AnUpdateLocksItsInstancesInTheirOrder) {
    const auto writer = connect(fresh_database("lock_order"), Role::writer);
    const std::string statement(sql::text_of(sql::postgres_statements(), "update_instances"));
    ASSERT_TRUE(writer->script("prepare hot as " + statement));
    const std::string text = plan(*writer, "execute hot(" + nulls(statement) + ")");
    const std::size_t given = text.find("Subquery Scan on n");
    const std::size_t found = text.find("Index Scan using instances_pkey on instances i");
    EXPECT_LT(text.find("Nested Loop"), given) << text;
    EXPECT_LT(given, found) << text;
    EXPECT_NE(found, std::string::npos) << text;
}

// Tables for which the planner might prefer other plans.
class LookUps : public Plans {
protected:
    // Sequential scans per table, once all other sessions have ended: a session reports its counts
    // when it ends, and at most once a second before, so that this one has to be told.
    static std::string scans(Connection& connection) {
        connection.queue_once("select pg_stat_force_next_flush()");
        EXPECT_TRUE(connection.exchange());
        const auto gone = [&] {
            connection.queue_once(
                "select count(*) from pg_stat_activity where datname = current_database() and "
                "backend_type = 'client backend' and pid <> pg_backend_pid()");
            return connection.exchange()->back()[0].int8() == 0;
        };
        EXPECT_TRUE(testing::eventually(gone));
        connection.queue_once("select pg_stat_clear_snapshot()");
        connection.queue_once(
            "select string_agg(relname || ' ' || seq_scan, ', ' order by relname) "
            "from pg_stat_user_tables where relname not in ('schema_migrations', 'index_paths')");
        return connection.exchange()->back()[0].text();
    }
};

TEST_F(LookUps, NeverScanATable) {
    const Address address = fresh_database("lookups");
    const auto by_hand = connect(address, Role::maintenance);
    ASSERT_TRUE(by_hand->script(twenty_thousand_instances));
    const std::string before = scans(*by_hand);
    {
        const auto store = *open_postgres(address.url, {});
        const SystemClock clock;
        IdSource ids(clock);
        const auto id = ids.next<InstanceId>();
        const JournalPart parts[] = {{.instance = id}, {.instance = ids.next<InstanceId>()}};
        EXPECT_TRUE(store->ask(FindInstance{id, Depth::document}));
        EXPECT_TRUE(store->ask(FindRows{{{id, ids.next<InstanceId>()}}}));
        EXPECT_TRUE(store->ask(HistoryQuery{id, 1, 10}));
        EXPECT_TRUE(store->ask(CheckpointQuery{.instance = id}));
        EXPECT_TRUE(store->ask(FindDefinition{{"orders", 1}}));
        EXPECT_TRUE(store->ask(FindEvent{ids.next<EventId>()}));
        EXPECT_TRUE(store->ask(FindJournalEntry{id, 0}));
        EXPECT_TRUE(store->ask(ListJournals{parts}));
        EXPECT_TRUE(store->ask(FindDueTimers{10}));
        EXPECT_TRUE(store->ask(FindTask{ids.next<TaskId>()}));
        EXPECT_TRUE(store->ask(TaskEventQuery{.task = ids.next<TaskId>()}));
        EXPECT_TRUE(store->ask(FindDeadLetter{ids.next<SignalId>()}));
        EXPECT_TRUE(store->ask(FindStanding{id}));
        for (const Only only : {Only::incident, Only::paused, Only::quarantined, Only::stuck})
            EXPECT_TRUE(store->ask(InstanceQuery{.only = {only}}));
        EXPECT_TRUE(store->ask(InstanceQuery{.parent = id}));
        EXPECT_TRUE(store->ask(InstanceQuery{.ids = IdRange{id, id}}));
        EXPECT_TRUE(store->ask(InstanceQuery{.waits_for = "paid", .tenant = "default"}));
        EXPECT_TRUE(store->ask(InstanceQuery{.due_before = Moment{}}));
        EXPECT_TRUE(store->ask(InstanceQuery{.order = PageOrder::oldest_first}));
    }
    EXPECT_EQ(scans(*by_hand), before);
}

// An update that changes an indexed column cannot be HOT, and every step updates the row.
TEST_F(Plans, NoIndexOfInstancesCoversAColumnThatAStepChanges) {
    const Address address = fresh_database("hot");
    const auto reader = connect(address, Role::reader);
    reader->queue_once(
        "select string_agg(distinct a.attname, ' ' order by a.attname) from pg_index x "
        "join pg_attribute a on a.attrelid = x.indexrelid where x.indrelid = "
        "'instances'::regclass");
    reader->queue_once(
        "select string_agg(distinct pg_get_expr(indpred, indrelid), ' ') "
        "from pg_index where indrelid = 'instances'::regclass");
    auto results = reader->exchange();
    ASSERT_TRUE(results) << results.error().message;
    EXPECT_EQ((*results)[0][0].text(),
              "business_key business_parts completed_at definition_key id parent_id");
    EXPECT_EQ((*results)[1][0].text(),
              "(business_key IS NOT NULL) (business_parts IS NOT NULL) (completed_at IS NOT NULL) "
              "(completed_at IS NULL) (parent_id IS NOT NULL) (paused OR quarantined) incident")
        << "a step neither pauses nor quarantines, and raises no incident";
}

struct Lookup {
    const char* statement;
    std::vector<const char*> indexes;
};

// The indexes for lookups of waits, events, timers and children.
TEST_F(Plans, EveryLookupOfMailHasItsIndex) {
    const Address address = fresh_database("mail");
    const auto writer = connect(address, Role::writer);
    const Lookup lookups[] = {
        {"lock_instances_and_waiters",
         {"waits_pkey", "completion_waits_pkey", "instances_parent", "instances_pkey"}},
        {"load_waits", {"waits_pkey"}},
        {"load_completion_waits", {"completion_waits_pkey"}},
        {"load_children_of", {"instances_parent"}},
        {"load_under_key", {"instances_business_key"}},
        {"load_inboxes", {"pending_events_target"}},
        {"load_ending_inboxes", {"pending_events_target"}},
        {"load_releases", {"pending_events_target"}},
        {"end_inboxes", {"pending_events_target"}},
        {"count_inboxes", {"pending_events_target"}},
        {"load_broadcasts", {"pending_events_broadcast", "event_fates_pkey"}},
        {"count_broadcasts", {"pending_events_broadcast"}},
        {"load_known_events", {"pending_events_pkey", "dead_events_pkey"}},
        {"load_fates", {"event_fates_pkey"}},
        {"load_receipts", {"event_fates_pkey"}},
        {"load_journal", {"steps_pkey", "winning_conditions_pkey"}},
        {"read_due_timers", {"timers_due"}},
        {"check_recalled",
         {"nodes_pkey", "completion_waits_pkey", "definitions_pkey", "pending_events_broadcast",
          "pending_events_target", "tasks_instance"}},
    };
    for (const auto& [name, indexes] : lookups) {
        const std::string statement(sql::text_of(sql::postgres_statements(), name));
        const std::string prepare = "prepare " + std::string(name) + " as " + statement;
        ASSERT_TRUE(writer->script(prepare)) << name;
        const std::string text =
            plan(*writer, "execute " + std::string(name) + "(" + nulls(statement) + ")");
        for (const char* index : indexes)
            EXPECT_NE(text.find(index), std::string::npos) << name << " without " << index << '\n'
                                                           << text;
    }
}

// The queue of a busy cluster: signals of many programs, free and leased, one node dead.
constexpr const char* a_hundred_thousand_signals = R"sql(
    insert into nodes (node_id, name, started_at, beat_at, lease_until)
    select lpad(n::text, 32, '0')::uuid, 'node-' || n, now(), now(),
           now() + case when n = 4 then -1 else 1 end * interval '1 hour'
    from generate_series(1, 4) n;
    insert into signal_queue (signal_id, instance_id, type, program, enqueued_at, visible_at,
                              leased_by, epoch, attempts)
    select gen_random_uuid(), gen_random_uuid(),
           case when i % 2 = 0 then 'InternalContinue' else 'ExternalSignal' end,
           case when i % 3 > 0 then 'program-' || i % 20 end,
           now() - i * interval '1 second', now() - i * interval '1 second',
           case when i % 10 = 0 then lpad((1 + i / 10 % 4)::text, 32, '0')::uuid end, 1, 1
    from generate_series(1, 100000) i;
    insert into schedule_queue (signal_id, instance_id, type, enqueued_at, due_at)
    select gen_random_uuid(), gen_random_uuid(), 'TimerDue', now(), now() + i * interval '1 second'
    from generate_series(1, 20000) i;
    insert into timers (instance_id, token, due_at)
    select gen_random_uuid(), gen_random_uuid(), now() + i * interval '1 second'
    from generate_series(1, 20000) i;
    analyze;
)sql";

// With the server's planner settings, statistics, and generic plans.
TEST_F(Plans, ClaimsAndBeatsOnAFullQueueUseTheirIndexes) {
    const Address address = fresh_database("queue");
    const auto filled = connect(address, Role::maintenance)->script(a_hundred_thousand_signals);
    ASSERT_TRUE(filled) << filled.error().message;
    const auto reader = connect(address, Role::reader);
    ASSERT_TRUE(reader->script("set plan_cache_mode = force_generic_plan"));
    const Lookup lookups[] = {
        {"claim_signals",
         {"signal_queue_free", "signal_queue_leased", "signal_queue_instance",
          "signal_queue_pkey"}},
        {"move_due_signals", {"schedule_queue_due"}},
        {"beat_node",
         {"signal_queue_free", "signal_queue_leased", "signal_queue_instance", "schedule_queue_due",
          "timers_due"}},
        {"read_claimable", {"signal_queue_free", "signal_queue_leased", "schedule_queue_due"}},
        {"lock_signals", {"signal_queue_continuation", "signal_queue_pkey"}},
        {"delete_continuations", {"signal_queue_continuation"}},
        {"leave_node", {"signal_queue_leased"}},
        {"read_stranded", {"signal_queue_pkey"}},
    };
    for (const auto& [name, indexes] : lookups) {
        const std::string statement(sql::text_of(sql::postgres_statements(), name));
        ASSERT_TRUE(reader->script("prepare " + std::string(name) + " as " + statement)) << name;
        const std::string values = nulls(statement);
        const std::string text = plan(
            *reader, "execute " + std::string(name) + (values.empty() ? "" : "(" + values + ")"));
        for (const char* index : indexes)
            EXPECT_NE(text.find(index), std::string::npos) << name << " without " << index << '\n'
                                                           << text;
        for (const char* table : {"signal_queue", "schedule_queue", "timers"})
            EXPECT_EQ(text.find("Seq Scan on " + std::string(table)), std::string::npos)
                << name << '\n'
                << text;
    }
}

constexpr const char* twenty_thousand_tasks = R"sql(
    insert into instances (id, definition_key, definition_version, status, version, rev,
                           history_hash, created_at, updated_at, last_modified_at)
    select lpad(n::text, 32, '0')::uuid, 'k', 1, 'running', 1, 1, '', now(), now(), now()
    from generate_series(1, 1000) n;
    insert into tasks (task_id, instance_id, definition_key, business_key, name, queue, assignee,
                       candidate_users, candidate_groups, payload, expected_outputs, due_at,
                       priority, state, holder, version, created_at, updated_at, ended_at,
                       business_parts)
    select gen_random_uuid(), lpad((1 + n % 1000)::text, 32, '0')::uuid, 'definition-' || n % 200,
           'order-' || n, 't', 'queue-' || n % 200, 'user-' || n % 500,
           array['user-' || n % 400, 'other-' || n % 7], array['group-' || n % 300], 'null', '{}',
           now() + (n - 100) * interval '1 minute', 0,
           case when n % 10 = 0 then 'created' else 'completed' end, 'user-' || n % 600, 1, now(),
           now(), case when n % 10 = 0 then null else now() end,
           jsonb_build_object('number', n::text)
    from generate_series(1, 20000) n;
    analyze;
)sql";

TEST_F(Plans, EveryFilterOfTasksHasItsIndex) {
    const Address address = fresh_database("tasks");
    const auto filled = connect(address, Role::maintenance)->script(twenty_thousand_tasks);
    ASSERT_TRUE(filled) << filled.error().message;
    const auto reader = connect(address, Role::reader);
    const Moment long_ago{std::chrono::seconds{1'000'000'000}};
    const std::vector<TaskState> open{TaskState::created, TaskState::claimed};
    const std::pair<TaskQuery, const char*> expected[] = {
        {{}, "tasks_pkey"},
        {{.assignee = "user-7"}, "tasks_assignee"},
        {{.holder = "user-7"}, "tasks_holder"},
        {{.candidate_user = "user-7"}, "tasks_candidate_users"},
        {{.candidate_group = "group-7"}, "tasks_candidate_groups"},
        {{.definition = "definition-7"}, "tasks_definition"},
        {{.business_key = "order-7"}, "tasks_business_key"},
        {{.business_parts = {{"number", "7"}}}, "tasks_business_parts"},
        {{.queue = "queue-7"}, "tasks_queue"},
        {{.instance = InstanceId{*parse_uuid("00000000-0000-0000-0000-000000000007")}},
         "tasks_instance"},
        {{.states = open}, "tasks_open "},
        {{.due_before = long_ago}, "tasks_due"},
        {{.assignee = "user-10", .states = open}, "tasks_open_assignee"},
        {{.holder = "user-10", .states = open}, "tasks_open_holder"},
        {{.candidate_user = "user-10", .states = open}, "tasks_open_users"},
        {{.candidate_group = "group-10", .states = open}, "tasks_open_groups"},
        {{.definition = "definition-10", .states = open}, "tasks_open_definition"},
        {{.queue = "queue-10", .states = open}, "tasks_open_queue"},
        {{.states = open, .due_before = long_ago}, "tasks_open_due"},
    };
    const std::string statement(sql::text_of(sql::postgres_statements(), "read_tasks"));
    for (const auto& [query, index] : expected) {
        const std::string text = plan(*reader, statement, task_parameters(query));
        EXPECT_NE(text.find(index), std::string::npos) << index << '\n' << text;
        EXPECT_EQ(text.find("Seq Scan"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace holdfast::postgres
