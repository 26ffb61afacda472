// The JSON form of an instance: its runtime members are read back, and forms that were stored
// before programs existed stay readable.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "model/codec/codec.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

template <class SomeId>
SomeId id_of(std::uint64_t number) {
    return {make_uuid_v7(Moment{std::chrono::seconds{1'769'594'400}}, 0, number)};
}

Instance suspended() {
    Instance instance{.id = id_of<InstanceId>(1)};
    instance.definition = {"order", 2};
    instance.status = Status::suspended;
    instance.version = 7;
    instance.run = 3;
    instance.index = 5;
    instance.waits = {Waiting{.token = id_of<TokenId>(2),
                              .wait = {.names = {"paid", "ü/\n"},
                                       .until = Moment{std::chrono::microseconds{123'456'789}},
                                       .workflows = {id_of<InstanceId>(3)},
                                       .since = Since::created},
                              .began_at = Moment{std::chrono::microseconds{5}}}};
    instance.last_error = "declined";
    instance.last_executed_by = "node-1";
    instance.last_executed_at = Moment{std::chrono::microseconds{6}};
    return instance;
}

TEST(InstanceCodec, TheRuntimeMembersAreReadBack) {
    Instance failed = suspended();
    failed.status = Status::failed;
    failed.waits.clear();
    failed.result = Document::of(bj::object{{"code", "declined"}});
    Instance nothing = failed;
    nothing.status = Status::succeeded;
    nothing.result = Document::of(nullptr);
    Instance cancelled = failed;
    cancelled.status = Status::cancelled;
    cancelled.result.reset();
    for (const Instance& instance : {suspended(), failed, nothing, cancelled}) {
        const auto read = instance_from_json(to_json(instance));
        ASSERT_TRUE(read.has_value()) << read.error().message;
        EXPECT_EQ(*read, instance) << bj::serialize(to_json(*read));
    }
}

TEST(InstanceCodec, AFormWithoutRuntimeMembersIsAFreshInstance) {
    bj::object old = to_json(Instance{.id = id_of<InstanceId>(1)});
    for (const char* member :
         {"run", "index", "waiting", "result", "lastError", "lastExecutedBy", "lastExecutedAt"})
        ASSERT_EQ(old.erase(member), 1u) << member;
    const auto read = instance_from_json(old);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(*read, Instance{.id = id_of<InstanceId>(1)});
}

TEST(InstanceCodec, TheKindOfAWaitFollowsFromItsConditions) {
    Instance instance = suspended();
    const auto kind = [&] { return to_json(instance).at("waiting").at("kind"); };
    EXPECT_EQ(kind(), "several");
    instance.waits.front().wait = {.names = {"a", "b"}};
    EXPECT_EQ(kind(), "event");
    instance.waits.front().wait = {.until = Moment{}};
    EXPECT_EQ(kind(), "timer");
    instance.waits.front().wait = {.workflows = {id_of<InstanceId>(3)}};
    EXPECT_EQ(kind(), "sub_workflow");
}

}  // namespace
}  // namespace holdfast
