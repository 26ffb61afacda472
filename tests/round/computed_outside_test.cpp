// What takes longer than a round may is computed outside of it: others do not wait.
#include <condition_variable>
#include <deque>

#include "support/api_server.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// Holds computations until the test runs them.
class HeldComputations {
public:
    bool take(std::move_only_function<void()> work) {
        const std::lock_guard lock(mutex_);
        if (full_) return false;
        held_.push_back(std::move(work));
        ++taken_;
        changed_.notify_all();
        return true;
    }
    void refuse_all() {
        const std::lock_guard lock(mutex_);
        full_ = true;
    }
    bool is_held() {
        const std::lock_guard lock(mutex_);
        return !held_.empty();
    }
    void run_next() {
        std::unique_lock lock(mutex_);
        auto work = std::move(held_.front());
        held_.pop_front();
        lock.unlock();
        work();
    }
    void wait_for(int count) {
        std::unique_lock lock(mutex_);
        ASSERT_TRUE(changed_.wait_for(lock, 20s, [&] { return taken_ == count; }));
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::move_only_function<void()>> held_;
    int taken_ = 0;
    bool full_ = false;
};

using Answer = std::future<Result<op::EditState::Outcome>>;

class ComputedOutside : public ::testing::TestWithParam<const char*> {
protected:
    ComputedOutside() : world(GetParam()) {
        world.define("texts", R"({"properties":{"text":{"pattern":"^a*$"}}})");
        one = world.start("texts", R"({"n":1})").id;
        other = world.start("texts", R"({"n":1})").id;
        auto opened = Coordinator::open(*world.store, world.ids, world.metrics,
                                        {.outside = [this](std::move_only_function<void()> work) {
                                            return computations.take(std::move(work));
                                        }});
        coordinator = *std::move(opened);
    }
    ~ComputedOutside() override { coordinator->shutdown(); }

    Answer edit(const InstanceId& id, const std::string& patch,
                std::optional<Version> expected = std::nullopt) {
        return coordinator->submit(op::EditState{.cause = world.cause(),
                                                 .instance = id,
                                                 .expected = expected,
                                                 .edit = op::MergePatch{document(patch)}});
    }
    // An edit whose check takes longer than a round may.
    Answer costly_edit(const InstanceId& id, char letter = 'a') {
        return coordinator->submit(op::EditState{
            .cause = world.cause(),
            .instance = id,
            .edit =
                op::MergePatch{document(R"({"text":")" + std::string(150'000, letter) + R"("})")}});
    }
    // Runs computations until the edit is answered; `each` is called before each of them.
    Result<op::EditState::Outcome> finish(Answer& edit, const std::function<void()>& each = [] {}) {
        for (int looks = 0; looks < 20'000; ++looks) {
            if (edit.wait_for(1ms) == std::future_status::ready) return edit.get();
            if (!computations.is_held()) continue;
            each();
            computations.run_next();
        }
        return fail(ErrorCode::internal, "the edit was not answered");
    }
    // A change that another node makes meanwhile.
    void change_elsewhere(const InstanceId& id, int n) {
        world.run(
            op::EditState{.cause = world.cause(),
                          .instance = id,
                          .edit = op::MergePatch{document(R"({"n":)" + std::to_string(n) + "}")}});
    }

    World world;
    HeldComputations computations;
    std::unique_ptr<Coordinator> coordinator;
    InstanceId one;
    InstanceId other;
};

TEST_P(ComputedOutside, OthersDoNotWaitAndThoseOfTheSameInstanceKeepTheirOrder) {
    Answer costly = costly_edit(one);
    computations.wait_for(1);
    Answer next = edit(one, R"({"n":2})");
    EXPECT_TRUE(edit(other, R"({"n":3})").get());
    EXPECT_EQ(costly.wait_for(0s), std::future_status::timeout);
    EXPECT_EQ(next.wait_for(0s), std::future_status::timeout);
    const auto first = finish(costly);
    const auto second = finish(next);  // it is checked with the large text too
    ASSERT_TRUE(first && second);
    EXPECT_EQ(std::get<op::Edited>(*first).version, 2U);
    EXPECT_EQ(std::get<op::Edited>(*second).version, 3U);
    EXPECT_EQ(std::get<op::Edited>(*second).state.text().size(), 150'017U);
}

TEST_P(ComputedOutside, AViolationIsTheOutcome) {
    Answer costly = costly_edit(one, 'b');
    const auto outcome = finish(costly);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(std::get<op::InvalidState>(*outcome).violations.size(), 1U);
}

TEST_P(ComputedOutside, AResultIsNotUsedForAnotherState) {
    Answer costly = costly_edit(one);
    computations.wait_for(1);
    change_elsewhere(one, 7);
    const auto outcome = finish(costly);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(std::get<op::Edited>(*outcome).version, 3U);
    EXPECT_TRUE(std::get<op::Edited>(*outcome).state.text().starts_with(R"({"n":7,"text")"));
}

TEST_P(ComputedOutside, AnInstanceThatKeepsChangingIsGivenUp) {
    Answer costly = costly_edit(one);
    int n = 1;  // as it was started: each change makes another state
    const auto outcome = finish(costly, [&] { change_elsewhere(one, ++n); });
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::overloaded);
}

TEST_P(ComputedOutside, WithoutRoomItIsRefusedAndTheOthersGoOn) {
    computations.refuse_all();
    Answer costly = costly_edit(one);
    Answer next = edit(one, R"({"n":2})");
    const auto refused = costly.get();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::overloaded);
    EXPECT_TRUE(next.get());
}

TEST_P(ComputedOutside, AShutdownWaitsForIt) {
    Answer costly = costly_edit(one);
    computations.wait_for(1);
    auto stopped = std::async(std::launch::async, [this] { coordinator->shutdown(); });
    EXPECT_TRUE(finish(costly));
    stopped.wait();
}

INSTANTIATE_TEST_SUITE_P(Stores, ComputedOutside, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
