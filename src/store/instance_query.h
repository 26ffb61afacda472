// The query for instances, and its conditions prepared for many of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/effort.h"
#include "base/json/contains.h"
#include "model/instance.h"
#include "model/task.h"
#include "store/page_budget.h"

namespace holdfast {

struct InstancePage;

// What the instances of a page come with: without their documents, these are unread.
enum class PageContent { documents, rows };

// What instances a list is limited to, beside their status. Stuck: open, and only a person can
// help: it has an incident, or is quarantined. Retrying: a step has failed and is tried again.
enum class Only { incident, paused, quarantined, retrying, stuck };

std::string_view name_of(Only only);
std::optional<Only> parse_only(std::string_view text);

// Both are of it.
struct IdRange {
    InstanceId first;
    InstanceId last;
};

// By creation.
enum class PageOrder { newest_first, oldest_first };

// All conditions must hold.
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
    std::optional<Moment> updated_from;                     // inclusive
    std::optional<Moment> updated_before;                   // exclusive
    std::vector<Only> only;                                 // all of them
    std::optional<InstanceId> parent;
    std::optional<IdRange> ids;
    std::optional<std::string> user;       // who started it
    std::optional<std::string> waits_for;  // the name of an event that can end one of its waits
    std::optional<Moment> due_before;      // a timer of it is due then; exclusive
    PageOrder order = PageOrder::newest_first;
    PageContent content = PageContent::documents;
    std::size_t limit = 50;
    std::optional<std::string> cursor;  // the end of the previous page, as the store wrote it
    PageBudget budget = {};
    std::optional<std::string> tenant = {};  // absent: of any

    bool only_open() const;
    bool is_only(Only one) const;
    // Whether an index leaves few rows: those of a parent, of an event's name, of those in trouble.
    bool has_narrow_filter() const;
    // Whether it filters by what no index serves: rows are checked one by one.
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

}  // namespace holdfast
