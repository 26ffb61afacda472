// What the programs that keep a journal answer to what happens: pure, without a store.
#include <gtest/gtest.h>

#include "program/flow.h"
#include "program/kinds.h"
#include "program/outside.h"
#include "program/traits.h"

namespace holdfast::testing {
namespace {

const Moment now{std::chrono::seconds(1'900'000'000)};
const Document notice = Document::of(boost::json::object{{"outcome", "completed"}});

Instance waiting_instance() {
    Instance instance;
    instance.index = 4;
    return instance;
}

TEST(Reactions, TheEndOfATaskIsRecordedUnderItsName) {
    const TaskId task{make_uuid_v7(now, 1, 2)};
    const Waiting wait;
    for (const auto& program : {flow_program(), outside_program()}) {
        const Reaction reaction =
            program->react(waiting_instance(), stimulus::TaskEnded{wait, task, notice}, now);
        ASSERT_EQ(reaction.journal.size(), 1u);
        EXPECT_EQ(reaction.journal[0].step.index, 4u);
        EXPECT_EQ(reaction.journal[0].step.value, notice);
        EXPECT_EQ(reaction.journal[0].winner->name, event_name_of(task));
    }
    EXPECT_EQ(task_named_by(event_name_of(task)), task);
    EXPECT_EQ(task_named_by("task/of nobody"), std::nullopt);
    EXPECT_EQ(task_named_by("paid"), std::nullopt);
}

TEST(Reactions, AFlowKeepsTheFailedAttemptsAtItsIndex) {
    Instance instance = waiting_instance();
    instance.program.retry = Retry{.index = 3, .attempts = {{notice, now}}};
    const auto fail_once = [&] {
        Reaction reaction = flow_program()->react(instance, stimulus::AttemptFailed{notice}, now);
        instance.program = *reaction.program;
    };
    fail_once();
    EXPECT_EQ(instance.program.retry->index, 4u);
    EXPECT_EQ(instance.program.retry->attempts.size(), 1u);
    fail_once();
    EXPECT_EQ(instance.program.retry->attempts.size(), 2u);
}

TEST(Reactions, AStepWithAnUndoMakesAFlowRollBackWhenItIsCancelled) {
    const Step step{.index = 4, .name = "pay", .at = now};
    const Instance instance = waiting_instance();
    const Reaction plain =
        flow_program()->react(instance, stimulus::StepRecorded{.step = step}, now);
    EXPECT_FALSE(plain.program->rollback);
    const stimulus::StepRecorded undoable{.step = step, .registers_undo = true};
    EXPECT_TRUE(flow_program()->react(instance, undoable, now).program->rollback);
    EXPECT_FALSE(outside_program()->react(instance, undoable, now).program.has_value());
}

TEST(Reactions, OnlyTwoRunnersCanBeChosen) {
    EXPECT_FALSE(runner_kind("outside")->program);
    EXPECT_TRUE(runner_kind("worker")->program);
    EXPECT_FALSE(runner_kind("flow").has_value());
    EXPECT_FALSE(runner_kind("bpmn").has_value());
}

TEST(Reactions, WhoeverHasARunnerIsPolledOrLeased) {
    for (const RunBy run_by : {RunBy::outside, RunBy::node, RunBy::rounds}) {
        const Traits traits = traits_of(run_by);
        EXPECT_EQ(traits.is_polled + traits.needs_lease + traits.moves_alone, 1);
        EXPECT_TRUE(traits.has_continuation || !traits.needs_lease);
    }
}

}  // namespace
}  // namespace holdfast::testing
