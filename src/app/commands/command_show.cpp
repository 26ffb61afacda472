#include <CLI/CLI.hpp>

#include "app/commands/server_calls.h"

namespace holdfast::app {
namespace {

struct ShowFlags {
    ClientFlags server;
    std::string id;
};

ExitCode show(const ShowFlags& flags, client::Client& client) {
    const auto id = workflow_id(flags.server, flags.id);
    if (!id) return report(id.error());
    const auto workflow = client.get(*id);
    if (!workflow) return report(workflow.error());
    if (flags.server.format == Format::text)
        print_lines(described(*workflow));
    else
        print(flags.server.format, workflow->raw);
    return ExitCode::ok;
}

}  // namespace

void add_show(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<ShowFlags>();
    CLI::App* command = program.add_subcommand("show", "Show a workflow and its state");
    command->add_option("id", flags->id, "Workflow id or business key")->required();
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] {
        chosen = [flags] {
            return with_server(flags->server, [&](auto& client) { return show(*flags, client); });
        };
    });
}

}  // namespace holdfast::app
