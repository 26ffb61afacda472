// Each migration on a database with the previous schema and a thousand rows per table (I40).
#include "model/stream.h"
#include "store/postgres/schema.h"
#include "store/sql.h"
#include "store/sqlite/schema.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

// Inserts a thousand rows into a table after the migration that creates it. `n` is the row number.
// Null: that database does not have the table.
struct Filler {
    int since;
    const char* table;
    const char* sqlite;
    const char* postgres;

    const char* on(const std::string& kind) const { return kind == "sqlite" ? sqlite : postgres; }
};

#define HF_ID "cast(printf('%016d', n) as blob)"
#define HF_UUID "lpad(to_hex(n), 32, '0')::uuid"

const Filler fillers[] = {
    {1, "definitions",
     "insert into definitions (key, version, checksum, created_at) select 'k' || n, 1, x'00', n "
     "from r",
     "insert into definitions (key, version, checksum, created_at) select 'k' || n, 1, '', now() "
     "from r"},
    {1, "index_paths", "insert into index_paths (path) select 'p' || n from r",
     "insert into index_paths (path) select 'p' || n from r"},
    {2, "instances",
     "insert into instances (id, definition_key, definition_version, business_key, status, "
     "version, rev, "
     "history_hash, created_at, updated_at, last_modified_at) select " HF_ID
     ", 'k', 1, 'b' || n, 'running', 1, 1, x'00', n, n, n from r",
     "insert into instances (id, definition_key, definition_version, business_key, status, "
     "version, rev, "
     "history_hash, created_at, updated_at, last_modified_at) select " HF_UUID
     ", 'k', 1, 'b' || n, 'running', 1, 1, '', now(), now(), now() from r"},
    {2, "documents",
     "insert into documents (instance, state, state_metadata) select n, '{\"a\":1}', '{}' from r",
     "insert into documents (instance_id, open, state, state_metadata) select " HF_UUID
     ", true, '{\"a\":1}', '{}' from r"},
    {3, "activities",
     "insert into activities (activity_instance_id, instance, activity_id, is_completed, position) "
     "select " HF_ID ", n, 'a', 0, 0 from r",
     "insert into activities (activity_instance_id, instance_id, activity_id, is_completed, "
     "position) select " HF_UUID ", " HF_UUID ", 'a', false, 0 from r"},
    {3, "variables",
     "insert into variables (scope_id, instance, variables, position) select " HF_ID
     ", n, '{}', 0 from r",
     "insert into variables (scope_id, instance_id, variables, position) select " HF_UUID
     ", " HF_UUID ", '{}', 0 from r"},
    {3, "conditions",
     "insert into conditions (condition_state_id, instance, gateway_activity_instance_id, "
     "sequence_flow_id, "
     "result, is_evaluated, position) select " HF_ID ", n, " HF_ID ", 'f', 0, 0, 0 from r",
     "insert into conditions (condition_state_id, instance_id, gateway_activity_instance_id, "
     "sequence_flow_id, "
     "result, is_evaluated, position) select " HF_UUID ", " HF_UUID ", " HF_UUID
     ", 'f', false, false, 0 from r"},
    {3, "forks",
     "insert into forks (fork_id, instance, gateway_activity_instance_id, tokens, position) "
     "select " HF_ID ", n, " HF_ID ", x'', 0 from r",
     "insert into forks (fork_id, instance_id, gateway_activity_instance_id, tokens, position) "
     "select " HF_UUID ", " HF_UUID ", " HF_UUID ", '{}', 0 from r"},
    {4, "history",
     "insert into history (instance_id, version, type, payload, operation_id, at, hash) "
     "select " HF_ID ", 1, 'Started', '{}', " HF_ID ", n, x'00' from r",
     "insert into history (instance_id, version, type, payload, operation_id, at, hash) "
     "select " HF_UUID ", 1, 'Started', '{}', " HF_UUID ", now(), '' from r"},
    {5, "conflicts",
     "insert into conflicts (operation_id, instance_id, expected, actual, paths, resolution, at) "
     "select " HF_ID ", " HF_ID ", 1, 2, '[]', 'rejected', n from r",
     "insert into conflicts (operation_id, instance_id, expected, actual, paths, resolution, at) "
     "select " HF_UUID ", " HF_UUID ", 1, 2, '{}', 'rejected', now() from r"},
    {6, "checkpoints",
     "insert into checkpoints (instance, name, version, state, state_metadata, created_at) select "
     "n, 'c', 1, "
     "'{}', '{}', n from r",
     "insert into checkpoints (instance_id, name, version, state, state_metadata, created_at) "
     "select " HF_UUID ", 'c', 1, '{}', '{}', now() from r"},
    {7, "rounds",
     "insert into rounds (round_id, fate, committed_at) select " HF_ID ", 'committed', n from r",
     "insert into rounds (round_id, fate, committed_at) select " HF_UUID
     ", 'committed', now() from r"},
    {7, "operations",
     "insert into operations (client_key, request, outcome, operation_id, at) select 'k' || n, "
     "x'00', '{}', " HF_ID ", n from r",
     "insert into operations (client_key, request, outcome, operation_id, at) select 'k' || n, '', "
     "'{}', " HF_UUID ", now() from r"},
    {9, "waits",
     "insert into waits (name, began_at, operation_id, instance, token) select 'e' || n, n, " HF_ID
     ", n, " HF_ID " from r",
     "insert into waits (name, began_at, operation_id, instance_id, token) select 'e' || n, "
     "now(), " HF_UUID ", " HF_UUID ", " HF_UUID " from r"},
    {9, "completion_waits",
     "insert into completion_waits (awaited_id, began_at, operation_id, instance, token) "
     "select " HF_ID ", n, " HF_ID ", n, " HF_ID " from r",
     "insert into completion_waits (awaited_id, began_at, operation_id, instance_id, token) "
     "select " HF_UUID ", now(), " HF_UUID ", " HF_UUID ", " HF_UUID " from r"},
    {9, "timers", "insert into timers (instance, token, due_at) select n, " HF_ID ", n from r",
     "insert into timers (instance_id, token, due_at) select " HF_UUID ", " HF_UUID
     ", now() from r"},
    {22, "parallel_waits",
     "insert into parallel_waits (instance, token, wait) select n, " HF_ID ", '{}' from r",
     "insert into parallel_waits (instance_id, token, wait) select " HF_UUID ", " HF_UUID
     ", '{}' from r"},
    {9, "channels", nullptr, "insert into channels (name) select 'e' || n from r"},
    {10, "pending_events",
     "insert into pending_events (event_id, name, value, on_target_ended, keep, accepted_at, "
     "operation_id) select " HF_ID ", 'e', '{}', 'discard', 0, n, " HF_ID " from r",
     "insert into pending_events (event_id, name, value, on_target_ended, keep, accepted_at, "
     "operation_id) select " HF_UUID ", 'e', '{}', 'discard', false, now(), " HF_UUID " from r"},
    {10, "event_fates",
     "insert into event_fates (event_id, instance_id, name, fate, activity_index, at) "
     "select " HF_ID ", " HF_ID ", 'e', 'delivered', 0, n from r",
     "insert into event_fates (event_id, instance_id, name, fate, activity_index, at) "
     "select " HF_UUID ", " HF_UUID ", 'e', 'delivered', 0, now() from r"},
    {10, "dead_events",
     "insert into dead_events (event_id, name, target_id, value, on_target_ended, keep, "
     "accepted_at, operation_id, target_status, ended_at) select " HF_ID ", 'e', " HF_ID
     ", '{}', 'deadLetter', 0, n, " HF_ID ", 'failed', n from r",
     "insert into dead_events (event_id, name, target_id, value, on_target_ended, keep, "
     "accepted_at, operation_id, target_status, ended_at) select " HF_UUID ", 'e', " HF_UUID
     ", '{}', 'deadLetter', false, now(), " HF_UUID ", 'failed', now() from r"},
    {11, "steps",
     "insert into steps (instance, activity_index, name, result, value, at) select n, 0, 's', "
     "'value', '{}', n from r",
     "insert into steps (instance_id, activity_index, name, result, value, at) select " HF_UUID
     ", 0, 's', 'value', '{}', now() from r"},
    {11, "winning_conditions",
     "insert into winning_conditions (instance, activity_index, type, name) select n, 0, 'event', "
     "'e' from r",
     "insert into winning_conditions (instance_id, activity_index, type, name) select " HF_UUID
     ", 0, 'event', 'e' from r"},
    {13, "signal_queue",
     "insert into signal_queue (signal_id, instance_id, type, enqueued_at, visible_at, epoch, "
     "attempts, envelope) select " HF_ID ", " HF_ID ", 'ExternalSignal', n, n, 0, 0, x'00' from r",
     "insert into signal_queue (signal_id, instance_id, type, enqueued_at, visible_at, epoch, "
     "attempts, envelope) select " HF_UUID ", " HF_UUID
     ", 'ExternalSignal', now(), now(), 0, 0, '' from r"},
    {13, "schedule_queue",
     "insert into schedule_queue (signal_id, instance_id, type, enqueued_at, due_at, envelope) "
     "select " HF_ID ", " HF_ID ", 'ExternalSignal', n, n, x'00' from r",
     "insert into schedule_queue (signal_id, instance_id, type, enqueued_at, due_at, envelope) "
     "select " HF_UUID ", " HF_UUID ", 'ExternalSignal', now(), now(), '' from r"},
    {13, "dead_letters",
     "insert into dead_letters (signal_id, instance_id, type, enqueued_at, epoch, attempts, "
     "envelope, reason, detail, node, at) select " HF_ID ", " HF_ID
     ", 'ExternalSignal', n, 1, 1, x'00', 'Undecodable', '', 'a', n from r",
     "insert into dead_letters (signal_id, instance_id, type, enqueued_at, epoch, attempts, "
     "envelope, reason, detail, node, at) select " HF_UUID ", " HF_UUID
     ", 'ExternalSignal', now(), 1, 1, '', 'Undecodable', '', 'a', now() from r"},
    {13, "processed_signals",
     "insert into processed_signals (instance_id, signal_id, at) select " HF_ID ", " HF_ID
     ", n from r",
     "insert into processed_signals (instance_id, signal_id, at) select " HF_UUID ", " HF_UUID
     ", now() from r"},
    {14, "nodes",
     "insert into nodes (node_id, name, started_at, beat_at, lease_until) select " HF_ID
     ", 'a', n, n, n from r",
     "insert into nodes (node_id, name, started_at, beat_at, lease_until) select " HF_UUID
     ", 'a', now(), now(), now() from r"},
    {14, "host_locks",
     "insert into host_locks (name, owner, until, term) select 'l' || n, 'a', n, 1 from r",
     "insert into host_locks (name, owner, until, term) select 'l' || n, 'a', now(), 1 from r"},
    {16, "tasks",
     "insert into tasks (task_id, instance, definition_key, name, candidate_users, "
     "candidate_groups, payload, expected_outputs, priority, state, version, created_at, "
     "updated_at) select " HF_ID
     ", n, 'k', 't', '[]', '[]', 'null', '[]', 0, 'created', 1, n, n from r",
     "insert into tasks (task_id, instance_id, definition_key, name, candidate_users, "
     "candidate_groups, payload, expected_outputs, priority, state, version, created_at, "
     "updated_at) select " HF_UUID ", " HF_UUID
     ", 'k', 't', '{}', '{}', 'null', '{}', 0, 'created', 1, now(), now() from r"},
    {16, "task_candidates",
     "insert into task_candidates (kind, name, task) select 'user', 'u', " HF_ID " from r",
     nullptr},
    {17, "task_parts",
     "insert into task_parts (name, value, task) select 'p', 'v', " HF_ID " from r", nullptr},
    {16, "task_events",
     "insert into task_events (task_id, version, instance_id, type, detail, operation_id, at) "
     "select " HF_ID ", 1, " HF_ID ", 'created', '{}', " HF_ID ", n from r",
     "insert into task_events (task_id, version, instance_id, type, detail, operation_id, at) "
     "select " HF_UUID ", 1, " HF_UUID ", 'created', '{}', " HF_UUID ", now() from r"},
    {14, "marks", "insert into marks (name, at) select 'm' || n, n from r",
     "insert into marks (name, at) select 'm' || n, now() from r"},
    {24, "history_anchors",
     "insert into history_anchors (instance_id, version, hash, at) select " HF_ID ", 1, x'00', n "
     "from r",
     "insert into history_anchors (instance_id, version, hash, at) select " HF_UUID
     ", 1, '', now() from r"},
    {31, "shared_values",
     "insert into shared_values (digest, value, at) select " HF_ID ", '1', n from r",
     "insert into shared_values (digest, value, at) select decode(lpad(to_hex(n), 64, '0'), "
     "'hex'), '1', now() from r"},
    {38, "api_keys",
     "insert into api_keys (key_id, tenant, name, user_id, user_groups, roles, definitions, "
     "secret, created_at, change) select 'k' || n, 'default', 'k', 'u', '[]', '[\"viewer\"]', "
     "'[]', zeroblob(32), n, n from r",
     "insert into api_keys (key_id, tenant, name, user_id, user_groups, roles, definitions, "
     "secret, created_at, change) select 'k' || n, 'default', 'k', 'u', '{}', '{viewer}', '{}', "
     "decode(lpad('', 64, '0'), 'hex'), now(), n from r"},
    {42, "audit",
     "insert into audit (tenant, number, at, action, target, status, node, times, detail, hash) "
     "select 't', n, n, 'a', '/', 200, 'x', 1, '{}', zeroblob(32) from r",
     "insert into audit (tenant, number, at, action, target, status, node, times, detail, hash) "
     "select 't', n, now(), 'a', '/', 200, 'x', 1, '{}', decode(lpad('', 64, '0'), 'hex') from r"},
    {42, "audit_heads",
     "insert into audit_heads (tenant, newest, hash, forgotten, anchor) select 't' || n, n, "
     "zeroblob(32), 0, zeroblob(32) from r",
     "insert into audit_heads (tenant, newest, hash, forgotten, anchor) select 't' || n, n, "
     "decode(lpad('', 64, '0'), 'hex'), 0, decode(lpad('', 64, '0'), 'hex') from r"},
};

// "insert into t (...) select ... from r" over the numbers 1 to 1000.
std::string with_numbers(const std::string& kind, const std::string& insert) {
    return kind == "sqlite"
               ? "with recursive r(n) as (select 1 union all select n + 1 from r where n < 1000) " +
                     insert
               : "with r as (select generate_series(1, 1000) as n) " + insert;
}

class Migration : public ::testing::TestWithParam<const char*> {
protected:
    Migration() : place(GetParam(), "", StorePlace::Content::nothing) {}

    int newest() const {
        return place.kind() == "sqlite" ? sql::sqlite_migrations().back().number
                                        : sql::postgres_migrations().back().number;
    }
    Result<void> migrate_to(int number) {
        if (place.kind() == "postgres")
            return postgres::migrate_to({place.url(), std::chrono::seconds(30)}, number);
        auto database = *sqlite::Database::open(place.url().substr(7), sqlite::Mode::read_write);
        return sqlite::migrate(*database, number);
    }
    void fill_tables_made_by(int number) {
        for (const Filler& filler : fillers)
            if (const char* insert = filler.on(place.kind()); insert && filler.since == number)
                place.execute(with_numbers(place.kind(), insert));
    }

    StorePlace place;
};

TEST_P(Migration, EachOneKeepsTheThousandRowsOfEveryTableBeforeIt) {
    for (int number = 1; number <= newest(); ++number) {
        const auto migrated = migrate_to(number);
        ASSERT_TRUE(migrated.has_value()) << number << ": " << migrated.error().message;
        for (const Filler& filler : fillers) {
            if (filler.since >= number || !filler.on(place.kind())) continue;
            EXPECT_EQ(place.query(std::string("select count(*) from ") + filler.table), "1000")
                << filler.table << " after migration " << number;
        }
        fill_tables_made_by(number);
    }
    EXPECT_EQ(place.query("select count(*) from runtime_states where state_json is not null"),
              "1000");
    SystemClock clock;
    const auto store = open_store(place.url(), {.clock = &clock});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    EXPECT_EQ((*store)->ask(InstanceQuery{.limit = 10})->items.size(), 10u);
}

// Tasks and candidates that were stored before migration 17.
TEST_P(Migration, TasksGetThePartsOfTheirInstances) {
    const bool sqlite = place.kind() == "sqlite";
    ASSERT_TRUE(migrate_to(16).has_value());
    for (int number = 1; number <= 16; ++number) fill_tables_made_by(number);
    place.execute("update instances set business_parts = '{\"number\":\"17\"}' where " +
                  std::string(sqlite ? "seq = 7" : "id = lpad('7', 32, '0')::uuid"));
    place.execute("update tasks set ended_at = created_at where " +
                  std::string(sqlite ? "instance > 10" : "instance_id > lpad('a', 32, '0')::uuid"));
    ASSERT_TRUE(migrate_to(newest()).has_value());
    EXPECT_EQ(place.query("select count(*) from tasks where business_parts is not null"), "1");
    EXPECT_EQ(place.query("select count(active_task_id) from runtime_states"), "10");
    if (!sqlite) return;
    EXPECT_EQ(place.query("select count(*) from task_parts where name = 'number' and value = '17'"),
              "1");
    EXPECT_EQ(place.query("select count(*) from task_candidates where ended = 0"), "10");
}

// They were rows before migration 40, which leaves what does not fit into the row; on PostgreSQL
// nodes of the version before may go on.
TEST_P(Migration, AFewWaitsMoveToTheRowOfTheirInstance) {
    const bool sqlite = place.kind() == "sqlite";
    ASSERT_TRUE(migrate_to(39).has_value());
    for (int number = 1; number <= 2; ++number) fill_tables_made_by(number);
    place.execute("update instances set waiting_token = id");
    // The n-th instance has n % 7 waits, if that is more than one.
    const std::string wait =
        R"('{"beganAt":"2026-11-16T17:02:18.753564Z","names":["go"],"operation":)"
        R"("01a1e54f-407d-7083-b679-bd0e4f61bf55","since":"any","token":")";
    const std::string rest = R"(","until":null,"workflows":[]}')";
    place.execute(
        sqlite ? "with recursive k(k) as (select 1 union all select k + 1 from k where k < 6) "
                 "insert into parallel_waits (instance, token, wait) select i.seq, "
                 "cast(printf('%015d%d', i.seq, k) as blob), " +
                     wait + "00000000-0000-0000-0000-' || printf('%011d%d', i.seq, k) || '" + rest +
                     " from instances i join k on k.k <= i.seq % 7 where i.seq % 7 > 1"
               : "insert into parallel_waits (instance_id, token, wait) select i.id, "
                 "lpad(n || k::text, 32, '0')::uuid, " +
                     wait + "00000000-0000-0000-0000-' || lpad(n || k::text, 12, '0') || '" + rest +
                     " from (select id, substr(business_key, 2)::integer n from instances) i "
                     "join generate_series(1, 6) k on k <= n % 7 where n % 7 > 1");
    place.execute(with_numbers(
        place.kind(),
        sqlite ? "insert into waits (tenant, name, correlation, began_at, operation_id, token, "
                 "instance) select 't', case n % 3 when 0 then 'task/' || n when 1 then "
                 "'process/work/' || n else 'tasks' end, '', n, " HF_ID ", " HF_ID ", n from r"
               : "insert into waits (tenant, name, correlation, began_at, operation_id, token, "
                 "instance_id) select 't', case n % 3 when 0 then 'task/' || n when 1 then "
                 "'process/work/' || n else 'tasks' end, '', now(), " HF_UUID ", " HF_UUID
                 ", " HF_UUID " from r"));
    ASSERT_TRUE(migrate_to(40).has_value());
    EXPECT_EQ(place.query("select count(*) from waits"), "333");
    EXPECT_EQ(place.query("select count(*) from waits where name = 'tasks'"), "333");
    // Of 1,000 instances 143 or 142 have each number of waits.
    EXPECT_EQ(place.query("select count(*) from instances where waiting_json is not null"),
              sqlite ? "429" : "0");
    EXPECT_EQ(place.query("select count(*) from parallel_waits"), sqlite ? "1573" : "2860");
    SystemClock clock;
    const auto store = open_store(place.url(), {.clock = &clock});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    std::map<std::size_t, int> instances;
    const auto page = (*store)->ask(InstanceQuery{.limit = 1'000});
    for (const auto& found : page->items) ++instances[found.instance.waits.size()];
    EXPECT_EQ(instances[2] + instances[3] + instances[4], 429);
    EXPECT_EQ(5 * instances[5] + 6 * instances[6], 1'573);
}

// The user was a UUID before migration 32. The hash is that of the row as it was written then.
TEST_P(Migration, AHistoryOfUuidUsersStillVerifies) {
    const bool sqlite = place.kind() == "sqlite";
    ASSERT_TRUE(migrate_to(31).has_value());
    const std::string id = "01890a5d-ac96-774b-bcce-b302099a8057";
    const std::string user = "01890a5d-ac96-774b-bcce-b302099a80ff";
    const std::string row =
        R"({"at":"2026-01-28T10:00:00.000000Z","correlation":"","instance":")" + id +
        R"(","operation":")" + id +
        R"(","payload":{"n":1},"stateMetadata":null,"type":"Started","user":")" + user +
        R"(","version":1})";
    const auto bytes = [&](std::string text) {
        std::erase(text, '-');
        return sqlite ? "x'" + text + "'" : "'" + text + "'";
    };
    const std::string hash = to_hex(sha256(Digest{}, row));
    place.execute(
        "insert into history (instance_id, version, type, payload, user_id, operation_id, "
        "at, hash) values (" +
        bytes(id) + ", 1, 'Started', '{\"n\":1}', " + bytes(user) + ", " + bytes(id) + ", " +
        (sqlite ? "1769594400000000, x'" + hash + "'"
                : "'2026-01-28T10:00:00Z', '\\x" + hash + "'") +
        ")");
    SystemClock clock;
    const auto store = open_store(place.url(), {.clock = &clock});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const auto page = (*store)->ask(HistoryQuery{*parse_id<InstanceId>(id)});
    ASSERT_EQ(page->items.size(), 1u);
    EXPECT_EQ(page->items[0].cause.caller, Caller{.user = user});
    EXPECT_EQ(chain(Digest{}, page->items[0]), page->items[0].hash);
}

// Of a round that the stream tells of the position is the key since migration 37, on SQLite.
TEST(MigrationOfRounds, KeepsFatesAndPositionsAndGoesOnBehindThem) {
    StorePlace place("sqlite", "", StorePlace::Content::nothing);
    const auto migrate_to = [&](int number) {
        auto database = *sqlite::Database::open(place.url().substr(7), sqlite::Mode::read_write);
        return sqlite::migrate(*database, number);
    };
    ASSERT_TRUE(migrate_to(36).has_value());
    std::string records;
    for (const unsigned char byte : encode(RoundRecords{.at = {}, .records = {{}}}))
        for (const int digit : {byte >> 4, byte & 15}) records += "0123456789abcdef"[digit];
    place.execute(
        "insert into rounds (round_id, fate, committed_at, position, changes) values "
        "(x'00000000000070008000000000000003', 'committed', 3, 7, x'" +
        records +
        "'), "
        "(x'00000000000070008000000000000002', 'never', 2, null, null), "
        "(x'00000000000070008000000000000004', 'committed', 4, 5, x'" +
        records +
        "'), "
        "(x'00000000000070008000000000000001', 'committed', 1, null, null)");
    ASSERT_TRUE(migrate_to(37).has_value());
    EXPECT_EQ(place.query("select group_concat(position || fate || committed_at) from "
                          "(select * from rounds order by position)"),
              "-2never2,-1committed1,5committed4,7committed3");
    SystemClock clock;
    auto store = *open_store(place.url(), {.clock = &clock});
    const auto page = *store->ask(StreamQuery{.after = 0});
    ASSERT_EQ(page.rows.size(), 2u);
    EXPECT_EQ(page.rows[1].position, 7u);
    EXPECT_EQ(page.newest, 7u);
    auto writer = *store->open_writer();
    EXPECT_EQ(*writer->commit_status(*parse_id<RoundId>("00000000-0000-7000-8000-000000000003")),
              CommitStatus::committed);
    EXPECT_EQ(*writer->commit_status(*parse_id<RoundId>("00000000-0000-7000-8000-000000000002")),
              CommitStatus::never);
}

// Sessions of browsers came with migration 39.
TEST_P(Migration, KeysOfBeforeThereWereSessionsAreKeys) {
    ASSERT_TRUE(migrate_to(38).has_value());
    fill_tables_made_by(38);
    SystemClock clock;
    const auto store = open_store(place.url(), {.clock = &clock});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const auto keys = (*store)->ask(KeyQuery{.kind = KeyKind::key});
    ASSERT_TRUE(keys.has_value()) << keys.error().message;
    EXPECT_EQ(keys->size(), 1'000u);
    EXPECT_TRUE((*store)->ask(KeyQuery{.kind = KeyKind::session})->empty());
}

TEST_P(Migration, EveryTableHasAFiller) {
    ASSERT_TRUE(migrate_to(newest()).has_value());
    const std::string count = place.kind() == "sqlite"
                                  ? "select count(*) from sqlite_master where type = 'table' and "
                                    "name not like 'sqlite_%' and name not "
                                    "in ('schema_migrations', 'state_paths', 'business_parts')"
                                  : "select count(*) from pg_tables where schemaname = 'public' "
                                    "and tablename <> 'schema_migrations'";
    EXPECT_EQ(place.query(count), std::to_string(std::ranges::count_if(fillers, [&](const auto& f) {
                  return f.on(place.kind()) != nullptr;
              })));
}

TEST_P(Migration, ANewerSchemaIsRefusedAndLeftAlone) {
    ASSERT_TRUE(migrate_to(newest()).has_value());
    place.execute(
        place.kind() == "sqlite"
            ? "insert into schema_migrations (number, name) values (999, 'from_the_future')"
            : "insert into schema_migrations (number, name, applied_at) values (999, "
              "'from_the_future', now())");
    SystemClock clock;
    const auto store = open_store(place.url(), {.clock = &clock});
    ASSERT_FALSE(store.has_value());
    EXPECT_EQ(store.error().code, ErrorCode::newer_schema);
    EXPECT_NE(store.error().message.find("999"), std::string::npos) << store.error().message;
    EXPECT_EQ(place.query("select max(number) from schema_migrations"), "999");
}

TEST_P(Migration, ASecondStartAppliesNothing) {
    ASSERT_TRUE(migrate_to(newest()).has_value());
    ASSERT_TRUE(migrate_to(newest()).has_value());
    EXPECT_EQ(place.query("select count(*) from schema_migrations"), std::to_string(newest()));
}

INSTANTIATE_TEST_SUITE_P(Databases, Migration, ::testing::Values("sqlite", "postgres"), store_name);

}  // namespace
}  // namespace holdfast::testing
