// How a long poll waits: it watches before it looks, and looks only when something happened.
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
    // Says yes once `there_` is set.
    LongPolls::Question question(milliseconds time) {
        return {.instance = some_instance,
                .time = time,
                .look = [this]() -> std::optional<Response> {
                    ++looks_;
                    const bool there = there_;
                    looked_.release();
                    if (!there) return std::nullopt;
                    return Response{.status = 200, .body = "there"};
                },
                .concerns = [](const Instance* now) { return !now || now->index > 0; },
                .not_yet = {.status = 200, .body = "not yet"}};
    }
    std::future<std::string> ask(LongPolls::Question question) {
        auto answer = std::make_shared<std::promise<std::string>>();
        polls_.ask(std::move(question), [answer](Response response) {
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
    std::atomic<bool> there_ = false;
    std::atomic<int> looks_ = 0;
    std::counting_semaphore<> looked_{0};
    LongPolls polls_{watchers_, readers_, 2};  // outlives the readers
    WorkerPool readers_{"read", 1, 16};
};

TEST_F(LongPoll, ItLooksOnceAndThenOnlyAfterACommitThatConcernsIt) {
    auto answer = ask(question(std::chrono::minutes(1)));
    looked_.acquire();
    commit(other_instance, 1);
    commit(some_instance, 0);
    there_ = true;
    commit(some_instance, 1);
    EXPECT_EQ(answer.get(), "there");
    EXPECT_EQ(looks_, 2);
}

TEST_F(LongPoll, ACommitDuringTheFirstLookIsNotMissed) {
    std::binary_semaphore looking{0};
    std::binary_semaphore committed{0};
    LongPolls::Question slow = question(std::chrono::minutes(1));
    slow.look = [&, first = true]() mutable -> std::optional<Response> {
        if (!std::exchange(first, false)) return Response{.status = 200, .body = "there"};
        looking.release();
        committed.acquire();
        return std::nullopt;
    };
    auto answer = ask(std::move(slow));
    looking.acquire();
    commit(some_instance, 1);
    committed.release();
    EXPECT_EQ(answer.get(), "there");
}

TEST_F(LongPoll, ATimeThatIsOverIsAnsweredAfterTheFirstLook) {
    EXPECT_EQ(ask(question(milliseconds(0))).get(), "not yet");
    EXPECT_EQ(looks_, 1);
    there_ = true;
    EXPECT_EQ(ask(question(milliseconds(0))).get(), "there");
}

TEST_F(LongPoll, TheNearestTimeIsOverFirst) {
    auto late = ask(question(std::chrono::minutes(1)));
    EXPECT_EQ(ask(question(milliseconds(5))).get(), "not yet");
    EXPECT_EQ(late.wait_for(milliseconds(0)), std::future_status::timeout);
    polls_.drain();
    EXPECT_EQ(late.get(), "not yet");
}

TEST_F(LongPoll, AnAnswerMakesRoomForTheNext) {
    auto one = ask(question(std::chrono::minutes(1)));
    auto two = ask(question(std::chrono::minutes(1)));
    EXPECT_EQ(ask(question(std::chrono::minutes(1))).get(), "429");
    looked_.acquire();
    looked_.acquire();
    there_ = true;
    commit(some_instance, 1);
    EXPECT_EQ(one.get(), "there");
    EXPECT_EQ(two.get(), "there");
    EXPECT_EQ(ask(question(std::chrono::minutes(1))).get(), "there");
}

TEST_F(LongPoll, NobodyIsTakenOnceItDrains) {
    polls_.drain();
    EXPECT_EQ(ask(question(std::chrono::minutes(1))).get(), "503");
    EXPECT_EQ(looks_, 0);
}

TEST_F(LongPoll, AFullReaderQueueIsTold) {
    readers_.shutdown();
    EXPECT_EQ(ask(question(std::chrono::minutes(1))).get(), "429");
}

TEST(WatchersOfCommits, AreToldUntilTheyLeave) {
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
