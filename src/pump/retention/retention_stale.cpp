// The part of retention that cancels stale instances.
#include <algorithm>

#include "base/plain_name.h"
#include "program/limiter/program.h"
#include "program/traits.h"
#include "pump/retention/retention.h"

namespace holdfast {
namespace {

constexpr std::size_t most_stale_pages = 500;
constexpr std::size_t most_at_once = 256;   // in one batch of operations
constexpr std::size_t most_stale = 10'000;  // cancelled in one run
constexpr std::chrono::milliseconds pause_between_cancels{50};
constexpr std::chrono::microseconds never{0};

std::chrono::microseconds shortest_of(const std::map<std::string, std::chrono::microseconds>& times,
                                      std::chrono::microseconds otherwise) {
    std::chrono::microseconds shortest = otherwise;
    for (const auto& [key, time] : times)
        if (time > never && (shortest == never || time < shortest)) shortest = time;
    return shortest;
}

bool waits_for_something(const Instance& instance) {
    return wait_for_turn(instance) ||
           std::ranges::any_of(instance.waits, [](const Waiting& waiting) {
               return waiting.wait.until || !waiting.wait.workflows.empty();
           });
}

}  // namespace

// Oldest first, a page at a time; a run that stops before the end is continued by the next one.
Result<void> Pruner::cancel_stale(RetentionReport& report, const Windows& windows,
                                  ClockTrust trust) {
    std::string after = report.kind == RunKind::dry ? "" : stale_until_;
    const Moment unchanged_since = report.at - shortest_of(windows.stale, settings_.stale_after);
    for (std::size_t page = 0; page < most_stale_pages && report.cancelled < most_stale; ++page) {
        HF_TRY(const auto found,
               parts_.store.ask(FindStale{.unchanged_since = unchanged_since, .after = after}));
        HF_TRY(const auto stale, stale_of(found.candidates, windows, report.at));
        if (report.kind == RunKind::dry) {
            report.cancelled += stale.size();
        } else if (!stale.empty()) {
            Prune prune;
            HF_TRY(const bool may, may_run(report, trust, prune));  // the clock may have jumped
            if (!may) return {};
            HF_CHECK(cancel(stale, report));
        }
        after = found.next;
        if (report.kind == RunKind::real) stale_until_ = after;
        if (after.empty()) return {};
    }
    report.more = true;
    return {};
}

// Not stale: a running program has its continuation, and a wait for a time, a workflow or a turn
// ends by itself, and the engine's own (a webhook that has nothing to post) are not forgotten. The
// store has looked at the rest.
Result<std::vector<Pruner::Stale>> Pruner::stale_of(const std::vector<InstanceId>& candidates,
                                                    const Windows& windows, Moment now) {
    if (candidates.empty()) return std::vector<Stale>{};
    HF_TRY(const auto instances, parts_.store.ask(FindRows{candidates}));
    std::vector<Stale> stale;
    for (const Instance& instance : instances) {
        const auto special = windows.stale.find(instance.definition.key);
        const auto time = special == windows.stale.end() ? settings_.stale_after : special->second;
        if (time == never || instance.updated_at > now - time) continue;
        if (instance.quarantined || !is_open(instance.status)) continue;
        if (is_engine_key(instance.definition.key)) continue;
        if (traits_of(instance).has_continuation && instance.status == Status::running) continue;
        if (!waits_for_something(instance)) stale.push_back({instance.id, instance.version});
    }
    std::ranges::sort(stale, {}, &Stale::instance);
    return stale;
}

// Each cancel expects the version that was found: a change in between wins.
Result<void> Pruner::cancel(const std::vector<Stale>& stale, RetentionReport& report) {
    for (std::size_t from = 0; from < stale.size(); from += most_at_once) {
        std::vector<op::Cancel> operations;
        for (std::size_t i = from; i < std::min(stale.size(), from + most_at_once); ++i)
            operations.push_back({.cause = Cause::of_engine(parts_.ids.next<OperationId>()),
                                  .instance = stale[i].instance,
                                  .expected = stale[i].version,
                                  .reason = "stale"});
        for (const auto& outcome : parts_.cancel(std::move(operations))) {
            if (!outcome) return std::unexpected(outcome.error());
            if (!std::holds_alternative<op::Cancelled>(*outcome)) continue;
            ++report.cancelled;
            parts_.metrics.retention_cancelled.Increment();
        }
        if (parts_.pause) parts_.pause(pause_between_cancels);
    }
    return {};
}

}  // namespace holdfast
