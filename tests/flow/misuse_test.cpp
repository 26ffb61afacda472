// Misuse of the API: each is refused with a message that names the flow, the step and the fix.
#include <boost/describe.hpp>

#include "flow/bench.h"
#include "holdfast/node.h"
#include "holdfast/testing.h"

namespace holdfast {
namespace {

using testing::World;

template <class Do>
std::string refusal(Do act) {
    try {
        act();
    } catch (const Misuse& misuse) {
        return misuse.what();
    }
    return "it was not refused";
}

struct Order {
    std::string item;
    int total = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (item, total))

Flow<std::string> pay(Context& ctx, Order order) {
    const int paid = co_await ctx.event<int>("payment");
    co_return order.item + " for " + std::to_string(paid);
}

const Order tea{.item = "tea", .total = 12};

TEST(MisuseOf, ANameThatIsTaken) {
    World world;
    world.add("pay", pay);
    EXPECT_EQ(refusal([&] { world.add("pay", pay); }),
              "flow 'pay' is already registered; give each flow its own name");
}

TEST(MisuseOf, AFlowThatIsAddedLate) {
    World world;
    world.add("pay", pay);
    world.start("pay", tea);
    EXPECT_EQ(refusal([&] { world.add("late", pay); }),
              "flow 'late': add flows before the world is used");
}

TEST(MisuseOf, ANameThatWasNotAdded) {
    World world;
    world.add("pay", pay);
    EXPECT_EQ(refusal([&] { world.start("pya", tea); }),
              "there is no flow named 'pya'; add it to a node before starting it");
}

TEST(MisuseOf, AChildThatWasNotAdded) {
    World world;
    world.add("parent", [](Context& ctx) -> Flow<> { co_await ctx.child("pya"); });
    const std::string id = world.start("parent");
    try {
        world.result(id);
        FAIL() << "it should have failed";
    } catch (const WorkflowFailed& failed) {
        EXPECT_EQ(failed.error.at("message"),
                  "flow 'parent', child 'pya': there is no flow named 'pya'; add it to a node "
                  "before starting it");
    }
}

TEST(MisuseOf, AnArgumentThatDoesNotConvert) {
    World world;
    world.add("pay", pay);
    EXPECT_TRUE(refusal([&] { world.start("pay", 5); })
                    .starts_with("flow 'pay', argument 1: the stored value does not convert to the "
                                 "expected type ("));
    const std::string text = refusal([&] { world.start("pay", 5); });
    EXPECT_TRUE(text.ends_with(
        "). Read it as the type it was written with, or make the conversion accept old values: 5"))
        << text;
    EXPECT_EQ(refusal([&] { world.start("pay"); }),
              "flow 'pay' takes 1 argument, 0 given. Start it with a JSON array of one element per "
              "parameter");
}

TEST(MisuseOf, AMemberThatDoesNotConvert) {
    World world;
    world.add("pay", pay);
    const auto reason = [&](const char* argument) {
        const std::string text = refusal([&] { world.start("pay", boost::json::parse(argument)); });
        const std::size_t begin = text.find("expected type (") + 15;
        return text.substr(begin, text.find("). Read it") - begin);
    };
    EXPECT_EQ(reason(R"({"item": "tea", "total": "12"})"), "member 'total': not a number");
    EXPECT_EQ(reason(R"({"item": "tea", "sum": 12})"), "member 'total' is missing");
    EXPECT_EQ(reason(R"({"item": "tea"})"), "it has 1 members, not 2");
    EXPECT_EQ(reason(R"("tea")"), "not an object");
}

TEST(MisuseOf, AResultOfAnotherType) {
    World world;
    world.add("pay", pay);
    const std::string id = world.start("pay", tea);
    world.send(id, "payment", 12);
    const std::string text = refusal([&] { world.result<int>(id); });
    EXPECT_TRUE(text.starts_with("flow 'pay', workflow " + id +
                                 ", its result: the stored value does not "
                                 "convert"))
        << text;
    EXPECT_TRUE(text.ends_with(R"(: "tea for 12")")) << text;
}

TEST(MisuseOf, AnEventOfAnotherType) {
    World world;
    world.add("pay", pay);
    const std::string id = world.start("pay", tea);
    world.send(id, "payment", "twelve");
    try {
        world.result<std::string>(id);
        FAIL() << "it should have failed";
    } catch (const WorkflowFailed& failed) {
        const std::string text(failed.error.at("message").as_string());
        EXPECT_TRUE(
            text.starts_with("flow 'pay', event 'payment': the stored value does not convert"))
            << text;
    }
}

TEST(MisuseOf, AStepWhoseTypeWasChanged) {
    auto before = flow::bench([](Context& ctx) -> Flow<> {
        co_await ctx.step("charge", [] { return std::string("done"); });
        co_await ctx.event("go");
    });
    auto after = flow::bench([](Context& ctx) -> Flow<> {
        co_await ctx.step("charge", [] { return 1; });
        co_await ctx.event("go");
    });
    after.journal = before.journal;
    after.restart();
    EXPECT_EQ(after.last(), "fail 2 misuse");
    const std::string text(after.result().at("message").as_string());
    EXPECT_TRUE(text.starts_with("flow 'demo', step 'charge': the stored value does not convert"))
        << text;
}

TEST(MisuseOf, ABranchThatDependsOnSomethingOutside) {
    World world;
    bool urgent = true;
    world.add("ship", [&urgent](Context& ctx) -> Flow<> {
        co_await ctx.step(urgent ? "fly" : "sail", [] {});
        co_await ctx.event("arrived");
    });
    const std::string id = world.start("ship");
    urgent = false;
    const auto found = world.check();
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].flow, "ship");
    EXPECT_EQ(found[0].index, 1);
    world.restart();
    world.send(id, "arrived");
    const HistoryEntry last = world.history(id).back();
    EXPECT_EQ(last.type, "IncidentRaised");
    EXPECT_NE(boost::json::serialize(last.payload)
                  .find("flow 'ship' diverged at 1: the program has step 'sail', the journal has "
                        "'fly'. Deploy the program that wrote the journal and redrive the dead "
                        "letter, or cancel the workflow"),
              std::string::npos)
        << boost::json::serialize(last.payload);
    EXPECT_EQ(world.status(id), "running") << "it does not end";
}

TEST(MisuseOf, ACallThatWasAwaitedBefore) {
    auto demo = flow::bench([](Context& ctx) -> Flow<> {
        auto step = ctx.step("charge", [] {});
        co_await step;
        co_await step;
    });
    EXPECT_EQ(demo.result().at("message"),
              "flow 'demo': a call was awaited twice. Call the context again for each co_await");
}

TEST(MisuseOf, TheContextInsideAStep) {
    const std::string text =
        "flow 'demo': its context was used inside a step. A step is ordinary code: pass it what it "
        "needs by capture or as an input";
    auto random = flow::bench(
        [](Context& ctx) -> Flow<> { co_await ctx.step("draw", [&] { return ctx.random(); }); });
    EXPECT_EQ(random.notes.size(), 3) << "one attempt";
    EXPECT_EQ(random.result().at("message"), Json("step 'draw' failed: " + text));
    auto steps = flow::bench([](Context& ctx) -> Flow<> {
        co_await ctx.all(ctx.step("a", [] {}), ctx.step("b", [&] { (void)ctx.event<int>("go"); }));
    });
    EXPECT_EQ(steps.result().at("message"), Json("step 'b' failed: " + text));
    auto log = flow::bench([](Context& ctx) -> Flow<> {
        co_await ctx.step("say", [&] { ctx.log("done by " + ctx.id()); });
    });
    EXPECT_EQ(log.last(), "finish 2 null");
    EXPECT_EQ(log.logged.size(), 1);
    // Using the context before the first await, or in an inner flow, is allowed.
    auto wrapped = flow::bench([](Context& ctx) -> Flow<int> {
        const auto step = ctx.step("a", [] { return 1; });
        return [](Context& inner, Context::Step<int> given) -> Flow<int> {
            inner.random();
            co_return co_await given;
        }(ctx, step);
    });
    EXPECT_EQ(wrapped.last(), "finish 2 1");
}

TEST(MisuseOf, AStoreThatCannotBeOpened) {
    Node node(NodeOptions{.store = "sqlite:/nowhere/at/all.db", .log_level = "off"});
    try {
        node.open();
        FAIL() << "it should have thrown";
    } catch (const Unavailable& unavailable) {
        EXPECT_EQ(std::string(unavailable.what()),
                  "cannot open store 'sqlite:/nowhere/at/all.db': "
                  "cannot create /nowhere/at/all.db: check "
                  "that the folder exists and is writable");
    }
    EXPECT_THROW(Node("nonsense").open(), Unavailable);
    EXPECT_THROW(Node("nonsense").check(), Unavailable);
}

TEST(MisuseOf, AnInvalidId) {
    World world;
    world.add("pay", pay);
    EXPECT_EQ(refusal([&] { world.status("nonsense"); }),
              "'nonsense' is not a workflow id; use the id that start() returned");
    EXPECT_EQ(refusal([&] { world.status("01890a5d-ac96-774b-bcce-b302099a8057"); }),
              "there is no workflow 01890a5d-ac96-774b-bcce-b302099a8057");
}

TEST(MisuseOf, AResultThatIsNotThereYet) {
    World world;
    world.add("pay", pay);
    const std::string id = world.start("pay", tea);
    EXPECT_NE(refusal([&] { world.result<std::string>(id); }).find(id), std::string::npos);
}

// String literals convert, without std::string("tea").
TEST(Texts, MayBeGivenAsLiterals) {
    World world;
    world.add("greet", [](Context& ctx, std::string name) -> Flow<std::string> {
        co_await ctx.send(ctx.id(), "greeting", "hello ");
        const auto greeting = co_await ctx.event<std::string>("greeting");
        co_return greeting + name;
    });
    world.add("parent", [](Context& ctx) -> Flow<std::string> {
        co_return co_await ctx.child<std::string>("greet", "world");
    });
    EXPECT_EQ(world.result<std::string>(world.start("greet", "world")), "hello world");
    EXPECT_EQ(world.result<std::string>(world.start("parent")), "hello world");
}

}  // namespace
}  // namespace holdfast
