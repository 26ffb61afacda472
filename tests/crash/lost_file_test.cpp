// A SQLite file under several names, and files that are deleted, moved or cut while a server uses
// them or after it was killed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/threads/pause.h"
#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const StorePlace& place) { return place.url().substr(7); }
fs::path wal_of(const StorePlace& place) { return place.url().substr(7) + "-wal"; }

Ended serve_file(const fs::path& file) {
    return run_to_end({"serve", "--store", "sqlite:" + file.string(), "--listen", "127.0.0.1:0"},
                      std::chrono::seconds(5));
}

// Starts a workflow and changes it `edits` times; returns its id.
std::string write_some(const std::string& url, Version edits) {
    ServerClient client(url);
    EXPECT_LT(client.define("order")->status, 300);
    const std::string id = client.must_start({.definition = "order", .state = {{"n", 0}}});
    for (Version version = 1; version <= edits; ++version)
        EXPECT_EQ(client
                      .patch({.id = id,
                              .expected = version,
                              .body = "{\"n\":" + std::to_string(version) + "}"})
                      ->status,
                  200);
    return id;
}

Version version_of(const std::string& url, const std::string& id) {
    const auto found = ServerClient(url).must_get("/api/v1/workflows/" + id);
    return found.at("version").to_number<Version>();
}

class UnderAnotherName : public ::testing::TestWithParam<const char*> {};

TEST_P(UnderAnotherName, ASecondServerIsRefused) {
    const StorePlace place("sqlite");
    ServerProcess first(place.url());
    const std::string id = write_some(first.url(), 10);
    const fs::path other = file_of(place).parent_path() / "other.db";
    const std::string name = GetParam();
    if (name == "HardLink") fs::create_hard_link(file_of(place), other);
    if (name == "SymbolicLink") fs::create_symlink(file_of(place), other);
    if (name == "SameNameWithoutALockFile") fs::remove(file_of(place).string() + "-lock");

    const Ended second = serve_file(name.contains("Link") ? other : file_of(place));
    EXPECT_EQ(second.code, 1) << second.output;
    EXPECT_TRUE(second.output.contains("another holdfast process")) << second.output;
    EXPECT_EQ(version_of(first.url(), id), 11);
}

INSTANTIATE_TEST_SUITE_P(Sqlite, UnderAnotherName,
                         ::testing::Values("HardLink", "SymbolicLink", "SameNameWithoutALockFile"),
                         [](const auto& test) { return std::string(test.param); });

// What a killed server leaves is complete only with its WAL, which has the old name.
TEST(HardLink, OfAFileThatNeedsItsWalIsRefusedUnderTheNewName) {
    const StorePlace place("sqlite");
    ServerProcess server(place.url());
    const std::string id = write_some(server.url(), 10);
    server.kill9();
    const fs::path other = file_of(place).parent_path() / "other.db";
    fs::create_hard_link(file_of(place), other);
    const Ended second = serve_file(other);
    EXPECT_EQ(second.code, 1) << second.output;
    EXPECT_TRUE(second.output.contains("other.db-wal")) << second.output;

    server.restart();
    EXPECT_EQ(version_of(server.url(), id), 11);
}

// The same file in the same process: refused, and SQLite keeps its locks on the file. Without them
// another process could take the WAL away.
TEST(SecondStore, OfAProcessIsRefusedAndDropsNoLocks) {
    World world("sqlite");
    world.define("orders");
    const fs::path other = file_of(world.place).parent_path() / "other.db";
    fs::create_hard_link(file_of(world.place), other);
    const auto locks = [&] {
        std::ifstream all("/proc/locks");
        const std::string owner = " " + std::to_string(::getpid()) + " ";
        int posix = 0;
        for (std::string line; std::getline(all, line);)
            posix += line.contains("POSIX") && line.contains(owner) ? 1 : 0;
        return posix;
    };
    const int before = locks();
    ASSERT_GT(before, 0);
    for (int i = 0; i < 3; ++i) {
        const auto second = open_store("sqlite:" + other.string(), {.clock = &world.clock});
        ASSERT_FALSE(second.has_value());
        EXPECT_EQ(second.error().code, ErrorCode::in_use);
        EXPECT_EQ(locks(), before);
    }
    world.start("orders", "{}");
}

struct Loss {
    const char* name;
    std::function<void(const StorePlace&)> happen;
};

class Lost : public ::testing::TestWithParam<Loss> {};

// Every edit that was acknowledged before is there; none is acknowledged afterwards.
TEST_P(Lost, FileMakesTheServerRefuseCommitsAndEnd) {
    const StorePlace place("sqlite");
    ServerProcess server(place.url());
    const std::string id = write_some(server.url(), 5);
    GetParam().happen(place);

    ServerClient client(server.url());
    const auto refused = client.patch({.id = id, .expected = 6, .body = "{\"n\":7}"});
    if (refused) {
        EXPECT_EQ(refused->status, 503);
    }
    for (int i = 0; i < 300 && !server.has_ended_itself(); ++i)
        pause_for(std::chrono::milliseconds(100));
    ASSERT_TRUE(server.has_ended_itself());
    EXPECT_EQ(server.terminate(), 1);
    EXPECT_TRUE(server.output().contains("store.file_lost")) << server.output();
    EXPECT_TRUE(server.output().contains("deleted, moved or replaced")) << server.output();
}

INSTANTIATE_TEST_SUITE_P(
    Sqlite, Lost,
    ::testing::Values(Loss{"Deleted", [](const StorePlace& place) { fs::remove(file_of(place)); }},
                      Loss{"Moved",
                           [](const StorePlace& place) {
                               fs::rename(file_of(place), file_of(place).string() + ".old");
                           }},
                      Loss{"Replaced",
                           [](const StorePlace& place) {
                               const std::string copy = file_of(place).string() + ".copy";
                               fs::copy_file(file_of(place), copy);
                               fs::rename(copy, file_of(place));
                           }},
                      Loss{"WalDeleted",
                           [](const StorePlace& place) { fs::remove(wal_of(place)); }}),
    [](const auto& test) { return std::string(test.param.name); });

// The server still had its WAL open, so it wrote everything into the file before it ended.
TEST(LostWal, IsSavedByTheEndOfTheServer) {
    const StorePlace place("sqlite");
    ServerProcess server(place.url());
    const std::string id = write_some(server.url(), 5);
    fs::remove(wal_of(place));
    EXPECT_EQ(server.terminate(), 1) << server.output();
    server.launch();
    server.wait_until_serving();
    EXPECT_EQ(version_of(server.url(), id), 6);
}

class CutWal : public ::testing::TestWithParam<Loss> {};

TEST_P(CutWal, AfterAKillIsRefusedUntilItIsPutBack) {
    const StorePlace place("sqlite");
    ServerProcess server(place.url());
    const std::string id = write_some(server.url(), 200);
    server.kill9();
    const std::string kept = wal_of(place).string() + ".kept";
    fs::copy_file(wal_of(place), kept);
    GetParam().happen(place);

    for (int i = 0; i < 2; ++i) {
        const Ended ended = serve_file(file_of(place));
        EXPECT_EQ(ended.code, 1) << ended.output;
        EXPECT_TRUE(ended.output.contains("holdfast.db-wal")) << ended.output;
        EXPECT_TRUE(ended.output.contains("Put that file back")) << ended.output;
    }
    fs::rename(kept, wal_of(place));
    server.launch();
    server.wait_until_serving();
    EXPECT_EQ(version_of(server.url(), id), 201);
}

INSTANTIATE_TEST_SUITE_P(
    Sqlite, CutWal,
    ::testing::Values(Loss{"Missing", [](const StorePlace& place) { fs::remove(wal_of(place)); }},
                      Loss{"Empty",
                           [](const StorePlace& place) { fs::resize_file(wal_of(place), 0); }},
                      Loss{"Half",
                           [](const StorePlace& place) {
                               fs::resize_file(wal_of(place), fs::file_size(wal_of(place)) / 2);
                           }},
                      Loss{"WithoutItsEnd",
                           [](const StorePlace& place) {
                               fs::resize_file(wal_of(place), fs::file_size(wal_of(place)) - 4'096);
                           }}),
    [](const auto& test) { return std::string(test.param.name); });

// Its refusal says how to accept the loss.
TEST(MissingWal, CanBeAccepted) {
    const StorePlace place("sqlite");
    ServerProcess server(place.url());
    write_some(server.url(), 5);
    server.kill9();
    fs::remove(wal_of(place));
    EXPECT_EQ(serve_file(file_of(place)).code, 1);
    place.execute("pragma user_version = 0");
    server.launch();
    server.wait_until_serving();
    EXPECT_EQ(ServerClient(server.url()).get("/readyz")->status, 200);
}

// sqlite3 moves the WAL into the file and deletes it when it closes: nothing is missing.
TEST(AnotherProgram, MayReadTheFileAfterAKill) {
    const StorePlace place("sqlite");
    ServerProcess server(place.url());
    const std::string id = write_some(server.url(), 5);
    for (int round = 0; round < 3; ++round) {
        server.kill9();
        EXPECT_EQ(place.query("select count(*) from instances"), "1");
        EXPECT_FALSE(fs::exists(wal_of(place)));
        server.restart();
        EXPECT_EQ(version_of(server.url(), id), 6);
    }
}

// Several checkpoints happen on the way: the mark follows them.
TEST(MissingWal, IsNoticedAfterManyCheckpoints) {
    const StorePlace place("sqlite");
    ServerProcess server(place.url());
    ServerClient client(server.url());
    ASSERT_LT(client.define("order")->status, 300);
    const std::string big(200'000, 'x');
    for (int i = 0; i < 150; ++i) client.must_start({.definition = "order", .state = {{"b", big}}});
    ASSERT_LT(fs::file_size(wal_of(place)), 20'000'000U) << "the WAL is used again";
    ASSERT_GT(fs::file_size(file_of(place)), 10'000'000U) << "pages were moved into the file";
    server.kill9();
    fs::rename(wal_of(place), wal_of(place).string() + ".kept");
    EXPECT_EQ(serve_file(file_of(place)).code, 1);
    fs::rename(wal_of(place).string() + ".kept", wal_of(place));
    server.restart();
    EXPECT_EQ(place.query("select count(*) from instances"), "150");
}

// Nobody waits for 8 MiB of somebody's large values to be moved at once.
TEST(LargeValues, AreMovedIntoTheFileInSmallParts) {
    const StorePlace place("sqlite");
    const ServerProcess server(place.url());
    ServerClient client(server.url());
    ASSERT_LT(client.define("order")->status, 300);
    const std::string id = client.must_start({.definition = "order", .state = {{"n", 0}}});
    constexpr std::size_t size = 900'000;
    constexpr int count = 5;  // less than 8 MiB
    for (int i = 0; i < count; ++i) {
        const std::string value = std::to_string(i) + std::string(size, 'v');
        const auto sent =
            client.post("/api/v1/workflows/" + id + "/events/n", R"({"value": ")" + value + "\"}");
        ASSERT_EQ(sent->status, 202);
    }
    EXPECT_GT(fs::file_size(file_of(place)), (count - 2) * size);
}

}  // namespace
}  // namespace holdfast::testing
