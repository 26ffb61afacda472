// The subcommands. Each adds its flags to the program and, once chosen, leaves what is to be done.
#pragma once

#include <functional>

#include "app/exit_code.h"

namespace CLI {
class App;
}

namespace holdfast::app {

// Runs after the whole command line was understood. Empty: nothing was chosen.
using Action = std::function<ExitCode()>;

void add_serve(CLI::App& program, Action& chosen);
void add_define(CLI::App& program, Action& chosen);
void add_start(CLI::App& program, Action& chosen);
void add_show(CLI::App& program, Action& chosen);
void add_list(CLI::App& program, Action& chosen);
void add_patch(CLI::App& program, Action& chosen);
void add_history(CLI::App& program, Action& chosen);
void add_cancel(CLI::App& program, Action& chosen);
void add_tasks(CLI::App& program, Action& chosen);
void add_dead_letters(CLI::App& program, Action& chosen);
void add_nodes(CLI::App& program, Action& chosen);
void add_retention(CLI::App& program, Action& chosen);
void add_feel(CLI::App& program, Action& chosen);

}  // namespace holdfast::app
