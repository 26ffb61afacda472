// POST /api/v1/definitions: a BPMN model, which makes a definition of each of its processes.
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/input.h"
#include "program/process.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_problems_in_detail = 3;

bj::array list_of(const std::vector<std::string>& texts) {
    bj::array list;
    for (const std::string& text : texts) list.emplace_back(text);
    return list;
}

Response refused_model(const ModelDeployment& deployment) {
    std::string detail = "the model is refused";
    for (std::size_t i = 0; i < deployment.problems.size() && i < most_problems_in_detail; ++i)
        detail += (i == 0 ? ": " : "; ") + deployment.problems[i];
    return problem(422, "invalid-model", "Invalid model", detail,
                   {{"problems", list_of(deployment.problems)}});
}

Result<bool> read_dry_run(const Request& request) {
    const auto text = request.query_value("dryRun");
    if (!text || *text == "false") return false;
    if (*text == "true") return true;
    return fail(ErrorCode::invalid_argument, "dryRun must be true or false");
}

// What a deployment would define.
Response checked_model(const ModelDeployment& deployment) {
    bj::array definitions;
    for (const DeployedProcess& process : deployment.processes)
        definitions.push_back(bj::object{{"key", process.key}});
    return json_response(200, bj::object{{"dryRun", true},
                                         {"definitions", std::move(definitions)},
                                         {"warnings", list_of(deployment.problems)}});
}

// The processes of a model are defined one after the other; a repeat changes nothing.
struct Deploying {
    ModelDeployment deployment;
    std::string xml;
    Cause cause;
    Respond respond;
    bj::array defined;
    bool created = false;
};

void define_next(Api& api, const std::shared_ptr<Deploying>& deploying) {
    const std::size_t next = deploying->defined.size();
    if (next == deploying->deployment.processes.size())
        return deploying->respond.later([deploying] {
            return json_response(deploying->created ? 201 : 200,
                                 bj::object{{"definitions", std::move(deploying->defined)},
                                            {"warnings", list_of(deploying->deployment.problems)}});
        });
    const DeployedProcess& process = deploying->deployment.processes[next];
    op::Define define{.cause = deploying->cause,
                      .key = process.key,
                      .kind = std::string(process_kind),
                      .source = deploying->xml,
                      .program = process.program};
    define.cause.operation = api.ids.next<OperationId>();
    api.coordinator.submit(
        std::move(define), [&api, deploying](Result<op::Define::Outcome> outcome) {
            if (!outcome) return deploying->respond(problem(outcome.error()));
            const auto& defined = std::get<op::Defined>(*outcome);
            deploying->created = deploying->created || defined.created;
            deploying->defined.push_back(bj::object{{"key", defined.definition->ref.key},
                                                    {"version", defined.definition->ref.version},
                                                    {"created", defined.created}});
            define_next(api, deploying);
        });
}

void post_model(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_CHECK(check_parameters(request, {"dryRun"}));
        HF_TRY(const bool dry_run, read_dry_run(request));
        const std::string type = content_type(request);
        if (type != "application/xml" && type != "text/xml")
            return fail(ErrorCode::unsupported_media,
                        "send a BPMN model as Content-Type: application/xml; a definition without "
                        "one is made with PUT /api/v1/definitions/{key}");
        HF_TRY(const Cause cause, read_cause(request, api.ids));
        ModelDeployment deployment = deploy_model(request.body);
        if (deployment.processes.empty()) {
            later(refused_model(deployment));
            return {};
        }
        for (const DeployedProcess& process : deployment.processes)
            HF_CHECK(read_name(process.key, "the id of a process"));
        if (dry_run) {
            later(checked_model(deployment));
            return {};
        }
        define_next(api, std::make_shared<Deploying>(Deploying{.deployment = std::move(deployment),
                                                               .xml = std::move(request.body),
                                                               .cause = cause,
                                                               .respond = std::move(later)}));
        return {};
    });
}

}  // namespace

void add_deploy_routes(Router& router, Api& api) {
    add_route(router, api, Method::post, "/api/v1/definitions", post_model);
}

}  // namespace holdfast::http
