// A node: runs durable flows on a store, inside this process.
//
//     holdfast::Node node{"sqlite:orders.db"};
//     node.add("checkout", checkout);
//     const std::string id = node.start("checkout", order, StartOptions{.key = order.id});
//     const Receipt receipt = node.result<Receipt>(id);
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holdfast/future.h"
#include "holdfast/jobs.h"
#include "holdfast/workflows.h"

namespace holdfast {

// What happens to a signal that cannot be processed.
enum class DeadLetters {
    move,  // it becomes a dead letter
    hold,  // it stays in the queue; its workflow has an incident
};

struct NodeOptions {
    std::string store;              // "memory:", "sqlite:PATH" or "postgres://..."
    std::string name = {};          // empty: host name and process id
    std::size_t workers = 16;       // threads that run steps and flows
    std::size_t most_live = 2'048;  // waiting flows kept in memory; the others replay
    // How often a workflow may be attempted without progress, because the process crashes, before
    // its signal becomes a dead letter; at most 1,000.
    std::uint32_t most_attempts = 20;
    // On a store that several nodes share: how long after a crash other nodes take over.
    std::chrono::seconds lease = std::chrono::seconds(10);
    // A step that runs longer, and longer than twice its timeout, hangs: the workflow's attempt has
    // failed and it goes on elsewhere. 0: never.
    std::chrono::microseconds step_limit = std::chrono::hours(1);
    std::string log_level = "warn";            // debug, info, warn, error or off
    std::string token = {};                    // bearer token for HTTP; required unless on loopback
    std::vector<std::string> host_names = {};  // more names to accept in the Host header
    // For `serve` beyond loopback: HTTPS, or a proxy that speaks it (--tls-certificate, --tls-key,
    // --tls-client-ca, --behind-proxy).
    std::string tls_certificate = {};
    std::string tls_key = {};
    std::string tls_client_ca = {};
    std::vector<std::string> behind_proxy = {};

    // The same as the flags of `holdfast serve`, with the same defaults.
    std::chrono::microseconds keep_ended{0};   // --keep-ended; 0: for ever
    std::chrono::microseconds stale_after{0};  // --stale-after; 0: never
    // --keep-records: keys, rounds and fates that belong to no workflow any more; at least 1 h.
    std::chrono::microseconds keep_records = std::chrono::hours(24);
    // --keep-history: of open workflows; the newest 100 versions always stay. 0: for ever.
    std::chrono::microseconds keep_history{0};
    // --keep-cleared: the history of cleared workflows. Absent: as keep_ended; 0: for ever.
    std::optional<std::chrono::microseconds> keep_cleared = {};
    // --keep-conflicts: also of open workflows. 0: as long as their workflow.
    std::chrono::microseconds keep_conflicts = std::chrono::days(30);
    DeadLetters dead_letters = DeadLetters::move;
    // --missing-program-after: how long no node may have the program of a running workflow before
    // it is an incident; it goes on when a node brings the program. 0: for ever.
    std::chrono::microseconds missing_program_after = std::chrono::minutes(1);
    std::size_t max_concurrent_handlers = 256;
    std::chrono::seconds receive_wait = std::chrono::seconds(30);
    std::size_t event_queue = 10'000;  // limit of queued events per workflow and per name
    std::size_t event_queue_bytes = std::size_t{64} << 20;  // likewise, of their values
    std::size_t queue = 16'384;                             // limit of queued operations
    std::size_t http_threads = 2;        // of `serve`, that read requests and write responses
    std::size_t writers = 0;             // writer threads; 0: chosen for the store
    bool allow_weak_durability = false;  // accepts a store that may lose acknowledged changes
    // --trace-rounds: a file that receives every round as a JSON line. Empty: none.
    std::string trace_rounds = {};
};

// Thread-safe once the flows are added.
class Node final : public Workflows {
public:
    explicit Node(std::string store);
    explicit Node(NodeOptions options);
    ~Node() override;

    // Does the jobs of this type. Only before the first use.
    void work(const std::string& type, Worker worker);
    // Deploys a BPMN model and returns the keys of its definitions. Throws Misuse with the problems
    // of a model that is refused.
    std::vector<std::string> deploy(const std::string& xml);

    // Opens the store and starts to run workflows; the first use does so implicitly. Throws
    // Unavailable.
    void open();
    // Serves HTTP on an address such as "127.0.0.1:8080" (port 0: any free port). Returns the URL.
    std::string serve(const std::string& address);
    // Waits for running steps, then stops. Unfinished workflows continue on the next node.
    void stop();

    // Like start, send and result, without blocking a thread: for programs that have many workflows
    // under way. Nothing waits in the store, so a future that is dropped loses nothing.
    template <class... Arguments>
    Future<std::string> start_async(const std::string& flow, Arguments... arguments) {
        return split<Future<std::string>>(
            [&](const Json& list, const StartOptions& options) {
                return Future<std::string>(
                    begin_flow(flow, list, options), {},
                    [](const Json& id, const std::string&) { return flow::text_of(id); });
            },
            std::tuple<Arguments...>(std::move(arguments)...));
    }
    template <class T = std::monostate>
    Future<Sent> send_async(const std::string& id, const std::string& event, const T& value = {}) {
        return Future<Sent>(
            begin_send(id, event, flow::to_value(value)), id,
            [](const Json& sent, const std::string&) { return flow::sent_of(sent); });
    }
    template <class T = void>
    Future<T> result_async(const std::string& id) {
        return Future<T>(await_result(id), id, [](const Json& value, const std::string& of) -> T {
            if constexpr (!std::is_void_v<T>)
                return flow::from_value<T>(value, flow::ResultPlace(of));
        });
    }

    Schedules& schedules() override;
    bool cancel_event(const std::string& event) override;
    std::size_t cancel_timers(const std::string& id) override;
    bool cancel(const std::string& id, const std::string& reason = {}) override;
    std::string status(const std::string& id) override;
    std::vector<HistoryEntry> history(const std::string& id) override;
    std::vector<OpenTask> open_tasks(const std::string& id) override;
    // Waits until the workflow has an open task. Empty: it ended before.
    std::vector<OpenTask> wait_for_tasks(const std::string& id);
    void complete_task(const std::string& task, const Actor& actor, const Json& outputs) override;
    void fail_task(const std::string& task, const Actor& actor, const Json& error) override;
    std::vector<Divergence> check() override;

    // The number of flows in memory.
    std::size_t live() const;
    // Drops waiting flows from memory and returns the memory to the system; they replay when they
    // wake.
    void evict();

protected:
    void add_code(flow::Code code) override;
    std::string start_flow(const std::string& flow, const Json& arguments,
                           const StartOptions& options) override;
    Json wait_for_result(const std::string& id) override;
    Sent send_event(const std::string* id, const std::string& event, const Json& value) override;
    std::string schedule_event(const std::string* id, const When& when, const std::string& event,
                               const Json& value) override;
    Json read_state(const std::string& id) override;
    std::string flow_of(const std::string& id) override;

private:
    std::shared_ptr<flow::FutureValue> begin_flow(const std::string& flow, const Json& arguments,
                                                  const StartOptions& options);
    std::shared_ptr<flow::FutureValue> begin_send(const std::string& id, const std::string& event,
                                                  const Json& value);
    std::shared_ptr<flow::FutureValue> await_result(const std::string& id);

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace holdfast
