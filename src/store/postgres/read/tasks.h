// Queries for human tasks: those of a round, and those of the read side.
#pragma once

#include "store/postgres/connection/trip.h"
#include "store/query.h"
#include "store/record_query.h"
#include "store/view.h"

namespace holdfast::postgres {

// Queues the queries for the tasks that the round reads; call after the locks. `loaded` must
// outlive the trip.
void query_tasks(Trip& trip, const ReadSet& reads, Loaded& loaded);

Reply<std::optional<HumanTask>> task(Connection& connection, const TaskId& id);
// The parameters of read_tasks.
Parameters task_parameters(const TaskQuery& query);
Reply<TaskPage> tasks(Connection& connection, const TaskQuery& query);
Reply<TaskEventPage> task_events(Connection& connection, const TaskEventQuery& query);

}  // namespace holdfast::postgres
