// Pages of what is recorded about one instance, task or definition.
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

// The versions of one definition, newest first.
struct VersionQuery {
    using Answer = std::vector<DefinitionSummary>;

    std::string key;
    std::uint32_t before = 0;  // the last version of the page before; 0: from the newest
    std::size_t limit = 50;
    std::string tenant = "default";
};

}  // namespace holdfast
