// POST /api/v1/definitions: BPMN models. Each of their processes becomes a definition, all of them
// in one commit.
#include <boost/json.hpp>

#include "http/access/audit_log.h"
#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/input.h"
#include "program/process.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_problems_in_detail = 3;
constexpr std::size_t most_files = 64;
constexpr std::size_t most_processes = 64;
constexpr std::size_t most_stored = std::size_t{8} << 20;  // by one round

struct ModelFile {
    std::string name;  // empty: the only one
    std::string xml;
};

struct Posted {
    std::vector<ModelFile> files;
    Cause cause;
    bool dry_run = false;
};

// What the files would define, and all that is to be said about them.
struct CompiledFiles {
    std::vector<op::Define> parts;
    std::vector<std::string> problems;
    bool refused = false;
    std::size_t processes = 0;  // of all files, also of those that are not deployed
    std::size_t stored = 0;     // bytes: every process is stored with its whole file
};

bj::array list_of(const std::vector<std::string>& texts) {
    bj::array list;
    for (const std::string& text : texts) list.emplace_back(text);
    return list;
}

void refuse_file(CompiledFiles& compiled, const ModelFile& file, const std::string& problem) {
    compiled.problems.push_back(file.name.empty() ? problem : file.name + ": " + problem);
    compiled.refused = true;
}

void add_process(CompiledFiles& compiled, const ModelFile& file, DeployedProcess process) {
    if (std::ranges::find(compiled.parts, process.key, &op::Define::key) != compiled.parts.end())
        return refuse_file(compiled, file,
                           "the process '" + process.key + "' is in another file too");
    compiled.stored += file.xml.size();
    compiled.parts.push_back({.key = process.key,
                              .kind = std::string(process_kind),
                              .source = file.xml,
                              .program = std::move(process.program)});
}

void compile_file(CompiledFiles& compiled, const ModelFile& file) {
    ModelDeployment deployment = deploy_model(file.xml);
    const std::string prefix = file.name.empty() ? "" : file.name + ": ";
    for (const std::string& problem : deployment.problems)
        compiled.problems.push_back(prefix + problem);
    if (deployment.processes.empty()) compiled.refused = true;
    compiled.processes += deployment.processes.size();
    if (compiled.processes > most_processes ||
        compiled.stored + deployment.processes.size() * file.xml.size() > most_stored)
        return refuse_file(compiled, file,
                           "too many processes (here " +
                               std::to_string(deployment.processes.size()) +
                               "): at most 64 may be deployed together, and at most 8 MiB of "
                               "processes times size; split it");
    for (DeployedProcess& process : deployment.processes)
        add_process(compiled, file, std::move(process));
}

Response refused_model(const CompiledFiles& compiled) {
    std::string detail = "the model is refused";
    for (std::size_t i = 0; i < compiled.problems.size() && i < most_problems_in_detail; ++i)
        detail += (i == 0 ? ": " : "; ") + compiled.problems[i];
    return problem(422, "invalid-model", "Invalid model", detail,
                   {{"problems", list_of(compiled.problems)}, {"processes", compiled.processes}});
}

// What a deployment would define.
Response checked_model(const CompiledFiles& compiled) {
    bj::array definitions;
    for (const op::Define& part : compiled.parts)
        definitions.push_back(bj::object{{"key", part.key}});
    return json_response(200, bj::object{{"dryRun", true},
                                         {"definitions", std::move(definitions)},
                                         {"warnings", list_of(compiled.problems)}});
}

Response deployed_response(const op::Deployed& deployed, const std::vector<std::string>& warnings) {
    bj::array definitions;
    bool created = false;
    for (const op::Defined& defined : deployed.definitions) {
        created = created || defined.created;
        definitions.push_back(bj::object{{"key", defined.definition->ref.key},
                                         {"version", defined.definition->ref.version},
                                         {"created", defined.created}});
    }
    return json_response(created ? 201 : 200, bj::object{{"definitions", std::move(definitions)},
                                                         {"warnings", list_of(warnings)}});
}

void deploy(Api& api, Posted posted, Respond respond) {
    CompiledFiles compiled;
    for (const ModelFile& file : posted.files) compile_file(compiled, file);
    if (compiled.refused) return respond(refused_model(compiled));
    if (posted.dry_run) return respond(checked_model(compiled));
    api.coordinator.submit(
        op::Deploy{.cause = std::move(posted.cause), .parts = std::move(compiled.parts)},
        [respond = std::move(respond),
         warnings = std::move(compiled.problems)](Result<op::Deploy::Outcome> outcome) mutable {
            if (!outcome) return respond(problem(outcome.error()));
            respond(deployed_response(std::get<op::Deployed>(*outcome), warnings));
        });
}

Result<ModelFile> read_model_file(const bj::value& value) {
    const bj::object* object = value.if_object();
    const bj::value* name = object ? object->if_contains("name") : nullptr;
    const bj::value* content = object ? object->if_contains("content") : nullptr;
    if (!name || !content || object->size() != 2 || !name->is_string() || !content->is_string() ||
        name->get_string().empty() || name->get_string().size() > 256)
        return fail(ErrorCode::invalid_argument,
                    "a file must be {\"name\": ..., \"content\": the XML as text}");
    return ModelFile{std::string(name->get_string()), std::string(content->get_string())};
}

// {"files": [{"name": "order.bpmn", "content": "<definitions ..."}, ...]}
Result<std::vector<ModelFile>> read_model_files(const Request& request) {
    HF_TRY(const bj::object body, read_object(request, {"files"}));
    const bj::value* files = body.if_contains("files");
    const bj::array* list = files ? files->if_array() : nullptr;
    if (!list || list->empty() || list->size() > most_files)
        return fail(ErrorCode::invalid_argument, "'files' must be a list of 1 to 64 files");
    std::vector<ModelFile> read;
    for (const bj::value& value : *list) {
        HF_TRY(auto file, read_model_file(value));
        read.push_back(std::move(file));
    }
    return read;
}

Result<Posted> read_posted(Request& request, IdSource& ids) {
    Posted posted;
    posted.dry_run = flag_of(request, "dryRun");
    HF_TRY(posted.cause, read_cause(request, ids));
    if (content_type(request) == "application/json") {
        HF_TRY(posted.files, read_model_files(request));
        return posted;
    }
    posted.files.push_back({{}, std::move(request.body)});
    return posted;
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
    Description description("deployModels", operators, "Defines each process of BPMN models.");
    description.query({"dryRun", "Only checks the model.", Flag{}})
        .body_as("application/xml", "")
        .body_as("text/xml", "")
        .body_as("application/json", "DeployRequest")
        .instead_send(
            "send a BPMN model as Content-Type: application/xml, or several files as "
            "application/json; a definition without a model is made with PUT "
            "/api/v1/definitions/{key}")
        .answer(201, "New versions.", "Deployment")
        .answer(200, "Nothing has changed, or a dry run.", "Deployment")
        .problems({"invalid-model"})
        .audited();
    router.add({Method::post, "/api/v1/definitions", Access::guarded, std::move(description),
                [&api](Request request, Respond respond) {
                    respond = api.audit.recording(request, std::move(respond));
                    post_model(api, std::move(request), std::move(respond));
                },
                BodySize::large});
}

}  // namespace holdfast::http
