// Human tasks in PostgreSQL: what a round reads of them, and the read side.
#pragma once

#include "store/postgres/connection/trip.h"
#include "store/query.h"
#include "store/view.h"

namespace holdfast::postgres {

// Asks for the tasks that the round reads, after the locks. `loaded` lives until the trip has run.
void ask_tasks(Trip& trip, const ReadSet& reads, Loaded& loaded);

Reply<std::optional<HumanTask>> task(Connection& connection, const TaskId& id);
// What the statement read_tasks takes.
Parameters task_parameters(const TaskQuery& query);
Reply<TaskPage> tasks(Connection& connection, const TaskQuery& query);
Reply<std::vector<TaskEvent>> task_events(Connection& connection, const TaskId& id);

}  // namespace holdfast::postgres
