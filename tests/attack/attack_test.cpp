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
class StoppedUnderAttack : public UnderAttack {};

// Those that keep the server's threads busy.
std::vector<std::size_t> those_of_long_work() {
    std::vector<std::size_t> numbers;
    for (std::size_t number = 0; number < all_attacks().size(); ++number) {
        const std::string& name = all_attacks()[number].name;
        if (name.contains("containment") || name.contains("patterns") || name.contains("large"))
            numbers.push_back(number);
    }
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
    EXPECT_LT(report.attacked.overtaken,
              attack.most_overtaking * static_cast<std::uint64_t>(attack.attackers));
    ServerClient after(server.url());
    EXPECT_TRUE(eventually([&] { return after.metric("holdfast_long_polls") == 0; }))
        << "the slots of clients that left are free";
    EXPECT_EQ(after.metric("holdfast_queue_depth"), 0);
    EXPECT_EQ(server.terminate(), 0);
}

// Within the 10 s that it promises.
TEST_P(StoppedUnderAttack, TheServerStopsInTime) {
    const auto [store, number] = GetParam();
    const Attack& attack = all_attacks()[number];
    SCOPED_TRACE(attack.name);
    const StorePlace place(store);
    ServerProcess server(place.url());
    EXPECT_EQ(stop_under(server, attack), 0);
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
                                            ::testing::Range(std::size_t{0}, all_attacks().size())),
                         name_of_attack);
INSTANTIATE_TEST_SUITE_P(Stores, StoppedUnderAttack,
                         ::testing::Combine(::testing::Values("sqlite", "postgres"),
                                            ::testing::ValuesIn(those_of_long_work())),
                         name_of_attack);

}  // namespace
}  // namespace holdfast::testing
