// The thread that sends the spans of ended workflows to a collector. The engine never waits for it:
// what does not fit into its queue, or is not taken, is dropped and counted.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "http/wire/client_connection.h"
#include "node/spans/spans.h"
#include "round/commit_listener.h"
#include "store/store.h"

namespace holdfast {

// Constructed before the coordinator, as its listener.
class SpanThread final : public CommitListener {
public:
    explicit SpanThread(prometheus::Registry& registry);
    ~SpanThread() override { stop(); }

    struct Options {
        std::string endpoint;  // "http://host:port": spans are posted to /v1/traces there
        std::string node;
    };
    // invalid_argument: the endpoint is not such a URL.
    Result<void> start(Reads& reads, Options options);
    void stop();

    void committed(const Touched& touched) override;

private:
    void run(const std::stop_token& stop);
    // Some that have ended; empty: it stops.
    std::vector<InstanceId> take(const std::stop_token& stop);
    Result<std::vector<Span>> read(const InstanceId& id);
    Result<std::optional<TracePlace>> place_of(Instance workflow);
    void send(const std::vector<Span>& spans, const std::stop_token& stop);
    Result<void> post(const std::string& body);
    bool pause(std::chrono::milliseconds time, const std::stop_token& stop);

    prometheus::Counter& sent_;
    prometheus::Counter& not_queued_;
    prometheus::Counter& not_taken_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool started_ = false;
    std::deque<InstanceId> ended_;
    bool failing_ = false;  // told once; belongs to the thread
    Reads* reads_ = nullptr;
    Options options_;
    std::optional<http::ClientConnection> connection_;
    std::jthread thread_;
};

}  // namespace holdfast
