// A node without its API: the store, the coordinator and the pump, started and stopped in order.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/time/clock.h"
#include "http/webhooks/webhook_thread.h"
#include "node/index_thread.h"
#include "node/spans/span_thread.h"
#include "node/workflow_log.h"
#include "pump/bulk/bulk_thread.h"
#include "pump/nodes/announcer.h"
#include "pump/nodes/heartbeat_thread.h"
#include "pump/nodes/listen_thread.h"
#include "pump/recovery/recovery_thread.h"
#include "pump/retention/retention_thread.h"
#include "pump/signals/signal_thread.h"
#include "pump/signals/stranded_thread.h"
#include "pump/stream/change_feed.h"
#include "pump/timers/clock_thread.h"
#include "pump/timers/timer_thread.h"
#include "round/coordinator.h"

namespace holdfast {

class Engine;

struct EngineOptions {
    std::string store;
    std::string node;                         // empty: host name and process id
    std::optional<std::string> trace_rounds;  // file that receives every round as a JSON line
    std::size_t writers = 0;                  // 0: chosen for the store
    std::size_t readers = 4;
    std::size_t queue = 16'384;
    bool allow_weak_durability = false;
    std::function<void()> file_lost;  // as in StoreOptions
    PumpSettings pump;
    RetentionSettings retention;
    http::WebhookRules webhooks = {};
    std::optional<std::string> otlp_endpoint = {};  // of a collector of spans; absent: none
    const Programs* programs = nullptr;             // outlives the engine; null: none
    WorkerPool* workers = nullptr;                  // runs handlers; null: the engine's own threads
    // Called once operations can be submitted, before any handler runs.
    std::function<void(Engine&)> prepare;
    // Called after every heartbeat, on a store that several nodes share.
    std::function<void()> beat;
};

class Engine {
public:
    // Opens the store, registers the node's life, and starts timers, signals, recovery, retention
    // and the building of declared indexes.
    static Result<std::unique_ptr<Engine>> open(const EngineOptions& options,
                                                prometheus::Registry& registry);
    ~Engine();

    // Waits for running handlers, then for queued operations; accepts nothing afterwards.
    void stop();

    Store& store() { return *store_; }
    Coordinator& coordinator() { return *coordinator_; }
    IdSource& ids() { return ids_; }
    const Clock& clock() const { return clock_; }
    // Callable from any thread that may block.
    Pruner& retention() { return *retention_; }
    // A definition declares index paths.
    void want_indexes() { indexes_.want(); }
    ChangeFeed& feed() { return feed_; }
    const http::WebhookRules& webhooks() const { return webhook_rules_; }
    const std::string& node() const { return node_; }

private:
    Engine(const EngineOptions& options, prometheus::Registry& registry);
    Result<void> open_coordinator(const EngineOptions& options);
    void start(const EngineOptions& options);
    // Only on a store that several nodes share.
    void start_sharing(const EngineOptions& options);
    void start_webhooks(std::chrono::microseconds lock_time);
    void start_stranded(std::chrono::microseconds after);
    void look_at_everything();
    void announce_follower();
    void hear(const Announcement& announcement);

    const std::string node_;
    SystemClock clock_;
    IdSource ids_{clock_};
    const http::WebhookRules webhook_rules_;
    CoordinatorMetrics metrics_;
    PumpMetrics pump_metrics_;
    Programs no_programs_;
    std::unique_ptr<RoundTrace> trace_;
    std::unique_ptr<Store> store_;
    TimerThread timers_;
    SignalThread signals_;
    StrandedThread stranded_;
    Announcer announcer_;
    ChangeFeed feed_;
    RetentionThread retention_thread_;
    BulkThread bulk_;
    WorkflowLog workflow_log_;
    http::WebhookThread webhooks_;
    SpanThread spans_;
    prometheus::Family<prometheus::Counter>& webhook_posts_;
    std::optional<NodeLife> life_;
    std::unique_ptr<Coordinator> coordinator_;
    std::optional<Pruner> retention_;
    std::optional<RecoveryThread> recovery_;
    HeartbeatThread beats_;
    ListenThread listener_;
    ClockThread clock_watch_;
    IndexThread indexes_;
    bool stopped_ = false;
};

}  // namespace holdfast
