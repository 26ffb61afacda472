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
    std::vector<std::string> files;
    bool dry_run = false;
};

Result<std::string> model_content(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    if (!file) return fail(ErrorCode::not_found, "cannot read " + name);
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

// Several files are one request: all of them are deployed, or none.
client::Answer<boost::json::object> send_files(const DeployFlags& flags,
                                               const std::vector<std::string>& contents,
                                               ServerCalls& calls) {
    const std::string target =
        flags.dry_run ? "/api/v1/definitions?dryRun=true" : "/api/v1/definitions";
    if (contents.size() == 1) return calls.post_model(target, contents.front());
    boost::json::array files;
    for (std::size_t i = 0; i < contents.size(); ++i)
        files.push_back(boost::json::object{{"name", flags.files[i]}, {"content", contents[i]}});
    return calls.post(target, {{"files", std::move(files)}});
}

ExitCode deploy(const DeployFlags& flags) {
    std::vector<std::string> contents;
    for (const std::string& name : flags.files) {
        auto content = model_content(name);
        if (!content) return report(content.error());
        contents.push_back(*std::move(content));
    }
    auto calls = ServerCalls::to(flags.server);
    if (!calls) return report(calls.error());
    const auto answer = send_files(flags, contents, *calls);
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
        "deploy", "Deploy BPMN models: each of their processes becomes a definition");
    command->add_option("files", flags->files, "BPMN 2.0 XML files, deployed together")->required();
    command->add_flag("--dry-run", flags->dry_run, "Check the model on the server, deploy nothing");
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] { chosen = [flags] { return deploy(*flags); }; });
}

}  // namespace holdfast::app
