// Conditions of an embedded file: weak settings, a full disk, rows of a newer version (I36, I37).
#include <fstream>

#include "store/sql.h"
#include "store/sqlite/settings.h"
#include "store/sqlite/writer.h"
#include "support/batch.h"
#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

TEST(SqliteSettings, WeakOnesAreRefused) {
    const StorePlace place("sqlite");
    auto database = *sqlite::Database::open(place.url().substr(7), sqlite::Mode::read_write);
    ASSERT_TRUE(database->execute(sqlite::writer_pragmas).has_value());
    EXPECT_TRUE(sqlite::check_durability(*database).has_value());
    for (const char* weak : {"pragma synchronous = normal", "pragma synchronous = off",
                             "pragma foreign_keys = off", "pragma journal_mode = delete"}) {
        ASSERT_TRUE(database->execute(weak).has_value());
        const auto checked = sqlite::check_durability(*database);
        ASSERT_FALSE(checked.has_value()) << weak;
        EXPECT_EQ(checked.error().code, ErrorCode::refused);
        ASSERT_TRUE(database->execute(sqlite::writer_pragmas).has_value());
        EXPECT_TRUE(sqlite::check_durability(*database).has_value());
    }
}

// A claim seeks by program and does not scan all free signals.
TEST(SqlitePlans, AClaimUsesTheIndexOnPrograms) {
    const World world("sqlite");
    auto database = *sqlite::Database::open(world.place.url().substr(7), sqlite::Mode::read_only);
    for (const char* name : {"read_claimable", "read_next_claimable"}) {
        const auto text = sql::text_of(sql::sqlite_statements(), name);
        sqlite::Statement plan(database->handle(), "explain query plan " + std::string(text));
        ASSERT_EQ(plan.bind().step(), sqlite::Stepped::row) << name;
        for (int before = 0; before < 3; ++before) plan.integer();
        EXPECT_TRUE(plan.text().starts_with("SEARCH q USING INDEX signal_queue_free (program=?"));
    }
}

// The tables and indexes that a statement of the store opens in order to write them.
std::set<std::string> written_by(sqlite::Database& database, std::string_view name) {
    sqlite::Statement program(database.handle(),
                              "explain " + sql::text_of(sql::sqlite_statements(), name));
    std::vector<std::string> roots;
    program.bind();
    while (*program.step() == sqlite::Stepped::row) {
        (void)program.integer();
        const std::string opcode = program.text();
        (void)program.integer();
        if (opcode == "OpenWrite") roots.push_back(program.text());
    }
    std::set<std::string> names;
    for (const std::string& root : roots)
        names.insert(
            *database.query_text("select name from sqlite_master where rootpage = " + root));
    return names;
}

// SQLite writes the entry of an index again if the statement names one of its columns, or a column
// of its condition: each is one more page of the commit.
TEST(SqlitePlans, AnEditOrAMoveOrAClaimedTaskLeavesIndexesAlone) {
    const World world("sqlite");
    auto database = *sqlite::Database::open(world.place.url().substr(7), sqlite::Mode::read_only);
    using Names = std::set<std::string>;
    EXPECT_EQ(written_by(*database, "move_instances"), Names{"instances"});
    EXPECT_EQ(written_by(*database, "edit_instances"), Names{"instances"});
    EXPECT_TRUE(written_by(*database, "update_instances").contains("instances_open"));
    EXPECT_EQ(written_by(*database, "update_document"), Names{"documents"});
    EXPECT_EQ(written_by(*database, "write_round"), Names{"rounds"});
    for (const std::string& index : written_by(*database, "update_open_tasks"))
        EXPECT_TRUE((Names{"tasks", "sqlite_autoindex_tasks_1", "tasks_assignee", "tasks_holder",
                           "tasks_open_assignee", "tasks_open_holder"}
                         .contains(index)))
            << index;
    EXPECT_TRUE(written_by(*database, "update_tasks").contains("tasks_open"));
}

// Each commit writes pages of the one before again, so to move them early is to move them often.
TEST(SqliteWal, LargeRoundsOfSmallEditsAreMovedIntoTheFileTogether) {
    World world("sqlite");
    world.define("orders");
    const std::string path = world.place.url().substr(7);
    const auto content = [&] {
        std::ostringstream bytes;
        bytes << std::ifstream(path, std::ios::binary).rdbuf();
        return bytes.str();
    };
    const auto state = [](int n) {
        return document(R"({"n":)" + std::to_string(n) + R"(,"note":")" + std::string(250, 'x') +
                        "\"}");
    };
    const auto run = [&](std::vector<Operation> round) {
        for (const auto& outcome : submit_batch(*world.coordinator, std::move(round)).get())
            ASSERT_TRUE(outcome.has_value());
    };
    std::vector<InstanceId> ids;
    std::vector<Operation> starts;
    for (int i = 0; i < 256; ++i) {
        const op::Start start{.cause = world.cause(), .definition = "orders", .state = state(0)};
        ids.push_back(start.instance());
        starts.emplace_back(start);
    }
    run(std::move(starts));
    const std::string before = content();
    for (int n = 1; n <= 8; ++n) {
        std::vector<Operation> edits;
        for (const InstanceId& id : ids)
            edits.emplace_back(op::EditState{
                .cause = world.cause(), .instance = id, .edit = op::Replace{.state = state(n)}});
        run(std::move(edits));
    }
    EXPECT_TRUE(content() == before) << "nothing was moved";
}

TEST(SqliteFull, NothingIsHalfWrittenAndWritesWorkAgainOnceThereIsSpace) {
    std::size_t most_pages = 1'000'000;
    World world("sqlite", {.most_pages = [&] { return most_pages; }});
    world.define("orders");
    const Instance before = world.start("orders", R"({"n":1})");
    const auto writer = *world.store->open_writer();
    const std::string big = "{\"big\":\"" + std::string(200'000, 'x') + "\"}";
    Instance instance{.id = world.ids.next<InstanceId>(), .definition = {"orders", 1}};
    instance.state = document(big);
    ReadSet reads;
    reads.instance(instance.id, Depth::whole, Past::looked_up);
    const auto insert = [&] {
        return writer->commit({world.ids.next<RoundId>(), reads}, [&](View& view) {
            Instance& stored = view.insert(instance);
            view.accept(stored, {.type = HistoryType::started,
                                 .payload = big,
                                 .state_metadata = "{}",
                                 .cause = world.cause()});
        });
    };
    most_pages = 1;  // the file keeps its pages but cannot grow
    for (int i = 0; i < 3; ++i) {
        const auto full = insert();
        ASSERT_FALSE(full.has_value());
        EXPECT_EQ(full.error().code, ErrorCode::unavailable);
        EXPECT_NE(full.error().message.find("disk is full"), std::string::npos)
            << full.error().message;
        EXPECT_FALSE(world.store->ask(FindInstance{instance.id, Depth::row})->has_value());
        EXPECT_TRUE(world.history(instance.id).empty());
    }
    EXPECT_EQ(world.read(before.id).state.text(), R"({"n":1})");
    most_pages = 1'000'000;
    const auto done = insert();
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_EQ(world.read(instance.id).state.text(), instance.state.text());
}

TEST(SqliteFsync, AFailedOneStopsTheProcess) {
    const auto failed = [](int code) {
        return Error{ErrorCode::unavailable, "SQLite: failed", {{"sqliteCode", code}}};
    };
    EXPECT_DEATH(sqlite::stop_on_io_error(failed(SQLITE_IOERR_FSYNC)), "");
    EXPECT_DEATH(sqlite::stop_on_io_error(failed(SQLITE_IOERR_WRITE)), "");
    for (const int harmless : {SQLITE_FULL, SQLITE_BUSY, SQLITE_CONSTRAINT})
        sqlite::stop_on_io_error(failed(harmless));
}

TEST(SqliteSnapshot, AnInstanceOfANewerHoldfastIsRefusedAndOthersAreNot) {
    World world("sqlite");
    world.define("orders");
    const Instance newer = world.start("orders", "{}");
    world.tamper("update instances set snapshot_schema_version = 99");
    const Instance other = world.start("orders", "{}");
    const auto writer = *world.store->open_writer();
    const auto touch = [&](const InstanceId& id) {
        ReadSet reads;
        reads.instance(id, Depth::row);
        return writer->commit({world.ids.next<RoundId>(), reads},
                              [&](View& view) { view.edit(id).paused = true; });
    };
    const auto refused = touch(newer.id);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_NE(refused.error().message.find("99"), std::string::npos) << refused.error().message;
    EXPECT_TRUE(touch(other.id).has_value());
}

// The range scan by which SQLite finds a continuation depends on this.
TEST(SqliteContinuation, AnIdThatDerivesFromAnInstanceSharesItsFirstNineBytes) {
    SystemClock clock;
    IdSource ids(clock);
    for (std::uint64_t n = 0; n < 1'000; ++n) {
        const auto id = ids.next<InstanceId>();
        const Uuid derived = derive(id.value, n);
        EXPECT_TRUE(
            std::equal(derived.bytes.begin(), derived.bytes.begin() + 9, id.value.bytes.begin()));
    }
}

// No index of the table forbids it.
TEST(SqliteContinuation, ASecondOneOfAnInstanceIsRefused) {
    SignalWorld world("sqlite");
    const Instance instance = world.fresh_program();
    world.round(ReadSet{}, [&](View& view) {
        view.signals().enqueue({.id = SignalId{derive(instance.id.value, 99)},
                                .instance = instance.id,
                                .type = SignalType::internal_continue,
                                .program = "program",
                                .enqueued_at = view.now(),
                                .visible_at = view.now()});
    });
    ReadSet reads;
    reads.instance(instance.id, Depth::whole);
    const auto refused = world.writer->commit({world.ids.next<RoundId>(), reads}, [&](View& view) {
        MailWorld::insert(view, instance, world.cause());
    });
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_EQ(refused.error().message, "the instance already has a continuation");
    EXPECT_FALSE(*world.store->ask(FindInstance{instance.id, Depth::row}));
}

}  // namespace
}  // namespace holdfast::testing
