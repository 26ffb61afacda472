// Listeners learn of a commit whose outcome stays unknown, if it may have leased continuations to
// this node: nobody would run those instances while it lives (I30, I47).
#include <atomic>

#include "support/forwarding_store.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

// Commits, and then can no longer be asked whether it did.
class Silent final : public Writer {
public:
    Silent(std::unique_ptr<Writer> inner, const std::atomic<bool>& silent)
        : inner_(std::move(inner)), silent_(silent) {}

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override {
        auto done = inner_->commit(round, decide);
        if (done && silent_) return Unknown{};
        return done;
    }
    Result<CommitStatus> commit_status(const RoundId& round) override {
        if (silent_) return fail(ErrorCode::unavailable, "the store is away");
        return inner_->commit_status(round);
    }

private:
    std::unique_ptr<Writer> inner_;
    const std::atomic<bool>& silent_;
};

class SilentStore final : public ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;
    Result<std::unique_ptr<Writer>> open_writer() override {
        HF_TRY(auto writer, inner_.open_writer());
        return std::make_unique<Silent>(std::move(writer), silent);
    }
    std::atomic<bool> silent = false;
};

class Hearing final : public CommitListener {
public:
    void committed(const Touched& touched) override {
        for (const TouchedInstance& touch : touched.instances) leased += touch.held ? 1 : 0;
    }
    void outcome_unknown() override { ++unknown; }
    std::atomic<int> leased = 0;
    std::atomic<int> unknown = 0;
};

class UnknownOutcome : public ::testing::TestWithParam<const char*> {
protected:
    UnknownOutcome() : world(GetParam()), store(*world.store) {
        world.define("plain");
        world.define_program("flow");
        world.coordinator->shutdown();
        coordinator =
            *Coordinator::open(store, world.ids, world.metrics,
                               {.self = [this] { return world.self; }, .listeners = {&hearing}});
    }
    ~UnknownOutcome() override { coordinator->shutdown(); }

    Result<op::Start::Outcome> start(const std::string& definition) {
        last = op::Start{.cause = world.cause(), .definition = definition};
        return coordinator->submit(last).get();
    }

    World world;
    SilentStore store;
    Hearing hearing;
    op::Start last;
    std::unique_ptr<Coordinator> coordinator;
};

TEST_P(UnknownOutcome, OfACommitThatLeasesIsReported) {
    ASSERT_TRUE(start("flow").has_value());
    EXPECT_EQ(hearing.leased, 1);
    EXPECT_EQ(hearing.unknown, 0);
    store.silent = true;
    const auto lost = start("flow");
    store.silent = false;
    ASSERT_FALSE(lost.has_value());
    EXPECT_EQ(lost.error().code, ErrorCode::outcome_unknown);
    EXPECT_EQ(hearing.unknown, 1);
    EXPECT_EQ(hearing.leased, 1) << "it is not told as committed";
    EXPECT_TRUE(world.store->ask(FindInstance{last.instance(), Depth::row})->has_value())
        << "it was: its lease belongs to a node that does not know of it";
}

TEST_P(UnknownOutcome, OfACommitWithoutLeasesConcernsNoListener) {
    store.silent = true;
    const auto lost = start("plain");
    store.silent = false;
    ASSERT_FALSE(lost.has_value());
    EXPECT_EQ(hearing.unknown, 0);
}

INSTANTIATE_TEST_SUITE_P(Stores, UnknownOutcome, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
