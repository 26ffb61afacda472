// Fold = one by one: however operations are grouped into rounds, they give the same outcomes and
// the same rows, on every store (001.1).
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/Configuration.h>

#include <boost/json.hpp>
#include <sstream>

#include "base/log.h"
#include "operations/operation.h"
#include "support/script.h"
#include "support/script_stage.h"

namespace holdfast::testing {
namespace {

constexpr std::size_t script_length = 40;
constexpr std::size_t everything = 1'000;

rc::Gen<std::vector<Command>> any_commands() {
    const auto choices = rc::gen::container<std::array<std::uint32_t, 6>>(
        rc::gen::inRange<std::uint32_t>(0, 1u << 27));
    const auto command =
        rc::gen::map(rc::gen::pair(rc::gen::inRange<unsigned>(0, command_kinds), choices),
                     [](const std::pair<unsigned, std::array<std::uint32_t, 6>>& parts) {
                         return Command{parts.first, parts.second};
                     });
    return rc::gen::resize(rc::kNominalSize,
                           rc::gen::container<std::vector<Command>>(script_length, command));
}

std::string operation_at(const Script& script, std::size_t place) {
    for (const Segment& segment : script) {
        if (place < segment.operations.size())
            return boost::json::serialize(to_json(segment.operations[place]));
        place -= segment.operations.size();
    }
    return "";
}

std::string text_of(const Script& script, std::size_t up_to) {
    std::ostringstream out;
    std::size_t place = 0;
    for (const Segment& segment : script) {
        out << "at " << to_iso8601(segment.now) << (segment.claims ? ", claims\n" : "\n");
        for (const Operation& operation : segment.operations)
            if (place++ <= up_to)
                out << "  " << place - 1 << ' ' << boost::json::serialize(to_json(operation))
                    << '\n';
    }
    return out.str();
}

// Fails the property unless both ways gave the same result.
void must_equal(const Script& script, const Played& expected, const Played& other,
                const std::string& way) {
    for (std::size_t i = 0; i < expected.outcomes.size(); ++i)
        if (expected.outcomes[i] != other.outcomes[i])
            RC_FAIL(way + ", operation " + std::to_string(i) + " " + operation_at(script, i) +
                    "\n  one by one " + expected.outcomes[i] + "\n  here       " +
                    other.outcomes[i] + "\n" + text_of(script, i));
    if (const std::string rows = difference(expected.dump, other.dump); !rows.empty())
        RC_FAIL(way + ", rows (- one by one, + here):\n" + rows + text_of(script, everything));
}

// The outcomes of a run whose operations were submitted in `order`, by their places in the script.
Played put_back(Played played, const std::vector<std::size_t>& order) {
    std::vector<std::string> outcomes(played.outcomes.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        outcomes[order[i]] = std::move(played.outcomes[i]);
    played.outcomes = std::move(outcomes);
    return played;
}

// Folds as a shard does, where an operation that needs more reads runs after later ones: the same
// as one by one in the order in which they were decided.
void natural_fold_equals(const std::string& kind, const Script& script, const Played& expected) {
    const Played folded = play(kind, script, {everything}, Ordering::natural);
    if (std::ranges::is_sorted(folded.decided))
        return must_equal(script, expected, folded, kind + ", as shards do");
    const Script as_decided = reordered(script, folded.decided);
    // A start that the script's order refuses may come first here, before what acts on its flow.
    if (leases_within_segments(as_decided)) return;
    const Played again = play(kind, as_decided, {1});
    must_equal(script, put_back(again, folded.decided), folded, kind + ", as decided");
}

void fold_equals_one_by_one(const std::string& kind) {
    const Script script = make_script(*any_commands());
    const auto sizes =
        *rc::gen::container<std::vector<std::size_t>>(5, rc::gen::inRange<std::size_t>(1, 9));
    const Played expected = play("memory", script, {1});
    if (kind != "memory") must_equal(script, expected, play(kind, script, {1}), kind + ", singly");
    const Played whole = play(kind, script, {everything});
    must_equal(script, expected, whole, kind + ", folded");
    must_equal(script, expected, play(kind, script, sizes), kind + ", in pieces");
    natural_fold_equals(kind, script, expected);
    RC_ASSERT(whole.rounds < expected.rounds);
}

class Fold : public ::testing::TestWithParam<const char*> {};

TEST_P(Fold, EqualsItsOperationsOneByOne) {
    const std::string kind = GetParam();
    log::set_level(log::Level::off);
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    if (kind == "postgres") params.maxSuccess = (params.maxSuccess + 4) / 5;
    // Shrinking takes many minutes on a disk; the seed replays the failure.
    params.disableShrinking |= kind != "memory";
    rc::detail::TestMetadata metadata;
    metadata.id = "Fold/" + kind;
    const auto result =
        rc::detail::checkTestable([&] { fold_equals_one_by_one(kind); }, metadata, params);
    std::ostringstream message;
    rc::detail::printResultMessage(result, message);
    log::set_level(log::Level::info);
    EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
}

INSTANTIATE_TEST_SUITE_P(Stores, Fold, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
