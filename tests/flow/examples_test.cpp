// Runs the examples and compares their output.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "holdfast/node.h"
#include "support/eventually.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

std::string run(const std::string& example, const std::string& arguments) {
    const char* folder = std::getenv("HOLDFAST_EXAMPLES");
    const std::string command = "'" + std::string(folder ? folder : ".") + "/example_" + example +
                                "' " + arguments;  // its log, on stderr, is the test's
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string output;
    std::array<char, 4096> buffer;
    while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe.get()))
        output.append(buffer.data(), count);
    return output;
}

class ExampleOn : public ::testing::TestWithParam<const char*> {
protected:
    StorePlace place{GetParam()};
    std::string store() const { return "'" + place.url() + "'"; }
};

TEST_P(ExampleOn, Checkout) {
    EXPECT_EQ(run("checkout", store()), "tea: shipped parcel-tea\njam: expired \n");
}

TEST_P(ExampleOn, Saga) {
    EXPECT_EQ(run("saga", store()),
              "gone to Rome\n  book flight\n  book hotel\n  book car\n"
              "failed\n  book flight\n  book hotel\n  cancel hotel\n  cancel flight\n");
}

TEST_P(ExampleOn, Approval) {
    EXPECT_EQ(run("approval", store()),
              "approve leave: {\"days\":3,\"who\":\"bob\"}\n"
              "approve leave: {\"days\":300,\"who\":\"eve\"}\nbob: approved\neve: refused\n");
}

TEST_P(ExampleOn, FanOut) {
    EXPECT_EQ(run("fan_out", store() + " 1000"), "1000 pages, 252997 words\n");
}

TEST_P(ExampleOn, Polling) { EXPECT_EQ(run("polling", store()), "report was ready in round 25\n"); }

TEST_P(ExampleOn, Transfer) {
    StorePlace bank("sqlite");
    const std::string folder = bank.url().substr(bank.url().find(':') + 1) + ".bank";
    const std::string arguments = store() + " " + folder + " 20";
    EXPECT_EQ(run("transfer", arguments), "moved 210: ann -210, bob 110, eve 100\n");
    if (place.kind() == "memory") return;
    // A second run finds its transfers already made.
    EXPECT_EQ(run("transfer", arguments), "moved 210: ann -210, bob 110, eve 100\n");
    std::filesystem::remove_all(folder);
}

TEST_P(ExampleOn, Check) {
    EXPECT_EQ(run("check", store()), "0 open workflows do not match\n");
    if (place.kind() == "memory") return;
    std::string id;
    {
        Node node(NodeOptions{.store = place.url(), .log_level = "off"});
        node.add("greet", [](Context& ctx, std::string) -> Flow<> {
            co_await ctx.step("pick", [] {});
            co_await ctx.event("go");
        });
        id = node.start("greet", "ann");
        ASSERT_TRUE(eventually([&] { return node.status(id) == "suspended"; }));
    }
    EXPECT_EQ(run("check", store()),
              "greet " + id +
                  " at 1: the program has step 'choose', the journal has 'pick'\n"
                  "1 open workflows do not match\n");
}

INSTANTIATE_TEST_SUITE_P(Stores, ExampleOn, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
