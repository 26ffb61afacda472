#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/commands/commands.h"
#include "app/pump_flags.h"
#include "app/serve.h"

namespace holdfast::app {
namespace {

void add_flags(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--store", options.store,
                    "Where the data lives: sqlite:PATH, postgres://..., or memory:")
        ->envname("HOLDFAST_STORE")
        ->capture_default_str();
    command.add_option("--listen", options.listen, "host:port; port 0 takes any free one")
        ->envname("HOLDFAST_LISTEN")
        ->capture_default_str();
    command
        .add_option("--token-file", options.token_file,
                    "File with the bearer token that every request must carry; required unless "
                    "--listen is a loopback address")
        ->envname("HOLDFAST_TOKEN_FILE");
    command
        .add_option("--host-name", options.host_names,
                    "Another name that requests may use in their Host header; may be repeated")
        ->envname("HOLDFAST_HOST_NAME");
    command
        .add_option("--address-file", options.address_file,
                    "Write http://host:port there once requests are served")
        ->envname("HOLDFAST_ADDRESS_FILE");
    command
        .add_option("--writers", options.writers, "Threads that commit; 0: what suits the store")
        ->envname("HOLDFAST_WRITERS")
        ->capture_default_str();
    command
        .add_option("--queue", options.queue,
                    "Operations that may wait for a commit; beyond it requests get 429")
        ->envname("HOLDFAST_QUEUE")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--node", options.node, "Name of this node; made up if absent")
        ->envname("HOLDFAST_NODE");
    command
        .add_option("--trace-rounds", options.trace_rounds,
                    "Append every round, its operations and outcomes, to this file as JSON lines")
        ->envname("HOLDFAST_TRACE_ROUNDS");
    command
        .add_option("--event-queue", options.event_queue,
                    "Events that may be queued for one workflow or under one name; beyond it "
                    "senders get 429")
        ->envname("HOLDFAST_EVENT_QUEUE")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--log-level", options.log_level, "What is logged")
        ->envname("HOLDFAST_LOG_LEVEL")
        ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
        ->capture_default_str();
    command.add_flag_callback(
        "--demo", [&options] { options.demo = Demo::seeded; },
        "Fill an empty store with a small example");
}

}  // namespace

void add_serve(CLI::App& program, Action& chosen) {
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command = program.add_subcommand("serve", "Run a server until SIGTERM or SIGINT");
    add_flags(*command, *options);
    add_pump_flags(*command, *options);
    command->callback([options, &chosen] {
        chosen = [options] {
            const auto served = serve(*options);
            if (served) return ExitCode::ok;
            std::cerr << "holdfast: " << served.error().message << '\n';
            return exit_code_of(served.error().code);
        };
    });
}

}  // namespace holdfast::app
