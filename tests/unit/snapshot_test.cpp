// The engine's snapshot (004.12): its committed format, and which snapshots are refused.
#include "model/codec/snapshot.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>

#include "../support/golden.h"
#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "model/codec/codec.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

Instance running() {
    Instance instance;
    instance.id = *parse_id<InstanceId>("01936a2e-7c00-7000-8000-000000000001");
    instance.definition = {"orders", 2};
    instance.business = {"1200345", {{"customer", "77"}, {"country", "AT"}}};
    instance.state = Document::of(bj::object{{"currentStep", "approve"}, {"amount", 12.5}});
    return instance;
}

Instance waiting_for(Wait wait) {
    Instance instance = running();
    instance.status = Status::suspended;
    instance.index = 3;
    instance.waits = {Waiting{.token = *parse_id<TokenId>("01936a2e-7c00-7000-8000-0000000000aa"),
                              .wait = std::move(wait),
                              .began_at = *parse_iso8601("2026-01-28T10:00:00Z")}};
    return instance;
}

std::map<std::string, Instance> instances() {
    const Moment due = *parse_iso8601("2026-01-29T10:00:00.25Z");
    const auto child = *parse_id<InstanceId>("01936a2e-7c00-7000-8000-000000000002");
    Instance ended = running();
    ended.status = Status::succeeded;
    ended.index = 7;
    return {{"running", running()},
            {"event", waiting_for({.names = {"paid"}})},
            {"timer", waiting_for({.until = due})},
            {"several", waiting_for({.names = {"paid", "refused"}, .until = due})},
            {"workflow", waiting_for({.workflows = {child}})},
            {"ended", ended}};
}

std::string golden_name(const std::string& name) { return "snapshot_v1_" + name + ".json"; }

TEST(Snapshot, HasTheCommittedShape) {
    for (const auto& [name, instance] : instances())
        expect_golden(golden_name(name), json::canonical(snapshot_json(instance)) + '\n');
}

TEST(Snapshot, OfVersionOneIsReadBack) {
    for (const auto& [name, instance] : instances()) {
        const auto value = json::parse(golden(golden_name(name)));
        ASSERT_TRUE(value) << name;
        const auto read = snapshot_from_json(*value);
        ASSERT_TRUE(read) << name << ": " << read.error().message;
        EXPECT_EQ(*read, snapshot_of(instance)) << name;
    }
}

TEST(Snapshot, SaysWhereTheInstanceResumes) {
    EXPECT_EQ(snapshot_of(running()).resume.entry, EntryPoint::start);
    Instance stepped = running();
    stepped.index = 1;
    EXPECT_EQ(snapshot_of(stepped).resume, (ResumePointer{EntryPoint::step, {}, {}, 1}));
    EXPECT_EQ(snapshot_of(waiting_for({.names = {"paid"}})).resume.entry, EntryPoint::wait);
    EXPECT_EQ(snapshot_of(instances().at("ended")).resume.entry, EntryPoint::end);
}

TEST(Snapshot, OfANewerSchemaIsRefusedWithBothVersions) {
    bj::object newer = snapshot_json(running());
    newer["engineSchemaVersion"] = 2;
    newer["resume"] = "in a future format";
    const auto read = snapshot_from_json(newer);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::newer_schema);
    EXPECT_NE(read.error().message.find("schema 2"), std::string::npos) << read.error().message;
    EXPECT_NE(read.error().message.find("supports up to 1"), std::string::npos)
        << read.error().message;
    EXPECT_TRUE(check_snapshot_version(1));
    EXPECT_EQ(check_snapshot_version(2).error().code, ErrorCode::newer_schema);
}

TEST(Snapshot, WithAMissingOrWrongMemberIsRefusedByItsName) {
    for (const char* name : {"engineSchemaVersion", "workflowState", "businessReference", "status",
                             "waiting", "resume"}) {
        bj::object broken = snapshot_json(running());
        broken.erase(name);
        const auto read = snapshot_from_json(broken);
        ASSERT_FALSE(read) << name;
        EXPECT_EQ(read.error().code, ErrorCode::corrupt);
        EXPECT_NE(read.error().message.find(name), std::string::npos) << read.error().message;
    }
    bj::object strange = snapshot_json(running());
    strange["waiting"].as_object()["kind"] = "a whim";
    EXPECT_FALSE(snapshot_from_json(strange));
    EXPECT_FALSE(snapshot_from_json(bj::value("no object")));
}

TEST(StoredWait, IsReadBackWholeOrRefused) {
    Waiting waiting = instances().at("several").waits.front();
    waiting.owner = parse_id<ActivityInstanceId>("01936a2e-7c00-7000-8000-0000000000ab");
    const std::string text = waiting_text(waiting);
    EXPECT_EQ(*waits_from_text(text), std::vector{waiting});
    Waiting older = waiting;
    older.began_at -= std::chrono::seconds(1);
    EXPECT_EQ(*waits_from_text("[" + text + "," + waiting_text(older) + "]"),
              (std::vector{older, waiting}));
    EXPECT_FALSE(waits_from_text("[" + text + ",7]"));
    for (const char* broken :
         {R"({"names":[7]})", R"({"workflows":[7]})", R"({"workflows":["no id"]})",
          R"({"since":"ever"})", R"({"token":null})", R"({"until":"soon"})"}) {
        bj::object damaged = json::parse(text)->as_object();
        const bj::object change = json::parse(broken)->as_object();
        for (const auto& member : change) damaged[member.key()] = member.value();
        EXPECT_FALSE(waits_from_text(json::canonical(damaged))) << broken;
    }
}

}  // namespace
}  // namespace holdfast::testing
