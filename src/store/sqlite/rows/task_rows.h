// Decodes rows of human tasks and their events.
#pragma once

#include "store/query.h"
#include "store/read_set.h"
#include "store/record_query.h"
#include "store/sqlite/writer.h"
#include "store/view.h"

namespace holdfast::sqlite {

Result<std::optional<HumanTask>> load_task(Database& database, const TaskId& id);
// Loads the tasks of a round's read set.
Result<void> load_tasks(WriteSide& side, const ReadSet& reads, Loaded& loaded);
Result<TaskPage> read_tasks(Database& database, const TaskQuery& query);
// The oldest open task of the instance with this sequence number.
Result<std::optional<TaskId>> find_active_task(Database& database, std::int64_t instance);
Result<TaskEventPage> read_task_events(Database& database, const TaskEventQuery& query);

}  // namespace holdfast::sqlite
