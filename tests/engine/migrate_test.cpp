// Running processes go over to another version of their model, on every store.
#include "engine/migration_world.h"
#include "model/definition.h"
#include "program/kinds.h"

namespace holdfast::testing {
namespace {

class Migrations : public MigrationWorld {};

TEST_P(Migrations, ATaskGoesOnUnderItsIdAndTheNewVersionSaysWhatIsNext) {
    deploy(line({"a"}, user("a")));
    const InstanceId id = start(R"({"x": 1})");
    deploy(line({"a", "b"}, user("a") + user("b")));
    const TaskId task = tasks(id).front().id;
    const auto waits = world.read(id).waits;
    const MigrationReport report = migrated(id);
    EXPECT_EQ(report.carried, (std::vector<MigrationReport::Carried>{{"a", "a", 1}}));
    EXPECT_TRUE(report.begun.empty() && report.ended.empty());
    EXPECT_EQ(tasks(id).front().id, task);
    EXPECT_EQ(world.read(id).waits, waits);
    complete(tasks(id).front());
    EXPECT_EQ(active(id), Elements{"b"});
    EXPECT_EQ(variables(id), document(R"({"x": 1})"));
    complete(tasks(id).front());
    EXPECT_TRUE(ended(id));
}

TEST_P(Migrations, TheHistorySaysWhoAndWhyFromAndTo) {
    deploy(line({"a"}, user("a")));
    const InstanceId id = start();
    deploy(line({"b"}, user("b")));
    migrated(id, {{"a", "b"}});
    const auto rows = world.history(id);
    const auto row = std::ranges::find(rows, HistoryType::migrated, &HistoryRow::type);
    ASSERT_NE(row, rows.end());
    EXPECT_EQ(row->cause.caller.user, "ann");
    EXPECT_EQ(row->payload, R"({"from":1,"mapping":{"a":"b"},"reason":"new rules","to":2})");
    EXPECT_EQ(active(id), Elements{"b"});
    complete(tasks(id).front());
    EXPECT_TRUE(ended(id));
}

TEST_P(Migrations, ARepeatChangesNothing) {
    deploy(line({"a"}, user("a")));
    const InstanceId id = start();
    deploy(line({"a", "b"}, user("a") + user("b")));
    migrated(id);
    const Instance after = world.read(id);
    const auto again = std::get<op::Migrated>(migrate(id));
    EXPECT_EQ(again.from, 2u);
    EXPECT_EQ(again.version, after.version);
    EXPECT_EQ(world.read(id), after);
    EXPECT_TRUE(std::holds_alternative<op::Migrated>(migrate(id, {}, 1))) << "and back";
    EXPECT_EQ(world.read(id).definition.version, 1u);
}

TEST_P(Migrations, ADryRunTellsTheSameAndWritesNothing) {
    deploy(line({"a"}, user("a")));
    const InstanceId id = start();
    deploy(line({"a"}, user("a") + boundary("late", "a", timer("PT1H"))));
    const Instance before = world.read(id);
    const auto told = std::get<op::CanMigrate>(migrate(id, {}, 2, true)).report;
    EXPECT_EQ(world.read(id), before);
    EXPECT_EQ(migrated(id), told);
    EXPECT_EQ(told.begun, (std::vector<MigrationReport::Counted>{{"late", 1}}));
}

TEST_P(Migrations, BoundaryEventsStayBeginAndEnd) {
    const std::string both = user("a");
    deploy(line({"a"},
                both + boundary("kept", "a", timer("PT1H")) + boundary("gone", "a", catches("m"))));
    const InstanceId id = start();
    deploy(line(
        {"a"}, both + boundary("kept", "a", timer("PT9H")) + boundary("fresh", "a", catches("n"))));
    const auto due = [&] {
        for (const Waiting& waiting : world.read(id).waits)
            if (waiting.wait.until) return *waiting.wait.until;
        return Moment{};
    };
    const Moment before = due();
    const MigrationReport report = migrated(id);
    EXPECT_EQ(report.begun, (std::vector<MigrationReport::Counted>{{"fresh", 1}}));
    EXPECT_EQ(report.ended, (std::vector<MigrationReport::Counted>{{"gone", 1}}));
    EXPECT_EQ(due(), before) << "a timer keeps when it is due";
    send("paid");
    EXPECT_FALSE(ended(id));
    send("settled");
    EXPECT_TRUE(ended(id));
}

TEST_P(Migrations, EveryProblemIsListedByItsElement) {
    const std::string fork = "<parallelGateway id='f'/>";
    const auto forked = [&](const std::string& elements, const Elements& ids) {
        std::string xml = "<startEvent id='s'/><endEvent id='e'/>" + fork + flow("s", "f");
        for (const std::string& id : ids) xml += flow("f", id) + flow(id, "e");
        return model(xml + elements, messages);
    };
    deploy(forked(user("a") + work_task("b") + user("c"), {"a", "b", "c"}));
    const InstanceId id = start();
    deploy(forked(user("x") + user("b") + user("c"), {"x", "b", "c"}));
    const auto found = problems(id, {{"c", "nowhere"}, {"never", "x"}});
    const std::vector<std::string> expected{
        "c: it is mapped to 'nowhere', which is not in the target",
        "never: the mapping names it, and the process has no such element",
        "a: it is active, and the target has no such element: map it to another",
        "b: it is a service task, and in the target 'b' is a user task"};
    EXPECT_EQ(found, expected);
    EXPECT_EQ(std::get<op::CannotMigrate>(migrate(id, {}, 7)).report.problems.front().why,
              "the definition 'p' has no version 7");
}

TEST_P(Migrations, ASubProcessStaysOpenWithItsVariables) {
    const auto around = [](const std::string& inner) {
        return "<subProcess id='sub'><startEvent id='i'/>" + inner + flow("i", "a") +
               "</subProcess>";
    };
    const std::string listening =
        "<subProcess id='ev' triggeredByEvent='true'><startEvent id='es' isInterrupting='false'>" +
        catches("m") + "</startEvent>" + user("inform") + flow("es", "inform") + "</subProcess>";
    deploy(line({"sub"}, around(user("a") + "<dataObject id='d' name='local'/>")));
    const InstanceId id = start();
    deploy(
        line({"sub"}, around(user("a") + user("b") + flow("a", "b") + listening +
                             "<dataObject id='d' name='local'/><dataObject id='g' name='more'/>")));
    const MigrationReport report = migrated(id);
    EXPECT_EQ(report.begun, (std::vector<MigrationReport::Counted>{{"es", 1}}));
    send("paid");
    EXPECT_EQ(task(id, "inform").spec.name, "inform");
    complete(task(id, "a"));
    complete(task(id, "b"));
    EXPECT_FALSE(ended(id));
    complete(task(id, "inform"));
    EXPECT_TRUE(ended(id));
}

TEST_P(Migrations, ATokenDoesNotChangeItsSubProcess) {
    deploy(line({"a"}, user("a")));
    const InstanceId id = start();
    deploy(line({"sub"}, "<subProcess id='sub'><startEvent id='i'/>" + user("a") + flow("i", "a") +
                             "</subProcess>"));
    EXPECT_EQ(problems(id), Elements{"a: in the target it is inside of another sub-process"});
}

// A join that has fewer flows in the new version may be complete.
TEST_P(Migrations, AStaleVersionIsRefused) {
    deploy(line({"a"}, user("a")));
    const InstanceId id = start();
    deploy(line({"a", "b"}, user("a") + user("b")));
    const auto outcome =
        world.run(op::Migrate{.cause = world.cause(), .instance = id, .expected = 1, .to = 2});
    EXPECT_TRUE(std::holds_alternative<op::Stale>(outcome));
    EXPECT_EQ(world.read(id).definition.version, 1u);
    EXPECT_TRUE(std::holds_alternative<op::NotFound>(migrate(world.ids.next<InstanceId>())));
    world.run(op::Cancel{.cause = world.cause(), .instance = id});
    EXPECT_TRUE(std::holds_alternative<op::Ended>(migrate(id)));
}

TEST_P(Migrations, AStarterBelongsToItsVersion) {
    const auto starts = [](const std::string& id) {
        return model("<startEvent id='s'>" + catches("m") + "</startEvent>" + user(id) +
                         "<endEvent id='e'/>" + flow("s", id) + flow(id, "e"),
                     messages);
    };
    deploy(starts("a"));
    deploy(starts("b"));
    const auto outcome = migrate(starter_of("default", {"p", 2}), {}, 1);
    EXPECT_EQ(std::get<op::CannotMigrate>(outcome).report.problems.front().why,
              "it waits for what starts instances of its version");
}

TEST_P(Migrations, AnOutsideWorkflowChangesItsVersionIfItsStateFits) {
    world.define("order");
    const InstanceId id = world.start("order", R"({"total": "much"})").id;
    world.run(op::Suspend{.cause = world.cause(),
                          .instance = id,
                          .run = {.run = 1, .index = 0},
                          .wait = {.names = {EventKey("paid")}}});
    world.define("order", R"({"properties": {"total": {"type": "number"}}})");
    const auto waits = world.read(id).waits;
    EXPECT_EQ(problems(id).size(), 1u);
    EXPECT_EQ(problems(id, {{"a", "b"}}).front(), "a: a workflow of a runner has no elements");
    world.define("order", R"({"properties": {"total": {"type": "string"}}})");
    EXPECT_TRUE(std::holds_alternative<op::Migrated>(migrate(id, {}, 3)));
    EXPECT_EQ(world.read(id).definition.version, 3u);
    EXPECT_EQ(world.read(id).waits, waits);
    world.define_program("order");
    EXPECT_EQ(std::get<op::CannotMigrate>(migrate(id, {}, 4)).report.problems.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Migrations, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
