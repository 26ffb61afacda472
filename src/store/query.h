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
#include "store/page_budget.h"

namespace holdfast {

struct InstancePage;
struct ConflictPage;
struct TaskPage;
struct DefinitionSummary;

// What the instances of a page come with: without their documents, these are unread.
enum class PageContent { documents, rows };

// All conditions must hold. Newest first.
struct InstanceQuery {
    using Answer = InstancePage;

    std::vector<Status> statuses;  // empty: any
    std::optional<std::string> definition;
    std::optional<std::string> business_key;
    std::vector<std::pair<std::string, std::string>> business_parts;
    std::optional<boost::json::value> contains;
    std::optional<boost::json::value> meta_contains;
    std::vector<std::pair<json::Path, std::string>> paths;  // text equality, like #>>; at most 4
    std::optional<Moment> created_from;                     // inclusive
    std::optional<Moment> created_before;                   // exclusive
    PageContent content = PageContent::documents;
    std::size_t limit = 50;
    std::optional<std::string> cursor;  // the end of the previous page, as the store wrote it
    PageBudget budget = {};
    std::optional<std::string> tenant = {};  // absent: of any

    bool only_open() const;
    // Whether it filters by a status or a time that no index serves: rows are checked one by one.
    bool filters_rows() const;
    // Whether a page looks at documents, or at more rows than it has.
    bool may_take_long() const;
};

constexpr std::size_t most_path_filters = 4;

// A found instance: its documents as stored, flagged if they fail their checksum.
struct FoundInstance {
    Instance instance;
    bool corrupt = false;
    std::optional<TaskId> active_task;  // the oldest open one; only by FindInstance
};

struct InstancePage {
    std::vector<FoundInstance> items;
    std::optional<std::string> next;  // absent: that was the last page
    bool scanned = false;      // no index served the condition; each page checks a bounded number
    bool partial = false;      // ended by its budget, not by its limit: `next` goes on from there
    std::uint64_t effort = 0;  // spent, where the store counts it
};

// The conditions of a query, prepared for many instances; ignores the cursor and the limit.
class InstanceMatcher {
public:
    // `query` outlives it.
    explicit InstanceMatcher(const InstanceQuery& query);

    // Whether its documents must be looked at too.
    bool needs_documents() const;
    bool matches_row(const Instance& instance) const;
    // Without meaning if the effort is exhausted.
    bool matches_documents(const Instance& instance, Effort& effort) const;

private:
    const InstanceQuery& query_;
    std::optional<json::Containment> contains_;
    std::optional<json::Containment> meta_contains_;
};

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
