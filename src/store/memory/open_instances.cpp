// What retention does to open instances: trims their histories, finds the stale ones.
#include <algorithm>
#include <set>

#include "store/memory/prune.h"

namespace holdfast::memory {
namespace {

// The open instances behind a place, oldest id first; `next` is where the following page begins.
std::vector<const Instance*> open_page(const Tables& tables, const std::string& after,
                                       std::size_t most, std::string& next) {
    std::vector<const Instance*> page;
    const auto from = parse_id<InstanceId>(after);
    auto at = from ? tables.instances.upper_bound(*from) : tables.instances.begin();
    for (; at != tables.instances.end(); ++at) {
        if (!is_open(at->second.instance.status)) continue;
        page.push_back(&at->second.instance);
        if (page.size() < most) continue;
        next = to_string(at->first);
        break;
    }
    return page;
}

void take_documents(HistoryAnchor& anchor, const HistoryRow& row) {
    if (carries_state(row.type)) anchor.state = row.payload;
    if (row.state_metadata) anchor.state_metadata = row.state_metadata;
}

// Deletes the oldest rows, at most `most` of those up to `last`. Returns how many.
std::size_t trim(Tables& tables, const InstanceId& id, Version last, Moment cutoff,
                 std::size_t most) {
    std::size_t rows = 0;
    auto at = tables.history.lower_bound({id, 0});
    while (rows < most && at != tables.history.end() && at->first.first == id &&
           at->first.second <= last && at->second.at <= cutoff) {
        HistoryAnchor& anchor = tables.history_anchors[id];
        take_documents(anchor, at->second);
        anchor.version = at->second.version;
        anchor.hash = at->second.hash;
        anchor.at = tables.latest;
        at = tables.history.erase(at);
        ++rows;
    }
    return rows;
}

// What open instances wait for, also paused and quarantined ones.
std::set<InstanceId> all_awaited(const Tables& tables) {
    std::set<InstanceId> awaited;
    for (const auto& [id, row] : tables.instances)
        for (const Waiting& waiting : row.instance.waits)
            if (is_open(row.instance.status))
                awaited.insert(waiting.wait.workflows.begin(), waiting.wait.workflows.end());
    return awaited;
}

bool is_candidate(const Tables& tables, const Instance& instance, Moment unchanged_since) {
    if (instance.updated_at > unchanged_since) return false;
    if (instance.quarantined || instance.incident || instance.parent) return false;
    const auto is_its_event = [&](const auto& item) { return item.second.target == instance.id; };
    const auto is_its_task = [&](const auto& item) {
        return item.second.instance == instance.id && is_open(item.second.state);
    };
    return !std::ranges::any_of(tables.pending, is_its_event) &&
           !std::ranges::any_of(tables.tasks, is_its_task);
}

}  // namespace

TrimmedHistories trim_histories(Tables& tables, const TrimHistories& wanted) {
    TrimmedHistories trimmed{.lock_held = is_held(tables, wanted.lock)};
    if (!trimmed.lock_held && !wanted.dry_run) return trimmed;
    const Moment cutoff = tables.latest - wanted.keep_for;
    for (const Instance* instance :
         open_page(tables, wanted.after, wanted.instances, trimmed.next)) {
        if (instance->version <= least_history) continue;
        const std::size_t rows =
            trim(tables, instance->id, instance->version - least_history, cutoff, wanted.rows);
        trimmed.rows += rows;
        trimmed.more = trimmed.more || rows == wanted.rows;
    }
    return trimmed;
}

StalePage find_stale(const Tables& tables, const FindStale& query) {
    StalePage page;
    const std::set<InstanceId> awaited = all_awaited(tables);
    for (const Instance* instance : open_page(tables, query.after, query.look_at, page.next))
        if (is_candidate(tables, *instance, query.unchanged_since) &&
            !awaited.contains(instance->id))
            page.candidates.push_back(instance->id);
    return page;
}

}  // namespace holdfast::memory
