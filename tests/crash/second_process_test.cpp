// Servers that must not start: on a SQLite file of another server, on a database of a newer
// version.
#include <gtest/gtest.h>

#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

Ended serve_to_end(const std::string& store_url) {
    return run_to_end({"serve", "--store", store_url, "--listen", "127.0.0.1:0"});
}

TEST(SecondProcess, IsRefusedOnASqliteFileThatAnotherServerOwns) {
    const StorePlace place("sqlite");
    ServerProcess first(place.url());

    const Ended second = serve_to_end(place.url());
    EXPECT_EQ(second.code, 1) << second.output;
    EXPECT_TRUE(second.output.contains("another holdfast process")) << second.output;
    EXPECT_TRUE(second.output.contains("holdfast.db")) << second.output;

    EXPECT_EQ(ServerClient(first.url()).get("/readyz")->status, 200)
        << "the first one still serves";
    first.kill9();
    EXPECT_EQ(ServerProcess(place.url()).terminate(), 0) << "the file is free after a kill";
}

TEST(SecondProcess, SharesAPostgresDatabase) {
    const StorePlace place("postgres");
    ServerProcess first(place.url());
    ServerProcess second(place.url());
    ServerClient writer(first.url());
    ASSERT_LT(writer.define("order")->status, 300);
    const std::string id =
        writer.must_start({.definition = "order", .state = boost::json::object{}});
    EXPECT_EQ(ServerClient(second.url()).get("/api/v1/workflows/" + id)->status, 200);
}

class NewerDatabase : public ::testing::TestWithParam<const char*> {};

TEST_P(NewerDatabase, IsRefusedWithAMessageThatNamesBothVersions) {
    const StorePlace place(GetParam());
    ASSERT_EQ(ServerProcess(place.url()).terminate(), 0);
    const std::string known = place.query("select max(number) from schema_migrations");
    place.execute("update schema_migrations set number = 9000 where number = " + known);

    const Ended ended = serve_to_end(place.url());
    EXPECT_EQ(ended.code, 1) << ended.output;
    EXPECT_TRUE(ended.output.contains("9000")) << ended.output;
    EXPECT_TRUE(ended.output.contains("supports up to " + known)) << ended.output;
    EXPECT_TRUE(ended.output.contains("newer holdfast")) << ended.output;
    EXPECT_EQ(place.query("select max(number) from schema_migrations"), "9000");

    place.execute("update schema_migrations set number = " + known + " where number = 9000");
    EXPECT_EQ(ServerProcess(place.url()).terminate(), 0) << "the refusal changed nothing";
}

INSTANTIATE_TEST_SUITE_P(OnEveryStore, NewerDatabase, ::testing::Values("sqlite", "postgres"),
                         store_name);

}  // namespace
}  // namespace holdfast::testing
