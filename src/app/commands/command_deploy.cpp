#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>

#include "app/commands/commands.h"
#include "app/commands/server_calls.h"

namespace holdfast::app {
namespace {

struct DeployFlags {
    ClientFlags server;
    std::string file;
    bool dry_run = false;
};

ExitCode deploy(const DeployFlags& flags) {
    std::ifstream file(flags.file, std::ios::binary);
    if (!file) return report(Error{ErrorCode::not_found, "cannot read " + flags.file});
    const std::string xml{std::istreambuf_iterator<char>(file), {}};
    auto calls = ServerCalls::to(flags.server);
    if (!calls) return report(calls.error());
    const auto answer = calls->post_model(
        flags.dry_run ? "/api/v1/definitions?dryRun=true" : "/api/v1/definitions", xml);
    if (!answer) return report(answer.error());
    if (flags.server.format != Format::text) {
        print(flags.server.format, *answer);
        return ExitCode::ok;
    }
    for (const boost::json::value& warning : answer->at("warnings").as_array())
        print_line(std::string(warning.as_string()));
    for (const boost::json::value& definition : answer->at("definitions").as_array())
        print_line(text_of(definition.as_object(), "key") +
                   (flags.dry_run
                        ? " could be deployed"
                        : " is at version " + text_of(definition.as_object(), "version")));
    return ExitCode::ok;
}

}  // namespace

void add_deploy(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<DeployFlags>();
    CLI::App* command = program.add_subcommand(
        "deploy", "Deploy a BPMN model: each of its processes becomes a definition");
    command->add_option("file", flags->file, "BPMN 2.0 XML file")->required();
    command->add_flag("--dry-run", flags->dry_run, "Check the model on the server, deploy nothing");
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] { chosen = [flags] { return deploy(*flags); }; });
}

}  // namespace holdfast::app
