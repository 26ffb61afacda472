// The part of retention that cancels stale instances.
#include <algorithm>
#include <set>

#include "base/log.h"
#include "pump/retention/retention.h"

namespace holdfast {
namespace {

constexpr std::size_t stale_page = 256;
constexpr std::size_t most_pages = 64;
constexpr std::size_t most_stale = 256;  // cancelled in one run
constexpr std::chrono::microseconds never{0};
const std::vector<TaskState> open_states{TaskState::created, TaskState::claimed};

std::chrono::microseconds shortest_of(const std::map<std::string, std::chrono::microseconds>& times,
                                      std::chrono::microseconds otherwise) {
    std::chrono::microseconds shortest = otherwise;
    for (const auto& [key, time] : times)
        if (time > never && (shortest == never || time < shortest)) shortest = time;
    return shortest;
}

}  // namespace

// Each cancel expects the version that was found: a change in between wins.
Result<void> Pruner::cancel_stale(RetentionReport& report, const Windows& windows) {
    HF_TRY(const auto stale, find_stale(windows, report.at));
    if (report.kind == RunKind::dry) {
        report.cancelled = stale.size();
        return {};
    }
    std::vector<op::Cancel> operations;
    for (const Stale& found : stale)
        operations.push_back({.cause = {.operation = parts_.ids.next<OperationId>()},
                              .instance = found.instance,
                              .expected = found.version,
                              .reason = "stale"});
    if (operations.empty()) return {};
    for (const auto& outcome : parts_.cancel(std::move(operations))) {
        if (!outcome) return std::unexpected(outcome.error());
        if (std::holds_alternative<op::Cancelled>(*outcome)) ++report.cancelled;
    }
    parts_.metrics.retention_cancelled.Increment(static_cast<double>(report.cancelled));
    return {};
}

Result<std::vector<Pruner::Stale>> Pruner::find_stale(const Windows& windows, Moment now) {
    InstanceQuery query{.statuses = {Status::running, Status::suspended},
                        .created_before = now - shortest_of(windows.stale, settings_.stale_after),
                        .limit = stale_page};
    std::vector<Stale> stale;
    for (std::size_t page = 0; page < most_pages && stale.size() < most_stale; ++page) {
        HF_TRY(auto found, parts_.store.search(query));
        for (const FoundInstance& item : found.items) {
            HF_TRY(const bool is, is_stale(item.instance, windows, now));
            if (is) stale.push_back({item.instance.id, item.instance.version});
        }
        if (!found.next) break;
        query.cursor = std::move(found.next);
    }
    HF_CHECK(spare_awaited(stale));
    return stale;
}

// Not stale: a running program has its continuation, the parent of a child may wait for it, and
// people may take long over a task.
Result<bool> Pruner::is_stale(const Instance& instance, const Windows& windows, Moment now) {
    const auto special = windows.stale.find(instance.definition.key);
    const auto time = special == windows.stale.end() ? settings_.stale_after : special->second;
    if (time == never || instance.updated_at > now - time) return false;
    if (instance.quarantined || instance.incident || instance.parent) return false;
    if (instance.program && instance.status == Status::running) return false;
    if (instance.waiting &&
        (instance.waiting->wait.until || !instance.waiting->wait.workflows.empty()))
        return false;
    HF_TRY(const auto pending, parts_.store.pending_events({.target = instance.id, .limit = 1}));
    if (!pending.items.empty()) return false;
    HF_TRY(const auto tasks,
           parts_.store.tasks({.instance = instance.id, .states = open_states, .limit = 1}));
    return tasks.items.empty();
}

Result<void> Pruner::spare_awaited(std::vector<Stale>& stale) {
    if (stale.empty()) return {};
    std::set<InstanceId> awaited;
    InstanceQuery query{.statuses = {Status::suspended}, .limit = stale_page};
    for (std::size_t page = 0;; ++page) {
        if (page == most_pages) {
            log::warn("retention.stale_undecided",
                      {{"candidates", stale.size()},
                       {"meaning", "too many suspended instances to check; none was cancelled"}});
            stale.clear();
            return {};
        }
        HF_TRY(auto found, parts_.store.search(query));
        for (const FoundInstance& item : found.items)
            if (item.instance.waiting)
                awaited.insert(item.instance.waiting->wait.workflows.begin(),
                               item.instance.waiting->wait.workflows.end());
        if (!found.next) break;
        query.cursor = std::move(found.next);
    }
    std::erase_if(stale, [&](const Stale& found) { return awaited.contains(found.instance); });
    return {};
}

}  // namespace holdfast
