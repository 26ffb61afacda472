// Queries of lists and their pages.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/effort.h"
#include "base/json/contains.h"
#include "model/conflict.h"
#include "model/definition.h"
#include "model/event.h"
#include "model/history.h"
#include "model/instance.h"
#include "model/journal.h"
#include "model/task.h"
#include "store/instance_query.h"
#include "store/page_budget.h"

namespace holdfast {

struct ConflictPage;
struct TaskPage;
struct DefinitionSummary;

// The error of a read that was stopped.
Error stopped_read();
// The error of a page that cannot look at a single instance within its budget.
Error too_much_effort();

struct HistoryPage {
    std::vector<HistoryRow> items;
    std::optional<Version> next;
    // Present if retention has trimmed the history: the first row that is left chains on it.
    std::optional<HistoryAnchor> anchor = {};
};

struct ConflictQuery {
    using Answer = ConflictPage;

    std::optional<InstanceId> instance;
    std::optional<Resolution> resolution;
    std::size_t limit = 50;
    std::optional<OperationId> before;  // newest first
    PageBudget budget = {};
    std::optional<std::string> tenant = {};  // absent: of any
};

struct ConflictPage {
    std::vector<ConflictRow> items;
    std::optional<OperationId> next;
};

// What PendingEventQuery and DeadEventQuery look for. Oldest id first.
struct EventQuery {
    std::optional<std::string> name;
    std::optional<InstanceId> target;
    std::size_t limit = 50;
    std::optional<EventId> after;
    PageBudget budget = {};
    std::optional<std::string> tenant = {};  // absent: of any
};

struct PendingPage {
    std::vector<Event> items;
    std::optional<EventId> next;  // absent: that was the last page
};

struct DeadPage {
    std::vector<DeadEvent> items;
    std::optional<EventId> next;
};

// All conditions must hold. Oldest id first.
struct TaskQuery {
    using Answer = TaskPage;

    std::optional<std::string> assignee;
    std::optional<std::string> holder;
    std::optional<std::string> candidate_user;
    std::optional<std::string> candidate_group;
    std::optional<std::string> definition;
    std::optional<std::string> business_key;
    std::map<std::string, std::string> business_parts;
    std::optional<std::string> queue;
    std::optional<InstanceId> instance;
    std::vector<TaskState> states;     // empty: any
    std::optional<Moment> due_before;  // exclusive
    std::size_t limit = 50;
    std::optional<TaskId> after;
    PageBudget budget = {};
    std::optional<std::string> tenant = {};  // absent: of any

    bool only_open() const;
};

struct TaskPage {
    std::vector<HumanTask> items;
    std::optional<TaskId> next;  // absent: that was the last page
};

// Leaves the documents out.
void drop_documents(Instance& instance);
// About as many as it has in a response.
std::size_t bytes_of(const Instance& instance, PageContent content);
std::size_t bytes_of(const HumanTask& task);

// Whether a task matches the query; ignores `after` and the limit.
bool matches(const TaskQuery& query, const HumanTask& task);

// A version of a definition, without what it consists of.
struct DefinitionSummary {
    DefinitionRef ref;
    std::string kind;
    Moment created_at;
    bool disabled = false;

    bool operator==(const DefinitionSummary&) const = default;
};

// The newest versions, in the order of their keys.
struct DefinitionQuery {
    using Answer = std::vector<DefinitionSummary>;

    std::string after;  // the last key of the page before
    std::size_t limit = 50;
    std::string tenant = "default";
};

}  // namespace holdfast
