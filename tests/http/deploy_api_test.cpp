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
        server_.call(Method::post, workflows,
                     R"({"definition": "order", "state": {"variables": {"total": 5}}})");
    ASSERT_EQ(started.status, 201) << started;
    EXPECT_EQ(server_.get(started.text_at("/id")).text_at("/status"), "succeeded");
}

TEST_P(DeployApi, AModelThatCannotRunIsRefusedWithItsProblems) {
    const Reply refused = deploy("<callActivity id='t'/>");
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.slug(), "invalid-model");
    EXPECT_GE(refused.at("/problems").as_array().size(), 1u);
    EXPECT_EQ(deploy("<manualTask id='t'/>", "text/plain").status, 415);
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
    const auto processes = [](int count, std::size_t more = 0) {
        std::string xml =
            "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
            "targetNamespace='t'><!--" +
            std::string(more, 'x') + "-->";
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
    // Each is stored with the whole model, by one round.
    EXPECT_EQ(server_.call(Method::post, route, processes(10, 900'000), xml).status, 422);
    EXPECT_EQ(server_.call(Method::post, route, processes(8, 900'000), xml).status, 201);
}

TEST_P(DeployApi, TheIdOfAProcessIsTheKeyOfItsDefinition) {
    const std::string xml =
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='t'>"
        "<process id='\u00e9t\u00e9' isExecutable='true'><startEvent id='s'/><endEvent id='e'/>"
        "<sequenceFlow id='f' sourceRef='s' targetRef='e'/></process></definitions>";
    const Reply refused = server_.call(Method::post, "/api/v1/definitions", xml,
                                       {{"Content-Type", "application/xml"}});
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_NE(refused.text_at("/problems/0").find("the id of a process must have"),
              std::string::npos)
        << refused;
}

TEST_P(DeployApi, ADryRunDeploysNothing) {
    const Reply checked = deploy("<manualTask id='t'/>", "application/xml", "?dryRun=true");
    ASSERT_EQ(checked.status, 200) << checked;
    EXPECT_EQ(checked.text_at("/definitions/0/key"), "order");
    EXPECT_EQ(server_.call(Method::get, "/api/v1/definitions/order").status, 404);
    EXPECT_EQ(deploy("<callActivity id='t'/>", "application/xml", "?dryRun=true").status, 422);
    EXPECT_EQ(deploy("<manualTask id='t'/>", "application/xml", "?dryRun=maybe").status, 400);
}

TEST_P(DeployApi, SeveralFilesAreDeployedTogetherOrNotAtAll) {
    const auto file = [](const std::string& key, const std::string& element) {
        return boost::json::object{
            {"name", key + ".bpmn"},
            {"content",
             "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
             "targetNamespace='t'><process id='" +
                 key + "' isExecutable='true'><startEvent id='s'/>" + element +
                 "<sequenceFlow id='f' sourceRef='s' targetRef='t'/></process></definitions>"}};
    };
    const auto post = [&](const boost::json::array& files) {
        return server_.call(Method::post, "/api/v1/definitions",
                            boost::json::serialize(boost::json::object{{"files", files}}),
                            {{"Content-Type", "application/json"}});
    };
    const std::string good = "<userTask id='t'/>";
    const Reply bad = post({file("a", good), file("b", "<callActivity id='t'/>")});
    EXPECT_EQ(bad.status, 422) << bad;
    EXPECT_TRUE(std::string(bad.at("/problems/0").as_string()).starts_with("b.bpmn: "));
    EXPECT_EQ(server_.call(Method::get, "/api/v1/definitions/a").status, 404);
    EXPECT_EQ(post({file("a", good), file("a", good)}).status, 422);
    EXPECT_EQ(post({}).status, 400);
    const Reply deployed = post({file("a", good), file("b", good)});
    ASSERT_EQ(deployed.status, 201) << deployed;
    EXPECT_EQ(deployed.text_at("/definitions/1/key"), "b");
    EXPECT_EQ(post({file("a", good), file("b", good)}).status, 200);
    EXPECT_EQ(server_.call(Method::get, "/api/v1/definitions/b").number_at("/version"), 1u);
}

TEST_P(DeployApi, VersionsAreListedNewestFirstWithTheirModels) {
    ASSERT_EQ(deploy("<manualTask id='t'/>").status, 201);
    ASSERT_EQ(deploy("<userTask id='t'/>").status, 201);
    ASSERT_EQ(deploy("<receiveTask id='t'/>").status, 201);
    const std::string versions = "/api/v1/definitions/order/versions";
    const Reply all = server_.call(Method::get, versions);
    ASSERT_EQ(all.status, 200) << all;
    ASSERT_EQ(all.at("/items").as_array().size(), 3u);
    EXPECT_EQ(all.number_at("/items/0/version"), 3u);
    const Reply first = server_.call(Method::get, versions + "?limit=2");
    EXPECT_EQ(first.number_at("/items/1/version"), 2u);
    const Reply last =
        server_.call(Method::get, versions + "?limit=2&cursor=" + first.text_at("/nextCursor"));
    ASSERT_EQ(last.at("/items").as_array().size(), 1u);
    EXPECT_EQ(last.number_at("/items/0/version"), 1u);
    EXPECT_EQ(server_.call(Method::get, "/api/v1/definitions/none/versions").status, 404);
    const Reply model = server_.call(Method::get, "/api/v1/definitions/order/model?version=2");
    EXPECT_EQ(model.status, 200);
}

TEST_P(DeployApi, ADisabledDefinitionIsNotStartedAndItsInstancesGoOn) {
    ASSERT_EQ(deploy("<userTask id='t'/>").status, 201);
    const std::string running = start_order();
    const std::string order = "/api/v1/definitions/order";
    const Reply disabled = server_.call(Method::post, order + "/disable");
    ASSERT_EQ(disabled.status, 200) << disabled;
    EXPECT_EQ(disabled.number_at("/version"), 2u);
    EXPECT_EQ(server_.call(Method::post, order + "/disable").number_at("/version"), 2u);
    const Reply refused = server_.call(Method::post, workflows, R"({"definition": "order"})");
    EXPECT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.slug(), "definition-disabled");
    EXPECT_NE(refused.text_at("/detail").find(order + "/enable"), std::string::npos);
    EXPECT_TRUE(server_.call(Method::get, "/api/v1/definitions").at("/items/0/disabled").as_bool());
    // A deployment keeps what the operator has set.
    ASSERT_EQ(deploy("<receiveTask id='t'/>").status, 201);
    EXPECT_EQ(server_.call(Method::post, workflows, R"({"definition": "order"})").status, 409);
    EXPECT_EQ(modify(running, R"([{"do": "setVariables", "variables": {"x": 1}}])").status, 200);
    server_.restart();
    ASSERT_EQ(server_.call(Method::post, order + "/enable").status, 200);
    start_order();
    EXPECT_EQ(server_.call(Method::post, "/api/v1/definitions/none/disable").status, 404);
}

TEST_P(DeployApi, IncidentsAndJobsAreListedWithFiltersAndPages) {
    ASSERT_EQ(deploy("<serviceTask id='t'/>").status, 201);
    std::vector<std::string> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(start_order());
    const auto list = [&](const std::string& target) {
        const Reply page = server_.call(Method::get, "/api/v1/" + target);
        EXPECT_EQ(page.status, 200) << page;
        return page;
    };
    const Reply jobs = list("jobs?limit=2&type=t");
    ASSERT_EQ(jobs.at("/items").as_array().size(), 2u);
    EXPECT_EQ(jobs.text_at("/items/0/workflow"), ids[0]);
    EXPECT_EQ(jobs.text_at("/items/0/element"), "t");
    const Reply rest = list("jobs?limit=2&type=t&cursor=" + jobs.text_at("/nextCursor"));
    ASSERT_EQ(rest.at("/items").as_array().size(), 1u);
    EXPECT_EQ(rest.text_at("/items/0/workflow"), ids[2]);
    EXPECT_EQ(list("jobs?workflow=" + ids[1]).at("/items").as_array().size(), 1u);
    EXPECT_EQ(list("jobs?definition=other").at("/items").as_array().size(), 0u);
    EXPECT_EQ(list("jobs?type=other").at("/items").as_array().size(), 0u);
    EXPECT_EQ(server_.call(Method::get, "/api/v1/jobs?workflow=7").status, 400);
    EXPECT_EQ(list("incidents").at("/items").as_array().size(), 0u);
    ASSERT_EQ(deploy("<callActivity id='t' calledElement='nowhere'/>").status, 201);
    const std::string stuck = start_order();
    const Reply incidents = list("incidents?definition=order&code=unknown_definition");
    ASSERT_EQ(incidents.at("/items").as_array().size(), 1u) << incidents;
    EXPECT_EQ(incidents.text_at("/items/0/workflow"), stuck);
    EXPECT_EQ(list("incidents?code=no_flow").at("/items").as_array().size(), 0u);
    EXPECT_EQ(list("incidents?workflow=" + ids[0]).at("/items").as_array().size(), 0u);
}

TEST_P(DeployApi, AProcessIsModifiedByHandAsAWholeOrNotAtAll) {
    ASSERT_EQ(deploy("<userTask id='t'/>").status, 201);
    const std::string id = start_order();
    const Reply refused = modify(id, R"([{"do": "setVariables", "variables": {"x": 1}},
                                         {"do": "enter", "element": "nowhere"}])");
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.slug(), "not-modified");
    EXPECT_EQ(server_.get(id).at("/state"), json_of(R"({"currentStep": "t"})"));
    const Reply done = modify(id, R"([{"do": "setVariables", "variables": {"x": 1}}])");
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_EQ(server_.get(id).at("/state/variables"), json_of(R"({"x": 1})"));
    EXPECT_EQ(modify(id, R"([{"do": "jump"}])").status, 400);
    // A misspelt member would leave a step with another meaning.
    const Reply misspelt = modify(id, R"([{"do": "retry", "actvity": "x"}])");
    EXPECT_EQ(misspelt.status, 400) << misspelt;
    EXPECT_NE(misspelt.text_at("/detail").find("has no member 'actvity'"), std::string::npos);
    EXPECT_EQ(modify(id, R"([{"do": "end", "element": "t"}])").status, 400);
}

TEST_P(DeployApi, TheStepOfAProcessIsTheEngines) {
    ASSERT_EQ(deploy("<userTask id='t'/>").status, 201);
    const std::string id = start_order();
    const Reply refused =
        server_.call(Method::patch, ApiServer::path_of(id) + "/state", R"({"currentStep": "e"})",
                     {{"If-Match", "*"}, {"Content-Type", "application/merge-patch+json"}});
    EXPECT_EQ(refused.status, 422) << refused;
    const Reply found =
        server_.call(Method::get, workflows + std::string("?path.currentStep=t&status=open"));
    ASSERT_EQ(found.at("/items").as_array().size(), 1u) << found;
}

}  // namespace
}  // namespace holdfast::testing
