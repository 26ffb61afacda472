#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "app/commands/server_calls.h"

namespace holdfast::app {
namespace {

struct CancelFlags {
    ClientFlags server;
    std::string id;
    std::string reason;
};

ExitCode cancel(const CancelFlags& flags, client::Client& client) {
    const auto id = workflow_id(flags.server, flags.id);
    if (!id) return report(id.error());
    const auto cancelled = client.cancel(*id, flags.reason);
    if (!cancelled) return report(cancelled.error());
    if (flags.server.format != Format::text)
        print(flags.server.format, boost::json::object{{"id", *id},
                                                       {"version", cancelled->version},
                                                       {"status", cancelled->status},
                                                       {"cancelled", cancelled->changed}});
    else if (cancelled->changed && cancelled->status != "cancelled")
        print_line("cancelling " + *id + ": its undos run first (version " +
                   std::to_string(cancelled->version) + ")");
    else if (cancelled->changed)
        print_line("cancelled " + *id + " (version " + std::to_string(cancelled->version) + ")");
    else
        print_line("unchanged: " + *id + " is already " + cancelled->status);
    return ExitCode::ok;
}

}  // namespace

void add_cancel(CLI::App& program, Action& chosen) {
    auto flags = std::make_shared<CancelFlags>();
    CLI::App* command = program.add_subcommand("cancel", "Cancel a workflow");
    command->add_option("id", flags->id, "Workflow id or business key")->required();
    command->add_option("--reason", flags->reason, "Reason, recorded in the history");
    add_client_flags(*command, flags->server);
    command->callback([flags, &chosen] {
        chosen = [flags] {
            return with_server(flags->server, [&](auto& client) { return cancel(*flags, client); });
        };
    });
}

}  // namespace holdfast::app
