// Work of one kind on shared threads, one after the other.
#include "base/threads/one_at_a_time.h"

#include <gtest/gtest.h>

#include <vector>

namespace holdfast {
namespace {

struct SharedThread {
    std::vector<OneAtATime::Work> given;
    bool has_room = true;

    OneAtATime::Run run() {
        return [this](OneAtATime::Work work) {
            if (has_room) given.push_back(std::move(work));
            return has_room;
        };
    }
};

TEST(OneAtATime, TakesOneSharedThreadAndRunsInOrder) {
    SharedThread thread;
    OneAtATime models(thread.run(), 3);
    std::vector<int> ran;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(models.post([&ran, i] { ran.push_back(i); }));
    EXPECT_EQ(thread.given.size(), 1u);
    EXPECT_TRUE(ran.empty());
    thread.given.front()();
    EXPECT_EQ(ran, (std::vector{0, 1, 2}));
}

TEST(OneAtATime, WhatDoesNotFitIsNotTaken) {
    SharedThread thread;
    OneAtATime models(thread.run(), 1);
    int ran = 0;
    EXPECT_TRUE(models.post([&] { ++ran; }));
    EXPECT_FALSE(models.post([&] { ++ran; }));
    thread.given.front()();
    EXPECT_EQ(ran, 1);
    thread.has_room = false;
    EXPECT_FALSE(models.post([&] { ++ran; }));
    thread.has_room = true;
    EXPECT_TRUE(models.post([&] { ++ran; }));
    thread.given.back()();
    EXPECT_EQ(ran, 2);
}

}  // namespace
}  // namespace holdfast
