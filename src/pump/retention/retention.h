// Deletes instances that ended long ago and rows that belong to none, trims the histories of open
// instances and cancels stale ones (004.9, 002.10): under a host lock, in bounded batches, and
// never by a clock that has jumped (I28, I44).
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/ids/id_source.h"
#include "operations/lifecycle/cancel.h"
#include "pump/metrics.h"
#include "pump/retention/retention_clock.h"
#include "pump/settings.h"
#include "store/store.h"

namespace holdfast {

enum class RunKind { real, dry };
enum class ClockTrust { check, accept };

// A run that is not over yet.
struct RunningRetention {
    std::string node;
    std::optional<Moment> since;  // by the store's clock; absent: on another node
    std::optional<Moment> until;  // when the lock of another node expires
};

struct RetentionReport {
    RunKind kind = RunKind::real;
    Moment at;                                // by the store's clock
    std::size_t instances = 0;                // deleted; in a dry run: would be
    std::size_t rows = 0;                     // of all tables
    std::size_t cancelled = 0;                // stale ones; in a dry run: would be
    std::size_t eligible = 0;                 // still to be deleted
    bool more = false;                        // a bound of this run was reached: run again soon
    std::optional<std::string> refused;       // why nothing was done
    std::optional<RunningRetention> running;  // refused because of another run
};

// Safe from any thread. One run at a time: another is refused, here and on other nodes.
class Pruner {
public:
    using Cancels = std::vector<Result<op::Cancel::Outcome>>;
    struct Parts {
        Store& store;
        IdSource& ids;
        PumpMetrics& metrics;
        // Runs the operations and returns their outcomes, in order, once all are answered.
        std::function<Cancels(std::vector<op::Cancel>)> cancel;
        std::string node;
        std::function<std::chrono::steady_clock::time_point()> steady =
            std::chrono::steady_clock::now;
        std::function<void(std::chrono::milliseconds)> pause;  // between batches; absent: none
    };

    Pruner(Parts parts, RetentionSettings settings)
        : parts_(std::move(parts)), settings_(settings), clock_(parts_.steady) {}

    // Deletes a bounded number; the next run continues. An error: the store failed; earlier batches
    // stay deleted.
    Result<RetentionReport> run(RunKind kind, ClockTrust trust = ClockTrust::check);
    // The shortest retention window, as of the last run. Absent: everything is kept for ever.
    std::optional<std::chrono::microseconds> shortest_window() const;
    const RetentionSettings& settings() const { return settings_; }

private:
    class Run;  // while it exists, others are refused
    struct Windows {
        Prune prune;
        std::map<std::string, std::chrono::microseconds> stale;  // by definition, else settings
        bool cancels = false;
    };
    struct Stale {
        InstanceId instance;
        Version version;
    };

    Result<void> run_alone(RetentionReport& report, ClockTrust trust);
    Result<Windows> windows();
    // False: the clock jumped or another node holds the lock; the report says which.
    Result<void> refuse_for_other_node(RetentionReport& report);
    Result<bool> may_run(RetentionReport& report, ClockTrust trust, Prune& prune);
    Result<void> delete_ended(RetentionReport& report, Prune prune, ClockTrust trust);
    Result<void> trim_histories(RetentionReport& report, Prune prune, ClockTrust trust);
    Result<void> cancel_stale(RetentionReport& report, const Windows& windows, ClockTrust trust);
    // Those of the candidates that are stale by the window of their definition.
    Result<std::vector<Stale>> stale_of(const std::vector<InstanceId>& candidates,
                                        const Windows& windows, Moment now);
    Result<void> cancel(const std::vector<Stale>& stale, RetentionReport& report);

    Parts parts_;
    const RetentionSettings settings_;
    RetentionClock clock_;
    mutable std::mutex mutex_;
    std::optional<Moment> running_since_;
    std::optional<std::chrono::microseconds> shortest_;
    // Where the last run stopped, in a store with more open instances than a run looks at.
    std::string trimmed_until_;
    std::string stale_until_;
};

}  // namespace holdfast
