// A step writes only what it changed (000.5), however many activities wait beside it.
#include "engine/process_world.h"
#include "model/job.h"
#include "support/forwarding_store.h"

namespace holdfast::testing {
namespace {

class CountingWriter final : public Writer {
public:
    CountingWriter(std::unique_ptr<Writer> inner, std::atomic<std::size_t>& rows)
        : inner_(std::move(inner)), rows_(rows) {}

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override {
        auto result = inner_->commit(round, decide);
        if (result) rows_ += std::get<Committed>(*result).rows;
        return result;
    }
    Result<CommitStatus> commit_status(const RoundId& round) override {
        return inner_->commit_status(round);
    }

private:
    std::unique_ptr<Writer> inner_;
    std::atomic<std::size_t>& rows_;
};

class CountingStore final : public ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;

    bool is_shared() const override { return inner_.is_shared(); }
    Result<std::unique_ptr<Writer>> open_writer() override {
        HF_TRY(auto writer, inner_.open_writer());
        return std::make_unique<CountingWriter>(std::move(writer), rows);
    }

    std::atomic<std::size_t> rows = 0;
};

class RowsOfAStep : public ProcessWorld {
protected:
    RowsOfAStep() : store(*world.store) {
        world.coordinator =
            *Coordinator::open(store, world.ids, world.metrics,
                               {.self = [this] { return world.self; }, .limits = world.limits});
    }
    ~RowsOfAStep() override { world.coordinator.reset(); }

    template <class Act>
    std::size_t rows_of(const Act& act) {
        const std::size_t before = store.rows;
        act();
        return store.rows - before;
    }
    // The rows of completing the first task of an activity with so many instances, then the next.
    std::pair<std::size_t, std::size_t> rows_beside(std::size_t many) {
        deploy(
            model("<startEvent id='s'/><endEvent id='e'/><userTask id='a'>"
                  "<multiInstanceLoopCharacteristics><loopCardinality>=" +
                  std::to_string(many) +
                  "</loopCardinality></multiInstanceLoopCharacteristics></userTask>" +
                  flow("s", "a") + flow("a", "e")));
        const InstanceId id = start();
        const auto complete_one = [&] { complete(tasks(id).front()); };
        const std::size_t first = rows_of(complete_one);
        const std::size_t second = rows_of(complete_one);
        EXPECT_EQ(active(id).size(), many - 1);  // the loop itself is one
        return {first, second};
    }

    CountingStore store;
};

TEST_P(RowsOfAStep, DoNotGrowWithTheTasksThatWaitBesideIt) {
    const auto several = rows_beside(10);
    EXPECT_EQ(rows_beside(500), several);
    EXPECT_LE(several.first, 23u);
    EXPECT_EQ(several.first, several.second);
}

// Two jobs side by side, one of them with a time limit.
TEST_P(RowsOfAStep, OfAProcessWithAFewWaitsAreFew) {
    deploy(
        model("<startEvent id='s'/><parallelGateway id='f'/><serviceTask id='a'/>"
              "<boundaryEvent id='t' attachedToRef='a'><timerEventDefinition>"
              "<timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent>"
              "<serviceTask id='b'/><parallelGateway id='j'/><endEvent id='e'/>" +
              flow("s", "f") + flow("f", "a") + flow("f", "b") + flow("a", "j") + flow("b", "j") +
              flow("j", "e") + flow("t", "e")));
    const NodeId node = world.ids.next<NodeId>();
    ASSERT_TRUE(world.store->join({node, "node", std::chrono::hours(1)}).has_value());
    world.self = {
        .node = node, .programs = {program_of_jobs("a"), program_of_jobs("b")}, .room_for_jobs = 2};
    InstanceId id;
    // The round, the instance, three activities, what the timer remembers, the timer, two jobs,
    // three entries of the history; SQLite has the documents apart, and PostgreSQL a row for each
    // wait.
    const std::string store = GetParam();
    const std::size_t apart = store == "memory" ? 0 : store == "sqlite" ? 1 : 4;
    EXPECT_EQ(rows_of([&] { id = start(R"({"n": 1})"); }), 12 + apart);
    const auto end_first = [&] {
        const SignalId job{world.read(id).children.active.at(0).id.value};
        world.run(op::EndJob{.cause = world.cause(),
                             .instance = id,
                             .signal = job,
                             .lease = {node, 1},
                             .result = document(R"({"variables": {"n": 2}})")});
    };
    EXPECT_EQ(rows_of(end_first), 11 + apart);
    EXPECT_EQ(rows_of(end_first), 10u);
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(RowsOfAStep, AMessageThatDoesNotInterruptWritesItsOwnRowsAlone) {
    deploy(
        model("<startEvent id='s'/><endEvent id='e'/><userTask id='a'/><userTask id='b'/>"
              "<boundaryEvent id='m' attachedToRef='a' cancelActivity='false'>"
              "<messageEventDefinition messageRef='more'/></boundaryEvent>" +
                  flow("s", "a") + flow("m", "b") + flow("a", "e"),
              "<message id='more' name='more'/>"));
    const InstanceId id = start();
    for (int i = 0; i < 5; ++i) send("more", id);  // more waits than its row has room for
    const std::size_t first = rows_of([&] { send("more", id); });
    for (int i = 0; i < 50; ++i) send("more", id);
    EXPECT_EQ(rows_of([&] { send("more", id); }), first);
}

// The job has the id of its activity, and the wait says that there is one.
TEST_P(RowsOfAStep, AJobNeedsNoRowOfVariables) {
    deploy(model("<startEvent id='s'/><endEvent id='e'/><serviceTask id='a'/>" + flow("s", "a") +
                 flow("a", "e")));
    const InstanceId id = start();
    const Instance instance = world.read(id);
    EXPECT_TRUE(instance.children.variables.empty());
    const auto jobs = world.store->ask(JobQuery{.instance = id, .limit = 10})->items;
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_EQ(jobs[0].id.value, instance.children.active.at(0).id.value);
    world.run(op::Cancel{.cause = world.cause(), .instance = id});
    EXPECT_TRUE(world.store->ask(JobQuery{.instance = id, .limit = 10})->items.empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, RowsOfAStep, all_stores(), store_name);

// The order is kept although rows in the middle have gone.
class PlacesOfRows : public ProcessWorld {};

TEST_P(PlacesOfRows, SurviveWhatGoesAndWhatComes) {
    Instance instance{.id = world.ids.next<InstanceId>(), .definition = {"orders", 1}};
    const auto add = [&](std::size_t at, const std::string& name) {
        instance.children.active.insert(
            instance.children.active.begin() + static_cast<std::ptrdiff_t>(at),
            {world.ids.next<ActivityInstanceId>(), name});
    };
    Version version = 0;
    const auto write = [&] {
        world.run(op::Write{.cause = world.cause(),
                            .instance = instance,
                            .expected = version == 0 ? std::nullopt : std::optional(version)});
        ++version;
        reload();
        EXPECT_EQ(world.read(instance.id).children, instance.children);
    };
    for (const char* name : {"a", "b", "c", "d"}) add(instance.children.active.size(), name);
    write();
    instance.children.active.erase(instance.children.active.begin() + 1);
    write();
    add(1, "x");
    write();
    add(1, "y");
    add(0, "z");
    write();
    std::ranges::reverse(instance.children.active);
    instance.children.completed.push_back(instance.children.active.front());
    instance.children.active.erase(instance.children.active.begin());
    write();
    add(instance.children.active.size(), "last");
    write();
}

INSTANTIATE_TEST_SUITE_P(Stores, PlacesOfRows, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
