// Long polls: each watches before its first check, and checks again only after a relevant commit.
#include "http/long_poll.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <semaphore>

namespace holdfast::http {
namespace {

using std::chrono::milliseconds;

const InstanceId some_instance{*parse_uuid("01890a5d-ac96-774b-bcce-b302099a8057")};
const InstanceId other_instance{*parse_uuid("01890a5d-ac96-774b-bcce-b302099a8058")};

class LongPoll : public ::testing::Test {
protected:
    // Responds once `ready_` is set.
    LongPolls::Spec spec(milliseconds time) {
        return {.instance = some_instance,
                .time = time,
                .check = [this]() -> std::optional<Response> {
                    ++checks_;
                    const bool ready = ready_;
                    checked_.release();
                    if (!ready) return std::nullopt;
                    return Response{.status = 200, .body = "there"};
                },
                .is_relevant = [](const Instance* now) { return !now || now->index > 0; },
                .on_timeout = {.status = 200, .body = "not yet"}};
    }
    std::future<std::string> start(LongPolls::Spec spec) {
        auto answer = std::make_shared<std::promise<std::string>>();
        polls_.start(std::move(spec), [answer](Response response) {
            answer->set_value(response.status == 200 ? response.body
                                                     : std::to_string(response.status));
        });
        return answer->get_future();
    }
    void commit(const InstanceId& id, std::uint64_t index) {
        Instance instance{.id = id};
        instance.index = index;
        watchers_.committed({.instances = {{id, std::make_shared<const Instance>(instance), {}}}});
    }

    Watchers watchers_;
    std::atomic<bool> ready_ = false;
    std::atomic<int> checks_ = 0;
    std::counting_semaphore<> checked_{0};
    LongPolls polls_{watchers_, readers_, 2};  // outlives the readers
    WorkerPool readers_{"read", 1, 16};
};

TEST_F(LongPoll, ItChecksOnceAndThenOnlyAfterARelevantCommit) {
    auto answer = start(spec(std::chrono::minutes(1)));
    checked_.acquire();
    commit(other_instance, 1);
    commit(some_instance, 0);
    ready_ = true;
    commit(some_instance, 1);
    EXPECT_EQ(answer.get(), "there");
    EXPECT_EQ(checks_, 2);
}

TEST_F(LongPoll, ACommitDuringTheFirstCheckIsNotMissed) {
    std::binary_semaphore checking{0};
    std::binary_semaphore committed{0};
    LongPolls::Spec slow = spec(std::chrono::minutes(1));
    slow.check = [&, first = true]() mutable -> std::optional<Response> {
        if (!std::exchange(first, false)) return Response{.status = 200, .body = "there"};
        checking.release();
        committed.acquire();
        return std::nullopt;
    };
    auto answer = start(std::move(slow));
    checking.acquire();
    commit(some_instance, 1);
    committed.release();
    EXPECT_EQ(answer.get(), "there");
}

TEST_F(LongPoll, AnElapsedTimeoutIsAnsweredAfterTheFirstCheck) {
    EXPECT_EQ(start(spec(milliseconds(0))).get(), "not yet");
    EXPECT_EQ(checks_, 1);
    ready_ = true;
    EXPECT_EQ(start(spec(milliseconds(0))).get(), "there");
}

// The announcement of another node's commit may be lost: nobody wakes the poll.
TEST_F(LongPoll, AChangeThatNobodyAnnouncedIsFoundWhenTheTimeIsOver) {
    auto answer = start(spec(milliseconds(50)));
    checked_.acquire();
    ready_ = true;
    EXPECT_EQ(answer.get(), "there");
    EXPECT_EQ(checks_, 2);
}

TEST_F(LongPoll, AStopLooksAtTheStoreOnceMore) {
    auto answer = start(spec(std::chrono::minutes(1)));
    checked_.acquire();
    ready_ = true;
    polls_.drain();
    EXPECT_EQ(answer.get(), "there");
}

TEST_F(LongPoll, TheNearestDeadlineExpiresFirst) {
    auto late = start(spec(std::chrono::minutes(1)));
    EXPECT_EQ(start(spec(milliseconds(5))).get(), "not yet");
    EXPECT_EQ(late.wait_for(milliseconds(0)), std::future_status::timeout);
    polls_.drain();
    EXPECT_EQ(late.get(), "not yet");
}

TEST_F(LongPoll, AnAnsweredPollFreesItsSlot) {
    auto one = start(spec(std::chrono::minutes(1)));
    auto two = start(spec(std::chrono::minutes(1)));
    EXPECT_EQ(start(spec(std::chrono::minutes(1))).get(), "429");
    checked_.acquire();
    checked_.acquire();
    ready_ = true;
    commit(some_instance, 1);
    EXPECT_EQ(one.get(), "there");
    EXPECT_EQ(two.get(), "there");
    EXPECT_EQ(start(spec(std::chrono::minutes(1))).get(), "there");
}

TEST_F(LongPoll, APollWhoseClientLeavesFreesItsSlotDuringItsCheck) {
    std::binary_semaphore checking{0};
    std::binary_semaphore proceed{0};
    LongPolls::Spec slow = spec(std::chrono::minutes(1));
    slow.check = [&]() -> std::optional<Response> {
        checking.release();
        proceed.acquire();
        return Response{.status = 200, .body = "too late"};
    };
    std::stop_source client;
    std::promise<std::string> answer;
    polls_.start(
        std::move(slow),
        Respond([&](Response response) { answer.set_value(response.body); }, client.get_token()));
    checking.acquire();
    client.request_stop();
    EXPECT_EQ(answer.get_future().get(), "not yet");
    auto one = start(spec(std::chrono::minutes(1)));
    auto two = start(spec(std::chrono::minutes(1)));
    proceed.release();
    ready_ = true;
    commit(some_instance, 1);
    EXPECT_EQ(one.get(), "there");
    EXPECT_EQ(two.get(), "there");
}

TEST_F(LongPoll, ThePollOfAClientThatHasLeftIsNotChecked) {
    std::binary_semaphore busy{0};
    WorkerPool::WorkItem blocking = [&] { busy.acquire(); };
    ASSERT_TRUE(readers_.post(blocking));
    std::stop_source client;
    std::promise<std::string> answer;
    polls_.start(
        spec(std::chrono::minutes(1)),
        Respond([&](Response response) { answer.set_value(response.body); }, client.get_token()));
    client.request_stop();
    EXPECT_EQ(answer.get_future().get(), "not yet");
    busy.release();
    ready_ = true;
    EXPECT_EQ(start(spec(std::chrono::minutes(1))).get(), "there");
    EXPECT_EQ(checks_, 1);
}

TEST_F(LongPoll, NewPollsAreRefusedWhileDraining) {
    polls_.drain();
    EXPECT_EQ(start(spec(std::chrono::minutes(1))).get(), "503");
    EXPECT_EQ(checks_, 0);
}

TEST_F(LongPoll, AFullReaderQueueIsRefused) {
    readers_.shutdown();
    EXPECT_EQ(start(spec(std::chrono::minutes(1))).get(), "429");
}

TEST(WatchersOfCommits, AreNotifiedUntilTheyUnwatch) {
    Watchers watchers;
    std::vector<std::optional<std::uint64_t>> seen;
    const auto ticket = watchers.watch(some_instance, [&](const Instance* instance) {
        seen.push_back(instance ? std::optional(instance->index) : std::nullopt);
    });
    const auto instance =
        std::make_shared<const Instance>(Instance{.id = some_instance, .index = 3});
    watchers.committed(
        {.instances = {{some_instance, instance, {}}, {other_instance, instance, {}}}});
    watchers.committed({.instances = {{some_instance, nullptr, {}}}});
    watchers.unwatch(ticket);
    watchers.committed({.instances = {{some_instance, instance, {}}}});
    EXPECT_EQ(seen, (std::vector<std::optional<std::uint64_t>>{3, std::nullopt}));
}

}  // namespace
}  // namespace holdfast::http
