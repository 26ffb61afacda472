#include "program/process.h"

#include "bpmn/model.h"
#include "engine/process_program.h"
#include "engine/supported.h"

namespace holdfast {

ModelDeployment deploy_model(std::string_view xml) {
    bpmn::Compiled compiled = bpmn::compile(xml);
    ModelDeployment deployment;
    for (const bpmn::Problem& problem : compiled.problems)
        deployment.problems.push_back(text_of(problem));
    if (!compiled.model) return deployment;
    bool refused = false;
    for (const bpmn::Process& process : compiled.model->processes)
        for (const bpmn::Problem& problem : engine::not_supported(process)) {
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

Result<std::shared_ptr<const Program>> process_of(std::string_view xml, std::string_view key) {
    ModelDeployment deployment = deploy_model(xml);
    for (DeployedProcess& process : deployment.processes)
        if (process.key == key) return std::move(process.program);
    return fail(ErrorCode::corrupt,
                "the model of '" + std::string(key) + "' has no such process: " +
                    (deployment.problems.empty() ? "" : deployment.problems.front()));
}

}  // namespace holdfast
