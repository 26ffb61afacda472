// Dead letters, nodes and retention over HTTP (004.7, 004.9).
#include <gtest/gtest.h>

#include "base/ids/byte_text.h"
#include "support/eventually.h"
#include "support/runner_api.h"

namespace holdfast::testing {
namespace {

class DeadLetterApi : public RunnerApi {
protected:
    static std::string route(const std::string& letter) { return "/api/v1/dead-letters/" + letter; }

    // Moves a signal of a new workflow to the dead letters; returns its id.
    std::string dead_letter(const std::string& detail = "tried five times") {
        World& world = server_.world;
        if (!world.self.node) world.define_program("job");
        workflow_ = server_.start_id();
        const op::EnqueueSignal signal{.cause = world.cause(),
                                       .signal = world.ids.next<SignalId>(),
                                       .instance = *parse_id<InstanceId>(workflow_),
                                       .payload = document(R"({"n":1})")};
        world.run(signal);
        const auto claimed = world.store->claim({.node = *world.self.node});
        EXPECT_EQ(claimed->signals.size(), 1u);
        const SignalRow& row = claimed->signals.at(0);
        bytes_ = row.envelope;
        bury(row, detail);
        return to_string(signal.signal);
    }
    void bury(const SignalRow& row, const std::string& detail) {
        World& world = server_.world;
        world.run(op::BurySignal{.cause = world.cause(),
                                 .instance = row.instance,
                                 .signal = row.id,
                                 .lease = {*row.leased_by, row.epoch},
                                 .detail = detail});
    }
    Reply redrive(const std::string& letter, const Fields& headers = {}) {
        return post(route(letter) + "/redrive", {}, headers);
    }
    Reply remove(const std::string& letter) { return server_.call(Method::del, route(letter)); }

    std::string workflow_;
    std::string bytes_;
};

INSTANTIATE_TEST_SUITE_P(Stores, DeadLetterApi, durable_stores(), store_name);

TEST_P(DeadLetterApi, ALetterIsShownWithItsBytesAndWhyItDied) {
    const std::string letter = dead_letter();
    const Reply shown = fetch(route(letter));
    ASSERT_EQ(shown.status, 200) << shown;
    EXPECT_EQ(shown.text_at("/id"), letter);
    EXPECT_EQ(shown.text_at("/workflow"), workflow_);
    EXPECT_EQ(shown.text_at("/type"), "ExternalSignal");
    EXPECT_EQ(shown.text_at("/reason"), "tooManyAttempts");
    EXPECT_EQ(shown.text_at("/detail"), "tried five times");
    EXPECT_EQ(shown.number_at("/attempts"), 1u);
    EXPECT_EQ(shown.number_at("/envelope/payload/n"), 1u);
    EXPECT_EQ(from_base64url(shown.text_at("/bytes")), bytes_);
    EXPECT_TRUE(server_.get(workflow_).at("/incident").as_bool());
}

TEST_P(DeadLetterApi, LettersAreListedByReasonAndWorkflowInPages) {
    std::set<std::string> letters{dead_letter(), dead_letter(), dead_letter()};
    const Reply first = fetch("/api/v1/dead-letters?limit=2&reason=tooManyAttempts");
    ASSERT_EQ(first.at("/items").as_array().size(), 2u) << first;
    const Reply second = fetch("/api/v1/dead-letters?limit=2&reason=tooManyAttempts&cursor=" +
                               first.text_at("/nextCursor"));
    ASSERT_EQ(second.at("/items").as_array().size(), 1u) << second;
    EXPECT_TRUE(second.at("/nextCursor").is_null());
    for (const std::string& id : {first.text_at("/items/0/id"), first.text_at("/items/1/id"),
                                  second.text_at("/items/0/id")})
        EXPECT_EQ(letters.erase(id), 1u);
    EXPECT_EQ(fetch("/api/v1/dead-letters?workflow=" + workflow_).at("/items").as_array().size(),
              1u);
    EXPECT_TRUE(fetch("/api/v1/dead-letters?reason=undecodable").at("/items").as_array().empty());
}

TEST_P(DeadLetterApi, ARedrivenLetterIsBackInTheQueueUnderItsId) {
    const std::string letter = dead_letter();
    const Fields key{{"Idempotency-Key", "again"}};
    const Reply redriven = redrive(letter, key);
    ASSERT_EQ(redriven.status, 202) << redriven;
    EXPECT_EQ(redriven.text_at("/workflow"), workflow_);
    EXPECT_EQ(redrive(letter, key).text, redriven.text);
    EXPECT_EQ(redrive(letter).status, 404);
    EXPECT_EQ(fetch(route(letter)).status, 404);
    EXPECT_FALSE(server_.get(workflow_).at("/incident").as_bool());
    const auto claimed = server_.world.store->claim({.node = *server_.world.self.node});
    ASSERT_EQ(claimed->signals.size(), 1u);
    EXPECT_EQ(to_string(claimed->signals[0].id), letter);
    EXPECT_EQ(claimed->signals[0].envelope, bytes_);
}

// A client that lost the answer repeats its request, perhaps after the signal died again.
TEST_P(DeadLetterApi, ARepeatedKeyRedrivesOnce) {
    const std::string letter = dead_letter();
    const Fields key{{"Idempotency-Key", "again"}};
    const Reply redriven = redrive(letter, key);
    ASSERT_EQ(redriven.status, 202) << redriven;
    const auto claimed = server_.world.store->claim({.node = *server_.world.self.node});
    ASSERT_EQ(claimed->signals.size(), 1u);
    bury(claimed->signals[0], "died again");
    EXPECT_EQ(redrive(letter, key).text, redriven.text);
    EXPECT_EQ(fetch(route(letter)).text_at("/detail"), "died again") << "it was not redriven";
    EXPECT_EQ(redrive(dead_letter(), key).slug(), "idempotency-key-reused");
    EXPECT_EQ(redrive(letter, {{"Idempotency-Key", "once-more"}}).status, 202);
}

TEST_P(DeadLetterApi, ARemovedLetterIsGone) {
    const std::string letter = dead_letter();
    EXPECT_EQ(remove(letter).status, 204);
    EXPECT_EQ(remove(letter).status, 404);
    EXPECT_TRUE(fetch("/api/v1/dead-letters").at("/items").as_array().empty());
}

TEST_P(DeadLetterApi, ALetterOfAnEndedWorkflowCanOnlyBeRemoved) {
    const std::string letter = dead_letter();
    EXPECT_EQ(complete(workflow_, 0).status, 200);
    const Reply refused = redrive(letter);
    EXPECT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(fetch(route(letter)).status, 200);
    EXPECT_EQ(remove(letter).status, 204);
}

TEST_P(DeadLetterApi, BadRequestsAreRefusedAndChangeNothing) {
    const std::string letter = dead_letter();
    const std::string before = fingerprint(server_);
    EXPECT_EQ(fetch("/api/v1/dead-letters?reason=sadness").status, 400);
    EXPECT_EQ(fetch("/api/v1/dead-letters?workflow=7").status, 400);
    EXPECT_EQ(fetch("/api/v1/dead-letters?cursor=abc").status, 400);
    EXPECT_EQ(fetch("/api/v1/dead-letters?color=red").status, 400);
    EXPECT_EQ(fetch(route("7")).status, 400);
    EXPECT_EQ(fetch(route(nobody)).status, 404);
    EXPECT_EQ(redrive(nobody).status, 404);
    EXPECT_EQ(post(route(letter) + "/redrive", R"({"now":true})").status, 400);
    EXPECT_EQ(remove("x").status, 400);
    EXPECT_EQ(post("/api/v1/retention/run?dryRun=perhaps").status, 400);
    EXPECT_EQ(post("/api/v1/retention/run?hard=true").status, 400);
    EXPECT_EQ(fingerprint(server_), before);
}

TEST_P(DeadLetterApi, NodesShowTheirLeases) {
    server_.world.define_program("job");
    const Reply nodes = fetch("/api/v1/nodes");
    ASSERT_EQ(nodes.status, 200) << nodes;
    ASSERT_EQ(nodes.at("/items").as_array().size(), 1u) << nodes;
    EXPECT_EQ(nodes.text_at("/items/0/name"), "node");
    EXPECT_TRUE(nodes.at("/items/0/alive").as_bool());
    EXPECT_TRUE(nodes.at("/locks").as_array().empty());
}

TEST_P(DeadLetterApi, RetentionDeletesWhatItsDefinitionNoLongerKeeps) {
    ASSERT_EQ(server_
                  .call(Method::put, "/api/v1/definitions/brief",
                        R"({"retention": {"keepFor": "PT0.001S"}})")
                  .status,
              201);
    const Reply started = post("/api/v1/workflows", R"({"definition": "brief"})");
    const std::string brief = started.text_at("/id");
    const std::string kept = server_.start_id();
    for (const std::string& id : {brief, kept}) EXPECT_EQ(complete(id, 0).status, 200);
    // Its window of a millisecond has passed by the store's clock.
    ASSERT_TRUE(eventually([&] {
        const Reply dry = post("/api/v1/retention/run?dryRun=true");
        return dry.status == 200 && dry.number_at("/deleted") == 1;
    }));
    EXPECT_EQ(server_.get(brief).status, 200);
    const Reply real = post("/api/v1/retention/run");
    ASSERT_EQ(real.status, 200) << real;
    EXPECT_EQ(real.number_at("/deleted"), 1u);
    EXPECT_EQ(server_.get(brief).status, 404);
    EXPECT_EQ(server_.get(kept).status, 200);
    EXPECT_EQ(fetch("/api/v1/nodes").text_at("/locks/0/name"), "retention");
    EXPECT_EQ(server_.call(Method::put, "/api/v1/definitions/brief", R"({"retention": 5})").status,
              400);
}

}  // namespace
}  // namespace holdfast::testing
