#include "program/process.h"

#include "base/plain_name.h"
#include "bpmn/model.h"
#include "engine/process_program.h"
#include "engine/supported.h"

namespace holdfast {
namespace {

// An older program deployed processes with any id, which stay.
enum class Ids { any, of_definitions };

// Why the engine does not take a process that BPMN allows.
std::vector<bpmn::Problem> refusals_of(const bpmn::Process& process, Ids ids) {
    std::vector<bpmn::Problem> problems = engine::not_supported(process);
    if (ids == Ids::of_definitions && (!is_plain_name(process.id) || is_engine_key(process.id)))
        problems.push_back({.kind = bpmn::ProblemKind::bad_value,
                            .line = process.line,
                            .element = process.id,
                            .message = "the id of a process " + std::string(plain_name_rule) +
                                       ", and not begin with 'holdfast.'"});
    return problems;
}

ModelDeployment compile_model(std::string_view xml, Ids ids) {
    bpmn::Compiled compiled = bpmn::compile(xml);
    ModelDeployment deployment;
    for (const bpmn::Problem& problem : compiled.problems)
        deployment.problems.push_back(text_of(problem));
    if (!compiled.model) return deployment;
    bool refused = false;
    for (const bpmn::Process& process : compiled.model->processes)
        for (const bpmn::Problem& problem : refusals_of(process, ids)) {
            refused = true;
            deployment.problems.push_back(text_of(problem));
        }
    if (refused) return deployment;
    for (bpmn::Process& process : compiled.model->processes) {
        std::string key = process.id;
        deployment.processes.push_back(
            {std::move(key), engine::process_program(std::move(process))});
    }
    return deployment;
}

}  // namespace

ModelDeployment deploy_model(std::string_view xml) {
    return compile_model(xml, Ids::of_definitions);
}

Result<std::shared_ptr<const Program>> process_of(std::string_view xml, std::string_view key) {
    ModelDeployment deployment = compile_model(xml, Ids::any);
    for (DeployedProcess& process : deployment.processes)
        if (process.key == key) return std::move(process.program);
    return fail(ErrorCode::corrupt,
                "the model of '" + std::string(key) + "' has no such process: " +
                    (deployment.problems.empty() ? "" : deployment.problems.front()));
}

}  // namespace holdfast
