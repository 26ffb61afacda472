// Binds a subcommand to its work on a connection to a server.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands/server_calls.h"

namespace holdfast::app {

// A workflow may be named by its business key; absent: it was found, or the command has none.
template <class Flags>
std::optional<ExitCode> find_workflow(Flags& flags, ServerCalls& calls) {
    if constexpr (requires { flags.workflow; }) {
        if (!flags.workflow) return std::nullopt;
        auto id = workflow_id(calls, *flags.workflow);
        if (!id) return report(id.error());
        flags.workflow = *std::move(id);
    }
    return std::nullopt;
}

// Sets `chosen` to run `work` after the whole command line has been parsed.
template <class Flags, class Work>
void choose(CLI::App& command, Action& chosen, const std::shared_ptr<Flags>& flags, Work work) {
    add_client_flags(command, flags->server);
    command.callback([flags, &chosen, work] {
        chosen = [flags, work] {
            auto calls = ServerCalls::to(flags->server);
            if (!calls) return report(calls.error());
            Flags given = *flags;
            if (const auto unknown = find_workflow(given, *calls)) return *unknown;
            return work(given, *calls);
        };
    });
}

}  // namespace holdfast::app
