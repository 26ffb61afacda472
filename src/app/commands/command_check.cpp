#include <CLI/CLI.hpp>
#include <fstream>

#include "app/commands/commands.h"
#include "app/commands/output.h"
#include "bpmn/model.h"
#include "program/process.h"

namespace holdfast::app {
namespace {

// At most one byte more than a model may have, so that a huge file is not read completely.
Result<std::string> model_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(bpmn::XmlLimits{}.bytes + 1, '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(text.size())) && !file.eof())
        return fail(ErrorCode::not_found, "cannot read " + path);
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

std::string process_list(const ModelDeployment& deployment) {
    std::string list;
    for (const DeployedProcess& process : deployment.processes)
        list += (list.empty() ? "" : ", ") + process.key;
    return list;
}

ExitCode check_model(const std::string& path) {
    const auto text = model_file(path);
    if (!text) return report(text.error());
    const ModelDeployment deployment = deploy_model(*text);
    const std::string place = path + ": ";
    for (const std::string& problem : deployment.problems) print_line(place + problem);
    if (deployment.processes.empty()) {
        print_error("holdfast: " + path + " is refused");
        return ExitCode::failed;
    }
    print_line(place + "accepted: " + process_list(deployment));
    return ExitCode::ok;
}

// The first failure decides the exit code; the other files are checked too.
ExitCode check_models(const std::vector<std::string>& paths) {
    ExitCode result = ExitCode::ok;
    for (const std::string& path : paths) {
        const ExitCode code = check_model(path);
        if (result == ExitCode::ok) result = code;
    }
    return result;
}

}  // namespace

void add_check(CLI::App& program, Action& chosen) {
    auto paths = std::make_shared<std::vector<std::string>>();
    CLI::App* command =
        program.add_subcommand("check", "Check BPMN models and list their problems");
    command->add_option("file", *paths, "BPMN 2.0 XML files")->required();
    command->callback([paths, &chosen] { chosen = [paths] { return check_models(*paths); }; });
}

}  // namespace holdfast::app
