#include <prometheus/registry.h>

#include <deque>

#include "holdfast/testing.h"
#include "node/check.h"
#include "node/runner.h"
#include "node/workflow_api.h"
#include "pump/signals/signal_pump.h"
#include "pump/signals/work_queue.h"
#include "pump/timers/timer_pump.h"
#include "store/options.h"

namespace holdfast::testing {
inline namespace flows {
namespace {

class TestClock final : public Clock {
public:
    Moment now() const override { return now_; }
    void set(Moment now) { now_ = now; }

private:
    // A date that is easy to read in a failed test.
    Moment now_ = std::chrono::sys_days(std::chrono::year(2030) / 1 / 1);
};

}  // namespace

// The same parts as a node, driven by the thread of the test.
struct World::Parts {
    TestClock clock;
    IdSource ids{clock, 1};
    prometheus::Registry registry;
    CoordinatorMetrics metrics{registry};
    PumpMetrics pump_metrics{registry};
    Runner runner;
    Programs programs;
    std::unique_ptr<Store> store;
    std::unique_ptr<Coordinator> coordinator;
    std::deque<WorkerPool::WorkItem> work_items;
    std::shared_ptr<WorkQueue> work_queue;
    std::optional<NodeLife> life;
    std::optional<SignalPump> signals;
    std::optional<TimerPump> timers;
    std::optional<WorkflowApi> api;

    ~Parts() {
        work_items.clear();
        coordinator.reset();
    }
    WorkflowApi& use();
    void open();
    void open_pump();
    // Runs one round, one work item, or one poll of timers and signals. False: nothing to do now.
    bool turn();
    bool run_shards();
    void drain() {
        while (turn()) {
        }
    }
    template <class Op>
    std::vector<Result<typename Op::Outcome>> run_all(std::vector<Op> operations) {
        std::vector<std::future<Result<typename Op::Outcome>>> answers;
        for (Op& operation : operations)
            answers.push_back(coordinator->submit(std::move(operation)));
        while (run_shards()) {
        }
        std::vector<Result<typename Op::Outcome>> outcomes;
        for (auto& answer : answers) outcomes.push_back(answer.get());
        return outcomes;
    }
    // When the next timer or delayed signal is due.
    std::optional<Moment> next_due();
};

WorkflowApi& World::Parts::use() {
    if (!api) open();
    return *api;
}

void World::Parts::open() {
    for (const auto& [name, code] : runner.codes()) programs.add(name, runner);
    auto opened = open_store("memory:", {.clock = &clock});
    if (!opened) throw Unavailable(opened.error().message);
    store = *std::move(opened);
    auto driven =
        Coordinator::open_driven(*store, ids, metrics, {.node = "world"}, [](std::size_t) {});
    if (!driven) throw Unavailable(driven.error().message);
    coordinator = *std::move(driven);
    runner.start(
        {.store = *store,
         .coordinator = *coordinator,
         .ids = ids,
         .post = [this](WorkerPool::WorkItem item) { work_items.push_back(std::move(item)); },
         .clock = clock});
    open_pump();
    api.emplace(WorkflowApi::Parts{.store = *store,
                                   .coordinator = *coordinator,
                                   .ids = ids,
                                   .runner = runner,
                                   .drive = [this] { turn(); }});
    api->define();
}

void World::Parts::open_pump() {
    work_queue =
        WorkQueue::make(programs, {.at_once = 1'000'000,
                                   .held = 1'000'000,
                                   .post =
                                       [this](WorkerPool::WorkItem& item) {
                                           work_items.push_back(std::move(item));
                                           return true;
                                       },
                                   .finished =
                                       [this](const Work& work, const Result<void>& result) {
                                           if (!result) signals->give_back(work, result.error());
                                       }});
    work_queue->open();
    life.emplace(
        *store, ids, pump_metrics,
        NodeLife::Options{
            .name = "world", .lease = std::chrono::days(36'500), .programs = programs.keys()},
        [](const NodeId&) {});
    signals.emplace(
        SignalPump::Parts{*store, ids, pump_metrics, *life, *work_queue, programs}, PumpSettings{},
        SignalPump::Operations{
            .handle = [this](std::vector<op::HandleSignal> ops) { return run_all(std::move(ops)); },
            .bury = [this](std::vector<op::BurySignal> ops) { return run_all(std::move(ops)); }});
    timers.emplace(*store, ids, pump_metrics,
                   [this](std::vector<op::FireTimer> ops) { return run_all(std::move(ops)); });
}

bool World::Parts::run_shards() {
    bool worked = false;
    for (auto& shard : coordinator->shards())
        while (shard->run_round()) worked = true;
    return worked;
}

bool World::Parts::turn() {
    if (run_shards()) return true;
    if (!work_items.empty()) {
        WorkerPool::WorkItem item = std::move(work_items.front());
        work_items.pop_front();
        item();
        return true;
    }
    const auto claimed = static_cast<std::size_t>(pump_metrics.signals_claimed.Value());
    // Timers first, so that the signals they enqueue are claimed in the same turn.
    if (auto looked = timers->look(); !looked) throw Unavailable(looked.error().message);
    if (auto looked = signals->look(); !looked) throw Unavailable(looked.error().message);
    const bool found = pump_metrics.signals_claimed.Value() > static_cast<double>(claimed);
    return found || !work_items.empty() || run_shards();
}

std::optional<Moment> World::Parts::next_due() {
    std::optional<Moment> next;
    const auto signal = signals->look();
    if (signal && signal->next) next = signal->next->due;
    const auto timer = timers->look();
    if (timer && *timer && (!next || (*timer)->due < *next)) next = (*timer)->due;
    return next;
}

World::World() : parts_(std::make_unique<Parts>()) {}
World::~World() = default;

Moment World::now() const { return parts_->clock.now(); }

void World::run_until_idle() {
    parts_->use();
    parts_->drain();
}

void World::advance(std::chrono::microseconds time) {
    const Moment until = now() + time;
    run_until_idle();
    for (auto next = parts_->next_due(); next && *next <= until; next = parts_->next_due()) {
        if (*next > now()) parts_->clock.set(*next);
        parts_->drain();
    }
    parts_->clock.set(until);
    parts_->drain();
}

void World::run(std::chrono::microseconds at_most) {
    const Moment until = now() + at_most;
    run_until_idle();
    for (auto next = parts_->next_due(); next && *next <= until; next = parts_->next_due()) {
        if (*next > now()) parts_->clock.set(*next);
        parts_->drain();
    }
}

void World::restart() {
    run_until_idle();
    parts_->runner.evict_all();
}

void World::add_code(flow::Code code) {
    const std::string name = code.name;
    if (parts_->api) throw Misuse("flow '" + name + "': add flows before the world is used");
    if (!parts_->runner.add(std::move(code)))
        throw Misuse("flow '" + name + "' is already registered; give each flow its own name");
}

std::string World::start_flow(const std::string& flow, const Json& arguments,
                              const StartOptions& options) {
    std::string id = parts_->use().start(flow, arguments, options);
    parts_->drain();
    return id;
}

Json World::wait_for_result(const std::string& id) {
    run_until_idle();
    if (const auto ending = parts_->use().ending(id)) return result_of(id, *ending);
    throw Misuse("workflow " + id + " has not ended: it is " + status(id) +
                 ". Send the event it waits for, or advance the clock with advance()");
}

Sent World::send_event(const std::string* id, const std::string& event, const Json& value) {
    const Sent sent = parts_->use().send(id, event, value);
    parts_->drain();
    return sent;
}

std::string World::schedule_event(const std::string* id, const When& when, const std::string& event,
                                  const Json& value) {
    std::string sent = parts_->use().send_later(id, when, event, value);
    parts_->drain();
    return sent;
}

bool World::cancel_event(const std::string& event) { return parts_->use().cancel_event(event); }
Schedules& World::schedules() { return parts_->use().schedules(); }
std::size_t World::cancel_timers(const std::string& id) { return parts_->use().cancel_timers(id); }
Json World::read_state(const std::string& id) { return parts_->use().state(id); }
std::string World::flow_of(const std::string& id) { return parts_->use().flow(id); }

bool World::cancel(const std::string& id, const std::string& reason) {
    const bool cancelled = parts_->use().cancel(id, reason);
    parts_->drain();
    return cancelled;
}

std::string World::status(const std::string& id) { return parts_->use().status(id); }
std::vector<HistoryEntry> World::history(const std::string& id) {
    return parts_->use().history(id);
}
std::vector<OpenTask> World::open_tasks(const std::string& id) {
    return parts_->use().open_tasks(id);
}
void World::complete_task(const std::string& task, const Actor& actor, const Json& outputs) {
    parts_->use().complete_task(task, actor, outputs);
    parts_->drain();
}
void World::fail_task(const std::string& task, const Actor& actor, const Json& error) {
    parts_->use().fail_task(task, actor, error);
    parts_->drain();
}
std::vector<Divergence> World::check() {
    parts_->use();
    return check_flows(*parts_->store, parts_->runner);
}

}  // namespace flows
}  // namespace holdfast::testing
