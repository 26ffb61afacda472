// A reaction that does much: what it needs is loaded together, and a definition is compiled once.
#include <atomic>

#include "engine/process_world.h"
#include "program/kinds.h"

namespace holdfast::testing {
namespace {

std::string parallel(std::size_t count) {
    return "<multiInstanceLoopCharacteristics><loopCardinality>=" + std::to_string(count) +
           "</loopCardinality></multiInstanceLoopCharacteristics>";
}

class ManyInstances : public ProcessWorld {
protected:
    // How often operations needed more rows while `act` ran.
    template <class Act>
    double loads_of(const Act& act) {
        const double before = world.metrics.loads.Value();
        act();
        return world.metrics.loads.Value() - before;
    }
    // One activity `a` that a message interrupts.
    void deploy_many(std::size_t many, const std::string& open, const std::string& close,
                     const std::string& beside = "") {
        deploy(model("<startEvent id='s'/><endEvent id='e'/>" + open + parallel(many) + close +
                         "<boundaryEvent id='b' attachedToRef='a'><messageEventDefinition "
                         "messageRef='stop'/></boundaryEvent>" +
                         flow("s", "a") + flow("a", "e") + flow("b", "e"),
                     "<message id='stop' name='stop'/>" + beside));
    }
    void expect_few_loads(std::size_t many) {
        InstanceId id;
        EXPECT_LE(loads_of([&] { id = start(); }), 3);
        EXPECT_EQ(world.read(id).status, Status::suspended);
        EXPECT_FALSE(world.read(id).incident);
        EXPECT_EQ(world.read(id).waits.size(), many + 1);
        reload();
        EXPECT_LE(loads_of([&] { send("stop"); }), 6);
        EXPECT_EQ(world.read(id).status, Status::succeeded);
    }
};

TEST_P(ManyInstances, OfAUserTaskAreMadeAndCancelledWithFewLoads) {
    deploy_many(2'000, "<userTask id='a'>", "</userTask>");
    expect_few_loads(2'000);
}

TEST_P(ManyInstances, OfAJobAreMadeAndCancelledWithFewLoads) {
    deploy_many(2'000, "<serviceTask id='a'>", "</serviceTask>");
    expect_few_loads(2'000);
}

TEST_P(ManyInstances, OfACallAreMadeAndCancelledWithFewLoads) {
    deploy_many(600, "<callActivity id='a' calledElement='c'>", "</callActivity>",
                "<process id='c' isExecutable='true'><startEvent id='cs'/><userTask id='t'/>"
                "<callActivity id='deeper' calledElement='d'/>" +
                    flow("cs", "t") + flow("cs", "deeper") + "</process>" +
                    "<process id='d' isExecutable='true'><startEvent id='ds'/>"
                    "<receiveTask id='r'/>" +
                    flow("ds", "r") + "</process>");
    expect_few_loads(600);
}

INSTANTIATE_TEST_SUITE_P(Stores, ManyInstances, all_stores(), store_name);

// Each compilation of the kind `counted` counts.
std::atomic<int> compilations = 0;

TEST(Definitions, AVersionIsCompiledOnceHoweverOftenItIsStarted) {
    for (const char* kind : {"memory", "sqlite", "postgres"}) {
        ProgramKinds::known().add("counted", [](const Definition& definition) {
            ++compilations;
            return process_of(*definition.source, definition.ref.key);
        });
        World world(kind);
        const std::string xml = model("<startEvent id='s'/><userTask id='a'/>" + flow("s", "a"));
        world.run(op::Define{.cause = world.cause(),
                             .key = "p",
                             .kind = "counted",
                             .source = xml,
                             .program = deploy_model(xml).processes.front().program});
        const int before = compilations;
        for (int i = 0; i < 20; ++i) world.start("p", "{}");
        EXPECT_EQ(compilations - before, 0) << kind;
        if (std::string(kind) == "memory") continue;
        world.restart();
        for (int i = 0; i < 20; ++i) world.start("p", "{}");
        EXPECT_EQ(compilations - before, 1) << kind;
    }
}

}  // namespace
}  // namespace holdfast::testing
