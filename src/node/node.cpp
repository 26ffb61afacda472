#include "holdfast/node.h"

#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include <atomic>
#include <condition_variable>
#include <limits>

#include "base/log.h"
#include "base/memory.h"
#include "node/check.h"
#include "node/ends.h"
#include "node/engine.h"
#include "node/entrance.h"
#include "node/future_value.h"
#include "node/job_runner.h"
#include "node/node_options.h"
#include "node/node_server.h"
#include "node/runner.h"
#include "node/step_watch.h"
#include "node/workflow_api.h"
#include "store/options.h"

namespace holdfast {
namespace {

// Other nodes announce their commits, but an announcement may be lost.
constexpr std::chrono::milliseconds recheck_interval{1'000};

struct Unwatch {
    Watchers& watchers;
    const Watchers::Ticket& ticket;
    ~Unwatch() { watchers.unwatch(ticket); }
};

void set_log_level(const std::string& name) {
    const auto level = log::parse_level(name);
    if (!level) throw Misuse("log_level must be debug, info, warn, error or off");
    log::set_level(*level);
}

}  // namespace

struct Node::Parts {
    explicit Parts(NodeOptions its_options)
        : options(std::move(its_options)), runner({.most_live = options.most_live}) {}
    ~Parts() { stop(); }

    WorkflowApi& use();
    void open();
    void stop();
    void give_up(const char* what);
    std::vector<Divergence> check();

    const NodeOptions options;
    std::mutex mutex;  // guards opening and stopping
    bool stopped = false;
    Runner runner;
    JobRunner job_runner;
    Programs programs;
    prometheus::Registry registry;
    std::optional<Deadlines> deadlines;
    std::optional<WorkerPool> workers;
    StepWatch step_watch;
    prometheus::Family<prometheus::Counter>& given_up =
        prometheus::BuildCounter()
            .Name("holdfast_given_up_total")
            .Help("Steps and jobs that did not return and were given up")
            .Register(registry);
    std::unique_ptr<Engine> engine;
    std::optional<Ends> ends;
    std::optional<JournalReader> journals;
    std::optional<WorkflowApi> api;
    std::atomic<WorkflowApi*> in_use = nullptr;  // set while open; read without the lock
    std::unique_ptr<http::ServerTls> tls;        // of `server`; null: plain HTTP
    std::unique_ptr<NodeServer> server;
};

WorkflowApi& Node::Parts::use() {
    if (WorkflowApi* ready = in_use) return *ready;
    const std::lock_guard lock(mutex);
    if (stopped) throw Misuse("the node was stopped; create a new Node");
    if (!api) open();
    in_use = &*api;
    return *api;
}

void Node::Parts::open() {
    set_log_level(options.log_level);
    for (const auto& [name, code] : runner.codes()) programs.add(name, runner);
    for (const auto& [type, worker] : job_runner.workers())
        programs.add(program_of_jobs(type), job_runner);
    deadlines.emplace();
    // Unbounded: each running flow has few work items, and the pump bounds the running flows.
    workers.emplace("flow", options.workers, std::numeric_limits<std::size_t>::max());
    const auto prepare = [this](Engine& opened) {
        runner.start({.store = opened.store(),
                      .coordinator = opened.coordinator(),
                      .ids = opened.ids(),
                      .post = [this](WorkerPool::WorkItem item) { workers->post(item); },
                      .step_stuck = [this] { give_up("step"); },
                      .stuck_step_returned = [this] { workers->dismiss_replacement(); },
                      .clock = opened.clock(),
                      .deadlines = &*deadlines,
                      .journals = &journals.emplace(opened.store()),
                      .event_queue = options.event_queue,
                      .event_queue_bytes = options.event_queue_bytes});
        job_runner.start({.store = opened.store(),
                          .coordinator = opened.coordinator(),
                          .ids = opened.ids(),
                          .job_stuck = [this] { give_up("job"); },
                          .stuck_job_returned = [this] { workers->dismiss_replacement(); }});
        api.emplace(WorkflowApi::Parts{.store = opened.store(),
                                       .coordinator = opened.coordinator(),
                                       .ids = opened.ids(),
                                       .runner = runner,
                                       .drive = {},
                                       .event_queue = options.event_queue,
                                       .event_queue_bytes = options.event_queue_bytes});
        ends.emplace(opened.store(), opened.coordinator());
        api->define();
    };
    EngineOptions wanted = engine_options(options);
    wanted.programs = &programs;
    wanted.workers = &*workers;
    wanted.prepare = prepare;
    wanted.beat = [this] { ends->look_again(); };
    auto opened = Engine::open(wanted, registry);
    if (!opened) {
        ends.reset();
        api.reset();
        throw Unavailable("cannot open store '" + options.store + "': " + opened.error().message);
    }
    engine = *std::move(opened);
    const auto give_up_hung = [this](std::chrono::microseconds limit) {
        runner.give_up_hung(limit);
        job_runner.give_up_hung(limit);
    };
    if (options.step_limit.count() > 0) step_watch.start(give_up_hung, options.step_limit);
}

void Node::Parts::give_up(const char* what) {
    given_up.Add({{"what", what}}).Increment();
    workers->replace_stuck();
}

void Node::Parts::stop() {
    const std::lock_guard lock(mutex);
    if (std::exchange(stopped, true)) return;
    in_use = nullptr;
    server.reset();
    if (engine) engine->stop();
    ends.reset();  // nobody calls it any more
    step_watch.stop();
    if (journals) journals->stop();
    if (workers) workers->shutdown();
    runner.evict_all();
    if (deadlines) deadlines->stop();
}

// Must not open the node: a check runs no workflow.
std::vector<Divergence> Node::Parts::check() {
    const std::lock_guard lock(mutex);
    if (stopped) throw Misuse("the node was stopped; create a new Node");
    if (api) return check_flows(engine->store(), runner);
    const SystemClock clock;
    auto store = open_store(options.store, {.clock = &clock, .readers = 1});
    if (!store)
        throw Unavailable("cannot open store '" + options.store + "': " + store.error().message);
    return check_flows(**store, runner);
}

Node::Node(std::string store) : Node(NodeOptions{.store = std::move(store)}) {}
Node::Node(NodeOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}
Node::~Node() = default;

void Node::open() { parts_->use(); }

std::string Node::serve(const std::string& address) {
    parts_->use();
    const NodeOptions& options = parts_->options;
    std::optional<std::string> token;
    if (!options.token.empty()) token = options.token;
    auto entrance = open_entrance({.listen = address,
                                   .tls_certificate = options.tls_certificate,
                                   .tls_key = options.tls_key,
                                   .tls_client_ca = options.tls_client_ca,
                                   .behind_proxy = options.behind_proxy,
                                   .has_credential = token.has_value(),
                                   .credentials = "NodeOptions::token"});
    if (!entrance) throw Misuse(entrance.error().message);
    const std::lock_guard lock(parts_->mutex);
    parts_->server.reset();
    parts_->tls = std::move(entrance->tls);
    parts_->server = std::make_unique<NodeServer>(
        *parts_->engine, parts_->registry,
        NodeServer::Options{.listen = entrance->listen,
                            .tls = parts_->tls.get(),
                            .proxies = entrance->proxies,
                            .token = token,
                            .host_names = options.host_names,
                            .event_queue = options.event_queue,
                            .event_queue_bytes = options.event_queue_bytes,
                            .most_attempts = options.most_attempts,
                            .io_threads = options.http_threads});
    const auto url = parts_->server->start();
    if (!url) throw Unavailable(url.error().message);
    return *url;
}

void Node::stop() { parts_->stop(); }

void Node::add_code(flow::Code code) {
    const std::string name = code.name;
    const std::lock_guard lock(parts_->mutex);
    if (parts_->api) throw Misuse("flow '" + name + "': add flows before the node is used");
    if (!parts_->runner.add(std::move(code)))
        throw Misuse("flow '" + name + "' is already registered; give each flow its own name");
}

void Node::work(const std::string& type, Worker worker) {
    const std::lock_guard lock(parts_->mutex);
    if (parts_->api) throw Misuse("job type '" + type + "': add workers before the node is used");
    if (!parts_->job_runner.add(type, std::move(worker)))
        throw Misuse("job type '" + type + "' has a worker already");
}

std::vector<std::string> Node::deploy(const std::string& xml) { return parts_->use().deploy(xml); }

std::string Node::start_flow(const std::string& flow, const Json& arguments,
                             const StartOptions& options) {
    return parts_->use().start(flow, arguments, options);
}

std::shared_ptr<flow::FutureValue> Node::begin_flow(const std::string& flow, const Json& arguments,
                                                    const StartOptions& options) {
    auto arrival = flow::make_future_value();
    parts_->use().start(flow, arguments, options, arrival);
    return arrival;
}

std::shared_ptr<flow::FutureValue> Node::begin_send(const std::string& id, const std::string& event,
                                                    const Json& value) {
    auto arrival = flow::make_future_value();
    parts_->use().send(id, event, value, arrival);
    return arrival;
}

std::shared_ptr<flow::FutureValue> Node::await_result(const std::string& id) {
    parts_->use();
    auto arrival = flow::make_future_value();
    parts_->ends->wait_for(read_workflow_id(id), [arrival, id](Ends::End end) {
        pass_on(*arrival, [&] { return result_of(id, end); });
    });
    return arrival;
}

Json Node::wait_for_result(const std::string& id) { return flow::take_arrived(*await_result(id)); }

std::vector<OpenTask> Node::wait_for_tasks(const std::string& id) {
    parts_->use();
    struct Changes {
        std::mutex mutex;
        std::condition_variable changed;
        bool notified = false;
    };
    const auto changes = std::make_shared<Changes>();
    Watchers& watchers = parts_->engine->coordinator().watchers();
    const auto ticket = watchers.watch(read_workflow_id(id), [changes](const Instance*) {
        {
            const std::lock_guard lock(changes->mutex);
            changes->notified = true;
        }
        changes->changed.notify_all();
    });
    const Unwatch unwatch{watchers, ticket};
    for (;;) {
        auto tasks = open_tasks(id);
        if (!tasks.empty() || parts_->use().ending(id)) return tasks;
        // Another node may create the task, so it looks again from time to time.
        std::unique_lock lock(changes->mutex);
        changes->changed.wait_for(lock, recheck_interval,
                                  [&] { return std::exchange(changes->notified, false); });
    }
}

Sent Node::send_event(const std::string* id, const std::string& event, const Json& value) {
    return parts_->use().send(id, event, value);
}

std::string Node::schedule_event(const std::string* id, const When& when, const std::string& event,
                                 const Json& value) {
    return parts_->use().send_later(id, when, event, value);
}

bool Node::cancel_event(const std::string& event) { return parts_->use().cancel_event(event); }
Schedules& Node::schedules() { return parts_->use().schedules(); }
std::size_t Node::cancel_timers(const std::string& id) { return parts_->use().cancel_timers(id); }
Json Node::read_state(const std::string& id) { return parts_->use().state(id); }
std::string Node::flow_of(const std::string& id) { return parts_->use().flow(id); }
bool Node::cancel(const std::string& id, const std::string& reason) {
    return parts_->use().cancel(id, reason);
}
std::string Node::status(const std::string& id) { return parts_->use().status(id); }
std::vector<HistoryEntry> Node::history(const std::string& id) { return parts_->use().history(id); }
std::vector<OpenTask> Node::open_tasks(const std::string& id) {
    return parts_->use().open_tasks(id);
}
void Node::complete_task(const std::string& task, const Actor& actor, const Json& outputs) {
    parts_->use().complete_task(task, actor, outputs);
}
void Node::fail_task(const std::string& task, const Actor& actor, const Json& error) {
    parts_->use().fail_task(task, actor, error);
}
std::vector<Divergence> Node::check() { return parts_->check(); }
std::size_t Node::live() const { return parts_->runner.live(); }
void Node::evict() {
    parts_->runner.evict_all();
    release_free_memory();
}

}  // namespace holdfast
