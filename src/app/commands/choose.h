// Binds a subcommand to its work on a connection to a server.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands/server_calls.h"

namespace holdfast::app {

// Sets `chosen` to run `work` after the whole command line has been parsed.
template <class Flags, class Work>
void choose(CLI::App& command, Action& chosen, const std::shared_ptr<Flags>& flags, Work work) {
    add_client_flags(command, flags->server);
    command.callback([flags, &chosen, work] {
        chosen = [flags, work] {
            auto calls = ServerCalls::to(flags->server);
            if (!calls) return report(calls.error());
            return work(*flags, *calls);
        };
    });
}

}  // namespace holdfast::app
