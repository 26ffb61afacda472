// POST /api/v1/definitions: a BPMN model, which makes a definition of each of its processes.
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/input.h"
#include "program/process.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_problems_in_detail = 3;
constexpr std::size_t most_processes = 64;
constexpr std::size_t most_stored = std::size_t{64} << 20;

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
    Coordinator& coordinator;
    IdSource& ids;
    ModelDeployment deployment;
    std::string xml;
    Cause cause;
    Respond respond;
    bj::array defined;
    bool created = false;
};

void define_next(const std::shared_ptr<Deploying>& deploying) {
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
    define.cause.operation = deploying->ids.next<OperationId>();
    deploying->coordinator.submit(
        std::move(define), [deploying](Result<op::Define::Outcome> outcome) {
            if (!outcome) return deploying->respond(problem(outcome.error()));
            const auto& defined = std::get<op::Defined>(*outcome);
            deploying->created = deploying->created || defined.created;
            deploying->defined.push_back(bj::object{{"key", defined.definition->ref.key},
                                                    {"version", defined.definition->ref.version},
                                                    {"created", defined.created}});
            define_next(deploying);
        });
}

// Every process is stored with the whole model.
bool is_too_much(const ModelDeployment& deployment, const std::string& xml) {
    const std::size_t processes = deployment.processes.size();
    return processes > most_processes || processes * xml.size() > most_stored;
}

Response too_many_processes(const ModelDeployment& deployment) {
    return problem(422, "invalid-model", "Invalid model",
                   "the model has " + std::to_string(deployment.processes.size()) +
                       " processes: at most 64 may be deployed together, and at most 64 MiB of "
                       "processes times size; split the file",
                   {{"processes", deployment.processes.size()}});
}

struct Posted {
    std::string xml;
    Cause cause;
    bool dry_run = false;
};

Result<Posted> read_posted(Request& request, IdSource& ids) {
    HF_CHECK(check_parameters(request, {"dryRun"}));
    Posted posted;
    HF_TRY(posted.dry_run, read_dry_run(request));
    const std::string type = content_type(request);
    if (type != "application/xml" && type != "text/xml")
        return fail(ErrorCode::unsupported_media,
                    "send a BPMN model as Content-Type: application/xml; a definition without "
                    "one is made with PUT /api/v1/definitions/{key}");
    HF_TRY(posted.cause, read_cause(request, ids));
    posted.xml = std::move(request.body);
    return posted;
}

void deploy(Api& api, Posted posted, Respond respond) {
    ModelDeployment deployment = deploy_model(posted.xml);
    if (deployment.processes.empty()) return respond(refused_model(deployment));
    if (is_too_much(deployment, posted.xml)) return respond(too_many_processes(deployment));
    for (const DeployedProcess& process : deployment.processes)
        if (const auto key = read_name(process.key, "the id of a process"); !key)
            return respond(problem(key.error()));
    if (posted.dry_run) return respond(checked_model(deployment));
    define_next(std::make_shared<Deploying>(Deploying{.coordinator = api.coordinator,
                                                      .ids = api.ids,
                                                      .deployment = std::move(deployment),
                                                      .xml = std::move(posted.xml),
                                                      .cause = std::move(posted.cause),
                                                      .respond = std::move(respond)}));
}

// Compiling a model takes up to seconds and a quarter of a gigabyte: not on the thread of all
// connections, and one at a time.
void post_model(Api& api, Request request, Respond respond) {
    auto posted = read_posted(request, api.ids);
    if (!posted) return respond(problem(posted.error()));
    auto later = std::make_shared<Respond>(std::move(respond));
    const bool taken = api.models.post([&api, later, posted = *std::move(posted)]() mutable {
        deploy(api, std::move(posted), std::move(*later));
    });
    if (!taken)
        (*later)(problem(Error{
            ErrorCode::overloaded, "too many models are being deployed; try again shortly", {}}));
}

}  // namespace

void add_deploy_routes(Router& router, Api& api) {
    Description description("deployModel", "Defines each process of a BPMN model.");
    description.query({"dryRun", "Only checks the model.", Flag{}})
        .body_as("application/xml", "")
        .body_as("text/xml", "")
        .instead_send(
            "send a BPMN model as Content-Type: application/xml; a definition without one is made "
            "with PUT /api/v1/definitions/{key}")
        .answer(201, "New versions.", "Deployment")
        .answer(200, "Nothing has changed, or a dry run.", "Deployment")
        .problems({"invalid-model"});
    router.add({Method::post, "/api/v1/definitions", Access::guarded, std::move(description),
                [&api](Request request, Respond respond) {
                    post_model(api, std::move(request), std::move(respond));
                },
                BodySize::large});
}

}  // namespace holdfast::http
