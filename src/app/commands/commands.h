// The subcommands. Each registers its flags and sets `chosen` if the user selected it.
#pragma once

#include <functional>

#include "app/exit_code.h"

namespace CLI {
class App;
}

namespace holdfast::app {

// Runs after the whole command line has been parsed. Empty: no command was selected.
using Action = std::function<ExitCode()>;

void add_serve(CLI::App& program, Action& chosen);
void add_config(CLI::App& program, Action& chosen);
void add_define(CLI::App& program, Action& chosen);
void add_deploy(CLI::App& program, Action& chosen);
void add_start(CLI::App& program, Action& chosen);
void add_show(CLI::App& program, Action& chosen);
void add_list(CLI::App& program, Action& chosen);
void add_patch(CLI::App& program, Action& chosen);
void add_history(CLI::App& program, Action& chosen);
void add_watch(CLI::App& program, Action& chosen);
void add_cancel(CLI::App& program, Action& chosen);
// result, pause, resume and release.
void add_lifecycle(CLI::App& program, Action& chosen);
void add_migrate(CLI::App& program, Action& chosen);
void add_webhooks(CLI::App& program, Action& chosen);
void add_bulk(CLI::App& program, Action& chosen);
void add_schedules(CLI::App& program, Action& chosen);
void add_checkpoints(CLI::App& program, Action& chosen);
void add_definitions(CLI::App& program, Action& chosen);
void add_conflicts(CLI::App& program, Action& chosen);
void add_dead_events(CLI::App& program, Action& chosen);
void add_stranded(CLI::App& program, Action& chosen);
void add_tasks(CLI::App& program, Action& chosen);
void add_events(CLI::App& program, Action& chosen);
void add_timers(CLI::App& program, Action& chosen);
void add_dead_letters(CLI::App& program, Action& chosen);
void add_nodes(CLI::App& program, Action& chosen);
void add_work(CLI::App& program, Action& chosen);
void add_retention(CLI::App& program, Action& chosen);
void add_keys(CLI::App& program, Action& chosen);
void add_sign_in(CLI::App& program, Action& chosen);
void add_audit(CLI::App& program, Action& chosen);
void add_feel(CLI::App& program, Action& chosen);
void add_check(CLI::App& program, Action& chosen);
void add_run(CLI::App& program, Action& chosen);

}  // namespace holdfast::app
