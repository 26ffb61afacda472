#include <CLI/CLI.hpp>

#include "app/commands/choose.h"
#include "app/commands/workflow_text.h"
#include "base/time/clock.h"
#include "client/target.h"

namespace holdfast::app {
namespace {

struct ShowFlags {
    ClientFlags server;
    std::optional<std::string> workflow;
};

ExitCode show_workflow(const ShowFlags& flags, ServerCalls& calls) {
    client::Target target({"workflows", *flags.workflow});
    const auto workflow = calls.get(std::move(target.with("include", "why")).text());
    if (!workflow) return report(workflow.error());
    if (flags.server.format == Format::text)
        print_lines(described_workflow(*workflow, SystemClock().now()));
    else
        print(flags.server.format, *workflow);
    return ExitCode::ok;
}

}  // namespace

void add_show(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<ShowFlags>();
    CLI::App* command =
        program.add_subcommand("show", "Show a workflow, why it does not move, and its state");
    command->add_option("id", flags->workflow, "Workflow id, its beginning, or business key")
        ->required();
    choose(*command, chosen, flags, show_workflow);
}

}  // namespace holdfast::app
