// Definitions that a program and an operator share: neither drops what the other brought.
#include "base/json/canonical.h"
#include "program/flow.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class SharedDefinition : public ::testing::TestWithParam<const char*> {
protected:
    SharedDefinition() : world(GetParam()) {}

    Definition by_program() {
        return defined(op::Define{
            .cause = world.cause(), .key = "order", .kind = "flow", .program = flow_program()});
    }
    Definition by_operator(const std::string& schema, std::chrono::microseconds keep_for) {
        op::Define define{.cause = world.cause(), .key = "order"};
        define.schema = json::canonical(json_of(schema));
        define.compiled = *StateSchema::compile(*define.schema);
        define.indexes = {*json::parse_path("step")};
        define.retention = {.keep_for = keep_for, .stale_after = std::chrono::hours(1)};
        return defined(std::move(define));
    }
    Definition defined(op::Define define) {
        const auto outcome = world.run(std::move(define));
        return *std::get<op::Defined>(outcome).definition;
    }
    bool starts(const std::string& state) {
        const auto outcome = world.run(op::Start{.cause = world.cause(),
                                                 .definition = "order",
                                                 .state = document(state),
                                                 .state_metadata = document("{}"),
                                                 .arguments = document("[]")});
        return std::holds_alternative<op::Started>(outcome);
    }

    World world;
};

constexpr const char* needs_step = R"({"required": ["step"]})";

TEST_P(SharedDefinition, ADeployKeepsWhatAnOperatorSet) {
    by_program();
    const Definition set = by_operator(needs_step, std::chrono::hours(5));
    EXPECT_EQ(set.kind, "flow");
    const Definition deployed = by_program();
    EXPECT_EQ(deployed.ref, set.ref) << "nothing new: no new version";
    EXPECT_EQ(deployed.schema, set.schema);
    EXPECT_EQ(deployed.indexes, set.indexes);
    EXPECT_EQ(deployed.retention, set.retention);
    EXPECT_FALSE(starts("{}"));
    EXPECT_TRUE(starts(R"({"step":1})"));
}

TEST_P(SharedDefinition, AFirstDeployJoinsWhatAnOperatorSetBefore) {
    const Definition set = by_operator(needs_step, std::chrono::hours(5));
    EXPECT_EQ(set.kind, "outside");
    const Definition deployed = by_program();
    EXPECT_EQ(deployed.ref.version, 2u);
    EXPECT_EQ(deployed.kind, "flow");
    EXPECT_EQ(deployed.schema, set.schema);
    EXPECT_EQ(deployed.indexes, set.indexes);
    EXPECT_EQ(deployed.retention, set.retention);
    EXPECT_FALSE(starts("{}")) << "the schema is still checked";
    EXPECT_EQ(world.store->ask(ListRetentions{})->at("order"), set.retention);
}

TEST_P(SharedDefinition, AnOperatorReplacesTheSettingsAndKeepsTheProgram) {
    by_program();
    by_operator(needs_step, std::chrono::hours(5));
    const Definition set = by_operator("{}", std::chrono::hours(6));
    EXPECT_EQ(set.kind, "flow");
    EXPECT_EQ(by_program().ref, set.ref);
    EXPECT_TRUE(starts("{}"));
}

INSTANTIATE_TEST_SUITE_P(Stores, SharedDefinition, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
