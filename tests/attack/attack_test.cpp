// Attacks on a real server on each database: its other clients are served meanwhile, nothing that
// was acknowledged is lost, memory is bounded, and the server stops when it is told. How long the
// others wait is measured by the campaign `attack`.
#include <gtest/gtest.h>

#include "attack/assault.h"
#include "support/eventually.h"
#include "support/server_client.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

constexpr int rounds = 8;

class UnderAttack : public ::testing::TestWithParam<std::tuple<const char*, std::size_t>> {};

std::vector<std::size_t> those_without_known_defects() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < all_attacks().size(); ++i)
        if (all_attacks()[i].known_defect.empty()) numbers.push_back(i);
    return numbers;
}

std::string list_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

TEST_P(UnderAttack, TheOthersAreServed) {
    const auto [store, number] = GetParam();
    const Attack& attack = all_attacks()[number];
    SCOPED_TRACE(attack.name);
    const StorePlace place(store);
    ServerProcess server(place.url());
    const AssaultReport report = run_assault(server, attack, rounds);
    EXPECT_EQ(list_of(report.alone.wrong), "");
    EXPECT_EQ(list_of(report.attacked.wrong), "");
    EXPECT_EQ(list_of(report.complaints), "");
    EXPECT_EQ(list_of(report.lost), "");
    EXPECT_LT(report.resident, most_resident);
    ServerClient after(server.url());
    EXPECT_TRUE(eventually([&] { return after.metric("holdfast_long_polls") == 0; }))
        << "the slots of clients that left are free";
    EXPECT_EQ(after.metric("holdfast_queue_depth"), 0);
    EXPECT_EQ(server.terminate(), 0);
}

std::string name_of_attack(
    const ::testing::TestParamInfo<std::tuple<const char*, std::size_t>>& param) {
    std::string name = std::string(std::get<0>(param.param)) + "_";
    for (const char c : all_attacks()[std::get<1>(param.param)].name)
        if (c != ',') name += c == ' ' || c == '-' ? '_' : c;
    return name;
}

INSTANTIATE_TEST_SUITE_P(Stores, UnderAttack,
                         ::testing::Combine(::testing::Values("sqlite", "postgres"),
                                            ::testing::ValuesIn(those_without_known_defects())),
                         name_of_attack);

}  // namespace
}  // namespace holdfast::testing
