// Pages of what is recorded about one instance or one task.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/checkpoint.h"
#include "model/task.h"
#include "store/query.h"

namespace holdfast {

struct CheckpointPage {
    std::vector<Checkpoint> items;
    std::optional<std::string> next;  // absent: that was the last page
};

// Of one instance, in the order of their names.
struct CheckpointQuery {
    using Answer = CheckpointPage;

    InstanceId instance;
    PageContent content = PageContent::rows;
    std::size_t limit = 50;
    std::string after = {};  // the last name of the page before
    PageBudget budget = {};
};

struct TaskEventPage {
    std::vector<TaskEvent> items;
    std::optional<Version> next;  // absent: that was the last page
};

// What happened to it, in the order of the versions; an empty first page: no such task.
struct TaskEventQuery {
    using Answer = TaskEventPage;

    TaskId task;
    Version from = 1;
    std::size_t limit = 100;
    PageBudget budget = {};
};

}  // namespace holdfast
