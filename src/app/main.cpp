// The holdfast program: the server and its client commands.
#include <CLI/CLI.hpp>
#include <iostream>

#include "app/commands/commands.h"
#include "app/commands/completion.h"
#include "app/commands/output.h"
#include "base/build_version.h"

namespace holdfast::app {
namespace {

void add_help(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand("help", "Show the help of a command");
    auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("command", *words, "Command, such as: tasks complete");
    command->callback([&program, &chosen, words] {
        chosen = [&program, words] {
            const CLI::App* topic = &program;
            std::string before;
            for (const std::string& word : *words) {
                before += before.empty() ? "holdfast" : " " + topic->get_name();
                topic = topic->get_subcommand(word);
            }
            std::cout << topic->help(before);
            return ExitCode::ok;
        };
    });
}

// The long forms: "workflows start" is "start".
void add_workflows(CLI::App& program, Action& chosen) {
    CLI::App* noun = program.add_subcommand("workflows", "Start, find and change workflows");
    noun->require_subcommand(1);
    add_start(*noun, chosen);
    add_list(*noun, chosen);
    add_show(*noun, chosen);
    add_patch(*noun, chosen);
    add_history(*noun, chosen);
    add_cancel(*noun, chosen);
    add_lifecycle(*noun, chosen);
    add_migrate(*noun, chosen);
}

void add_completion(CLI::App& program, Action& chosen) {
    CLI::App* command =
        program.add_subcommand("completion", "Print the completion script of a shell");
    auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->callback([&program, &chosen, shell] {
        chosen = [&program, shell] {
            std::cout << completion_of(program, *shell == "bash"  ? Shell::bash
                                                : *shell == "zsh" ? Shell::zsh
                                                                  : Shell::fish);
            return ExitCode::ok;
        };
    });
    program.add_subcommand("man", "Print the manual page")->callback([&program, &chosen] {
        chosen = [&program] {
            std::cout << manual_of(program);
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
    add_config(program, chosen);
    add_define(program, chosen);
    add_deploy(program, chosen);
    add_start(program, chosen);
    add_show(program, chosen);
    add_list(program, chosen);
    add_patch(program, chosen);
    add_history(program, chosen);
    add_watch(program, chosen);
    add_cancel(program, chosen);
    add_lifecycle(program, chosen);
    add_migrate(program, chosen);
    add_workflows(program, chosen);
    add_bulk(program, chosen);
    add_webhooks(program, chosen);
    add_schedules(program, chosen);
    add_checkpoints(program, chosen);
    add_definitions(program, chosen);
    add_conflicts(program, chosen);
    add_dead_events(program, chosen);
    add_stranded(program, chosen);
    add_events(program, chosen);
    add_timers(program, chosen);
    add_tasks(program, chosen);
    add_dead_letters(program, chosen);
    add_work(program, chosen);
    add_nodes(program, chosen);
    add_retention(program, chosen);
    add_keys(program, chosen);
    add_sign_in(program, chosen);
    add_audit(program, chosen);
    add_feel(program, chosen);
    add_check(program, chosen);
    add_run(program, chosen);
    add_help(program, chosen);
    add_completion(program, chosen);
}

// "there is no command 'lst'; did you mean 'list'?"; empty: the commands exist.
std::string unknown_command(const CLI::App& program, int argc, char** argv) {
    const CLI::App* app = &program;
    std::string path = "holdfast";
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        if (app->get_subcommands(nullptr).empty()) return {};
        const CLI::App* next = find_command(*app, argv[i]);
        if (!next) {
            const std::string near = nearest_command(*app, argv[i]);
            return "there is no command '" + path + ' ' + argv[i] + "'; " +
                   (near.empty() ? "'" + path + " --help' lists them"
                                 : "did you mean '" + near + "'?");
        }
        app = next;
        path += ' ' + app->get_name();
    }
    return {};
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
        if (const std::string unknown = unknown_command(program, argc, argv); !unknown.empty()) {
            print_error("holdfast: " + unknown);
            return ExitCode::usage;
        }
        // Prints the help, the version or the error.
        return program.exit(error) == 0 ? ExitCode::ok : ExitCode::usage;
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
