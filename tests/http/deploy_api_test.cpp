// BPMN models over HTTP: deployed, started, refused with their problems.
#include <gtest/gtest.h>

#include "raw_client.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

class DeployApi : public DurableApi {
protected:
    Reply deploy(const std::string& elements, const std::string& type = "application/xml",
                 const std::string& query = "") {
        const std::string xml =
            "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
            "targetNamespace='t'><process id='order' isExecutable='true'><startEvent id='s'/>" +
            elements +
            "<endEvent id='e'/><sequenceFlow id='f' sourceRef='s' targetRef='t'/><sequenceFlow "
            "id='g' sourceRef='t' targetRef='e'/></process></definitions>";
        return server_.call(Method::post, "/api/v1/definitions" + query, xml,
                            {{"Content-Type", type}});
    }
    std::string start_order() {
        const Reply started = server_.call(Method::post, workflows, R"({"definition": "order"})");
        EXPECT_EQ(started.status, 201) << started;
        return started.text_at("/id");
    }
    Reply modify(const std::string& id, const std::string& steps) {
        return server_.call(Method::post, ApiServer::path_of(id) + "/modify",
                            R"({"steps": )" + steps + "}", {{"If-Match", "*"}});
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, DeployApi, durable_stores(), store_name);

TEST_P(DeployApi, AModelIsDeployedAndItsProcessRuns) {
    const Reply deployed = deploy("<manualTask id='t'/>");
    ASSERT_EQ(deployed.status, 201) << deployed;
    EXPECT_EQ(deployed.text_at("/definitions/0/key"), "order");
    EXPECT_EQ(deployed.number_at("/definitions/0/version"), 1u);
    EXPECT_EQ(deploy("<manualTask id='t'/>").status, 200);
    const Reply started =
        server_.call(Method::post, workflows, R"({"definition": "order", "state": {"total": 5}})");
    ASSERT_EQ(started.status, 201) << started;
    EXPECT_EQ(server_.get(started.text_at("/id")).text_at("/status"), "succeeded");
}

TEST_P(DeployApi, AModelThatCannotRunIsRefusedWithItsProblems) {
    const Reply refused = deploy("<callActivity id='t'/>");
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.slug(), "invalid-model");
    EXPECT_GE(refused.at("/problems").as_array().size(), 1u);
    EXPECT_EQ(deploy("<manualTask id='t'/>", "application/json").status, 415);
}

TEST_P(DeployApi, AModelMayHaveFourMebibytes) {
    const std::string comment = "<manualTask id='t'/><!--" + std::string(3'900'000, 'x') + "-->";
    EXPECT_EQ(deploy(comment).status, 201);
    http::RawClient client(server_.port());
    client.send(
        "POST /api/v1/definitions HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/xml\r\nContent-Length: 4300000\r\n\r\n");
    EXPECT_TRUE(client.read_response().starts_with("HTTP/1.1 413 "));
}

TEST_P(DeployApi, AModelHasABoundedNumberOfProcesses) {
    const auto processes = [](int count) {
        std::string xml =
            "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='t'>";
        for (int i = 0; i < count; ++i) {
            const std::string n = std::to_string(i);
            xml += "<process id='p" + n + "' isExecutable='true'><startEvent id='s" + n +
                   "'/><endEvent id='e" + n + "'/><sequenceFlow id='f" + n + "' sourceRef='s" + n +
                   "' targetRef='e" + n + "'/></process>";
        }
        return xml + "</definitions>";
    };
    const Fields xml{{"Content-Type", "application/xml"}};
    const std::string route = "/api/v1/definitions";
    EXPECT_EQ(server_.call(Method::post, route, processes(64), xml).status, 201);
    const Reply refused = server_.call(Method::post, route, processes(65), xml);
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.number_at("/processes"), 65u);
}

TEST_P(DeployApi, ADryRunDeploysNothing) {
    const Reply checked = deploy("<manualTask id='t'/>", "application/xml", "?dryRun=true");
    ASSERT_EQ(checked.status, 200) << checked;
    EXPECT_EQ(checked.text_at("/definitions/0/key"), "order");
    EXPECT_EQ(server_.call(Method::get, "/api/v1/definitions/order").status, 404);
    EXPECT_EQ(deploy("<callActivity id='t'/>", "application/xml", "?dryRun=true").status, 422);
    EXPECT_EQ(deploy("<manualTask id='t'/>", "application/xml", "?dryRun=maybe").status, 400);
}

TEST_P(DeployApi, AProcessIsModifiedByHandAsAWholeOrNotAtAll) {
    ASSERT_EQ(deploy("<userTask id='t'/>").status, 201);
    const std::string id = start_order();
    const Reply refused = modify(id, R"([{"do": "setVariables", "variables": {"x": 1}},
                                         {"do": "enter", "element": "nowhere"}])");
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.slug(), "not-modified");
    EXPECT_EQ(server_.get(id).at("/state"), json_of("{}"));
    const Reply done = modify(id, R"([{"do": "setVariables", "variables": {"x": 1}}])");
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_EQ(server_.get(id).at("/state"), json_of(R"({"x": 1})"));
    EXPECT_EQ(modify(id, R"([{"do": "jump"}])").status, 400);
}

}  // namespace
}  // namespace holdfast::testing
