// Human tasks of a memory store: loads them for a round and applies its changes.
#pragma once

#include "store/memory/tables.h"

namespace holdfast::memory {

void load_tasks(const Tables& tables, const ReadSet& reads, Loaded& loaded);
// Whether every task still has the version that the round saw, as the databases check it.
Result<void> check_tasks(const Tables& tables, const Changes& changes);
std::size_t count_task_rows(const Changes& changes);
void apply_tasks(Tables& tables, const Changes& changes);
// The oldest open task of an instance.
std::optional<TaskId> active_task(const Tables& tables, const InstanceId& id);
TaskPage page_of_tasks(const Tables& tables, const TaskQuery& query);

}  // namespace holdfast::memory
