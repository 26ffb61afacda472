// Signals over HTTP: through the queue, once however often they are sent (004.3).
#include <gtest/gtest.h>

#include "support/runner_api.h"

namespace holdfast::testing {
namespace {

class SignalApi : public RunnerApi {};

INSTANTIATE_TEST_SUITE_P(Stores, SignalApi, durable_stores(), store_name);

TEST_P(SignalApi, ASignalIsQueuedOnceAndRefusedLikeAnEvent) {
    const std::string id = server_.start_id();
    const std::string signal = "01890a5d-ac96-774b-bcce-000000000002";
    const std::string body = R"({"id": ")" + signal + R"(", "name": "paid", "value": {"n": 1}})";
    const Reply queued = post(path(id, "/signals"), body);
    ASSERT_EQ(queued.status, 202) << queued;
    EXPECT_EQ(queued.text_at("/outcome"), "queued");
    EXPECT_EQ(queued.text_at("/id"), signal);
    const Reply again = post(path(id, "/signals"), body);
    EXPECT_EQ(again.status, 200) << again;
    EXPECT_EQ(again.text_at("/outcome"), "repeated");
    EXPECT_EQ(post(path(id, "/signals"), R"({"name": "later", "after": "1h"})").status, 202);

    const std::string large = R"({"name": "paid", "value": ")" + std::string(70'000, 'x') + "\"}";
    EXPECT_EQ(post(path(id, "/signals"), large).slug(), "signal-too-long");
    for (const char* bad : {"{}", R"({"name": "task/x"})", R"({"name": "a", "id": "x"})",
                            R"({"name": "a", "after": "x"})"})
        EXPECT_EQ(post(path(id, "/signals"), bad).status, 400) << bad;
    const std::string unknown = path("01890a5d-ac96-774b-bcce-000000000009", "/signals");
    EXPECT_EQ(post(unknown, body).status, 404) << "also with an id that another workflow got";
    EXPECT_EQ(post(unknown, R"({"name": "paid"})").status, 404);
}

}  // namespace
}  // namespace holdfast::testing
