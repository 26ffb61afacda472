// Which plans PostgreSQL makes for our statements: a search finds its index, a round never scans a
// table.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "base/json/parse.h"
#include "store/postgres/index_builder.h"
#include "store/postgres/search.h"
#include "store/postgres/store.h"
#include "store/sql.h"
#include "support/private_postgres.h"

namespace holdfast::postgres {
namespace {

using namespace std::chrono_literals;

// Rows as rounds would have left them, in shape and in spread; their checksums do not matter to a
// plan.
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
        auto answers = connection.exchange();
        if (!answers) return answers.error().message;
        std::string text;
        for (Row row : answers->back()) text += row.text() + '\n';
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

TEST_F(SearchPlans, APageWithoutConditionsWalksTheIds) { expect_index({}, "instances_pkey"); }

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

// Prepared while every table is empty and was never analysed: such a plan is what a young node
// keeps.
TEST_P(WriterPlans, AGenericPlanMadeOnEmptyTablesUsesIndexes) {
    const std::string name = GetParam();
    const Address address = fresh_database("writer_" + name);
    const auto writer = connect(address, Role::writer);
    const std::string statement(sql::text_of(sql::postgres_statements(), name));
    const auto prepared = writer->script("prepare hot as " + statement);
    ASSERT_TRUE(prepared) << prepared.error().message;

    const std::string text = plan(*writer, "execute hot(" + nulls(statement) + ")");

    EXPECT_NE(text.find("Index"), std::string::npos) << text;
    for (const char* bad : {"Seq Scan", "Hash Join", "Merge Join", "Bitmap"})
        EXPECT_EQ(text.find(bad), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    HotStatements, WriterPlans,
    ::testing::Values("lock_instances", "load_documents", "load_activities", "load_variables",
                      "load_conditions", "load_forks", "load_lineages", "load_newest_definitions",
                      "load_definitions", "load_states", "load_checkpoints", "load_answers",
                      "delete_instances", "update_instances", "delete_documents", "mark_documents",
                      "delete_activities", "update_activities", "delete_variables",
                      "update_variables", "delete_conditions", "update_conditions", "delete_forks",
                      "update_forks", "read_fate", "lock_channels_exclusive",
                      "lock_channels_shared", "lock_instances_and_waiters", "load_inboxes",
                      "load_whole_inboxes", "count_inboxes", "load_broadcasts", "count_broadcasts",
                      "load_waits", "load_completion_waits", "load_children_of",
                      "load_known_events", "load_fates", "load_journal", "delete_waits",
                      "delete_completion_waits", "delete_timers", "delete_steps", "delete_winners",
                      "delete_pending_events", "release_pending_events", "discard_inboxes",
                      "delete_dead_events", "read_due_timers"),
    [](const auto& one) { return std::string(one.param); });

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
    auto answers = reader->exchange();
    ASSERT_TRUE(answers) << answers.error().message;
    EXPECT_EQ((*answers)[0][0].text(), "business_key business_parts definition_key id parent_id");
    EXPECT_EQ((*answers)[1][0].text(),
              "(business_key IS NOT NULL) (completed_at IS NULL) (parent_id IS NOT NULL)");
}

struct Lookup {
    const char* statement;
    std::vector<const char*> indexes;
};

// Which index serves a look-up among waits, events, timers and children.
TEST_F(Plans, EveryLookupOfMailHasItsIndex) {
    const Address address = fresh_database("mail");
    const auto writer = connect(address, Role::writer);
    const Lookup lookups[] = {
        {"lock_instances_and_waiters",
         {"waits_pkey", "completion_waits_pkey", "instances_parent", "instances_pkey"}},
        {"load_waits", {"waits_pkey"}},
        {"load_completion_waits", {"completion_waits_pkey"}},
        {"load_children_of", {"instances_parent"}},
        {"load_inboxes", {"pending_events_target"}},
        {"load_whole_inboxes", {"pending_events_target"}},
        {"count_inboxes", {"pending_events_target"}},
        {"load_broadcasts", {"pending_events_broadcast", "event_fates_pkey"}},
        {"count_broadcasts", {"pending_events_broadcast"}},
        {"load_known_events", {"pending_events_pkey", "dead_events_pkey"}},
        {"load_fates", {"event_fates_pkey"}},
        {"load_journal", {"steps_pkey", "winning_conditions_pkey"}},
        {"read_due_timers", {"timers_due"}},
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

}  // namespace
}  // namespace holdfast::postgres
