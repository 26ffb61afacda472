// The holdfast program: the server and its client commands.
#include <CLI/CLI.hpp>
#include <iostream>

#include "app/commands/commands.h"
#include "app/commands/output.h"
#include "base/build_version.h"

namespace holdfast::app {
namespace {

void add_help(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand("help", "Show the help of a command");
    auto topic = std::make_shared<std::string>();
    command->add_option("command", *topic, "Command name");
    command->callback([&program, &chosen, topic] {
        chosen = [&program, topic] {
            std::cout << (topic->empty() ? program.help()
                                         : program.get_subcommand(*topic)->help("holdfast"));
            return ExitCode::ok;
        };
    });
}

void add_commands(CLI::App& program, Action& chosen) {
    program.name("holdfast");
    program.set_version_flag("--version", "holdfast " + std::string(build_version));
    program.require_subcommand(1);
    program.footer(
        "Exit codes: 0 ok, 1 failed, 2 usage, 3 conflict, 4 not found.\n"
        "'holdfast help COMMAND' shows the flags of a command.");
    add_serve(program, chosen);
    add_define(program, chosen);
    add_deploy(program, chosen);
    add_start(program, chosen);
    add_show(program, chosen);
    add_list(program, chosen);
    add_patch(program, chosen);
    add_history(program, chosen);
    add_cancel(program, chosen);
    add_events(program, chosen);
    add_timers(program, chosen);
    add_tasks(program, chosen);
    add_dead_letters(program, chosen);
    add_nodes(program, chosen);
    add_retention(program, chosen);
    add_feel(program, chosen);
    add_check(program, chosen);
    add_help(program, chosen);
}

ExitCode run(int argc, char** argv) {
    CLI::App program("Durable workflows: versioned JSON state over HTTP");
    Action chosen;
    add_commands(program, chosen);
    if (argc == 1) {
        std::cout << program.help();
        return ExitCode::usage;
    }
    try {
        program.parse(argc, argv);
        return chosen ? chosen() : ExitCode::usage;
    } catch (const CLI::Error& error) {
        const bool asked_for =
            program.exit(error) == 0;  // prints the help, the version or the error
        return asked_for ? ExitCode::ok : ExitCode::usage;
    }
}

}  // namespace
}  // namespace holdfast::app

int main(int argc, char** argv) {
    try {
        return static_cast<int>(holdfast::app::run(argc, argv));
    } catch (const std::exception& error) {
        holdfast::app::print_error("holdfast: " + std::string(error.what()));
        return static_cast<int>(holdfast::app::ExitCode::failed);
    }
}
