#include "sim/fleet.h"

#include <boost/json.hpp>

#include "sim/process_model.h"
#include "sim/relay.h"
#include "support/tally/tally.h"

namespace holdfast::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string describe(const Instance& instance) {
    std::string text(name_of(instance.status));
    if (instance.paused) text += " paused";
    for (const auto& [token, wait, began_at, operation, owner] : instance.waits) {
        for (const EventKey& key : wait.names) text += " " + key.name + "/" + key.correlation;
        if (wait.until) text += " until " + to_iso8601(*wait.until);
        for (const InstanceId& id : wait.workflows) text += " " + to_string(id);
    }
    return text;
}

std::string describe(const SignalRow& row, const std::set<NodeId>& alive) {
    std::string text(name_of(row.type));
    text += " of " + to_string(row.instance) + ", attempt " + std::to_string(row.attempts);
    if (!row.leased_by) return text + ", free from " + to_iso8601(row.visible_at);
    return text + ", leased to " + to_string(*row.leased_by) +
           (alive.contains(*row.leased_by) ? "" : " (dead)");
}

// Without the id of a job.
std::string moved_by(const HistoryRow& row) {
    const std::string name(boost::json::parse(row.payload).at("name").as_string());
    return name.starts_with("job ") ? "job" : name;
}

class Fleet {
public:
    explicit Fleet(const RunOptions& options)
        : options_(options),
          random_(options.seed),
          faults_(Faults::some(random_)),
          scheduler_(random_, clock_),
          database_(scheduler_, random_, clock_, faults_, ledger_),
          began_(clock_.now()) {
        database_.on_crash = [this](NodeNumber number) {
            ++report_.counters["a node crashed"];
            nodes_[number]->crash();
        };
        database_.on_announce = [this](NodeNumber number) {
            for (std::size_t i = 0; i < nodes_.size(); ++i)
                if (i != number) nodes_[i]->receive_announcement();
        };
        const std::size_t count = 1 + random_.below(5);
        const std::size_t shards = 1 + random_.below(2);
        const std::size_t round_limit = random_.pick(std::vector<std::size_t>{1, 4, 256});
        pump_.max_concurrent_handlers = random_.pick(std::vector<std::size_t>{1, 4, 256});
        pump_.most_held = random_.pick(std::vector<std::size_t>{2, 1'000});
        lease_ = milliseconds(1'500 + random_.below(2'000));
        for (std::size_t i = 0; i < count; ++i) add_node(i, shards, round_limit);
        report_.setting = std::to_string(count) + " nodes, " + std::to_string(shards) +
                          " shards, rounds of " + std::to_string(round_limit) +
                          ", faults: " + faults_.to_string();
        clients_ = std::make_unique<Clients>(random_, clock_, nodes_, database_);
    }

    // A run that ends at its first violation leaves rounds in the middle.
    ~Fleet() { scheduler_.kill_all(); }

    RunReport run() {
        define();
        for (auto& node : nodes_) node->start();
        disturb();
        heal();
        finish_everything();
        verdict();
        return std::move(report_);
    }

private:
    void add_node(std::size_t number, std::size_t shards, std::size_t round_limit) {
        milliseconds skew{0};
        if (faults_.strikes(Fault::skew, random_, 50))
            skew = milliseconds(static_cast<int>(random_.below(120'000)) - 60'000);
        const bool has_programs = number == 0 || random_.chance(75);
        nodes_.push_back(std::make_unique<Node>(database_, clock_,
                                                NodeSetting{.number = number,
                                                            .shards = shards,
                                                            .seed = random_.next(),
                                                            .skew = skew,
                                                            .round_limit = round_limit,
                                                            .lease = lease_,
                                                            .has_programs = has_programs,
                                                            .pump = pump_}));
    }

    // The definitions exist before the clients start.
    void define() {
        database_.define("work", "outside");
        database_.define(std::string(Relay::key), "flow");
        testing::register_tally();
        database_.define("tally", "tally",
                         testing::to_text({.tick = "name-0", .stop = "name-1", .last = 6}));
        database_.define("race", "bpmn", std::string(race_model));
    }

    void disturb() {
        std::size_t idle = 0;
        while (clients_->acted() < options_.operations && idle < 100'000 &&
               !database_.is_violated()) {
            if (clients_->open_calls() < 24 && random_.chance(35)) clients_->act();
            if (random_.chance(2)) clock_.advance(milliseconds(random_.below(400)));
            bring_back(3);
            idle = scheduler_.step(clock_.now() + seconds(5)) ? 0 : idle + 1;
        }
    }

    // Restarts dead nodes, in `percent` of the cases, or when none is left.
    void bring_back(double percent) {
        const bool none =
            std::ranges::none_of(nodes_, [](const auto& node) { return node->is_up(); });
        for (auto& node : nodes_)
            if (!node->is_up() && (none || random_.chance(percent))) {
                node->start();
                ++report_.counters["a node came back"];
            }
    }

    void heal() {
        injected_ = faults_.injected;
        faults_.enabled = 0;
        for (auto& node : nodes_)
            if (!node->is_up()) node->start();
        // A paused node keeps its locks for a while.
        for (int pass = 0; pass < 6; ++pass) settle();
    }

    // Runs until nothing can run; all nodes look for what is due, as their heartbeats would.
    void settle() {
        run_now();
        clock_.advance(seconds(1));
        run_now();
    }

    // Ends at the first violation: some defects would keep it busy for minutes. Restarts nodes all
    // the time, because some programs crash them.
    void run_now() {
        for (auto& node : nodes_) node->look_now();
        for (int i = 0; i < 200'000; ++i) {
            for (auto& node : nodes_)
                if (!node->is_up()) node->start();
            if (database_.is_violated() || !scheduler_.step(clock_.now())) break;
        }
    }

    void finish_everything() {
        due_timers_fired();
        for (int pass = 0; pass < 60; ++pass) {
            bool open = false;
            std::vector<Instance> todo;
            for (const auto& [id, row] : database_.tables().instances)
                if (is_open(row.instance.status)) todo.push_back(row.instance);
            for (const Instance& instance : todo) {
                open = true;
                clients_->drive(instance);
            }
            if (!open) break;
            settle();
        }
        for (int pass = 0; pass < 20 && !database_.tables().queue.empty(); ++pass) settle();
        // A node that was paused when the last workflow ended still has to answer.
        for (int pass = 0; pass < 10 && clients_->open_calls() > 0; ++pass) settle();
        for (const auto& [id, row] : database_.tables().instances)
            if (is_open(row.instance.status))
                database_.violation("I35: never ended: " + to_string(id) + " " +
                                    describe(row.instance));
        if (clients_->open_calls() > 0)
            database_.violation("I35: never answered:" + clients_->open_operations());
        for (const auto& [id, row] : database_.tables().queue)
            database_.violation("I30: a signal stays in the queue for ever: " + to_string(id) +
                                " " + describe(row, database_.alive()));
        if (!database_.locks().empty()) database_.violation("a lock was left behind");
    }

    void due_timers_fired() {
        for (const auto& [id, row] : database_.tables().instances) {
            const auto until = summary_of(registered_waits(row.instance)).until;
            if (until && *until <= clock_.now() - seconds(1))
                database_.violation("I25: a due timer was forgotten: " + to_string(id));
        }
        for (const auto& node : nodes_)
            if (node->recovered().repaired > 0)
                database_.violation("001.15: recovery had to repair an instance");
    }

    void verdict() {
        report_.violations = database_.violations();
        std::ranges::move(judge(clients_->ledger(), database_.tables()),
                          std::back_inserter(report_.violations));
        report_.faults = faults_;
        report_.faults.injected = injected_;
        report_.simulated = clock_.now() - began_;
        report_.operations = clients_->acted();
        report_.commits = database_.commits;
        for (const auto& [what, times] : clients_->ledger().answers)
            report_.counters[what] += times;
        for (const auto& [id, fates] : database_.tables().fates)
            for (const FateRow& fate : fates)
                ++report_.counters["fate " + std::string(name_of(fate.fate))];
        report_.counters["fate dead"] += database_.tables().dead.size();
        for (const auto& [key, row] : database_.tables().history)
            if (row.type == HistoryType::step_recorded &&
                database_.tables().instances.at(key.first).instance.definition.key == "race")
                ++report_.counters["a race moved by " + moved_by(row)];
        for (const auto& [key, winner] : database_.tables().winners)
            ++report_.counters["won by " + std::string(name_of(winner.type))];
        for (const auto& [key, winner] : database_.tables().winners)
            if (winner.type == WinnerType::workflow &&
                database_.tables().instances.at(key.first).instance.run_by == RunBy::node)
                ++report_.counters["a program woke for another workflow"];
        for (const auto& [id, fates] : database_.tables().fates)
            for (const FateRow& fate : fates)
                if (is_engine_name(fate.name) && fate.fate == EventFate::delivered)
                    ++report_.counters["a task's end woke its workflow"];
        for (const auto& [key, row] : database_.tables().history)
            if (row.type == HistoryType::delivered &&
                row.payload.find("\"type\":\"retry\"") != std::string::npos)
                ++report_.counters["won by retry"];
    }

    const RunOptions options_;
    Random random_;
    VirtualClock clock_;
    Faults faults_;
    std::array<std::uint64_t, fault_count> injected_{};
    RunReport report_;
    Ledger ledger_;
    PumpSettings pump_;
    milliseconds lease_{0};
    std::vector<std::unique_ptr<Node>> nodes_;
    Scheduler scheduler_;
    Database database_;
    std::unique_ptr<Clients> clients_;
    const Moment began_;
};

// What a long run must have seen.
const std::vector<std::string> situations{"a node crashed",
                                          "a node came back",
                                          "suspend suspended",
                                          "suspend delivered",
                                          "suspend overtaken",
                                          "suspend ended",
                                          "sendEvent delivered",
                                          "sendEvent queued",
                                          "sendEvent fannedOut",
                                          "sendEvent terminated",
                                          "sendEvent error store-unavailable",
                                          "recordStep recorded",
                                          "recordStep alreadyRecorded",
                                          "recordStep overtaken",
                                          "finish finished",
                                          "finish overtaken",
                                          "fail failed",
                                          "cancel cancelled",
                                          "cancel ended",
                                          "pause paused",
                                          "resume resumed",
                                          "continueAs continued",
                                          "editState edited",
                                          "editState stale",
                                          "cancelTimers timersCancelled",
                                          "fate delivered",
                                          "fate discarded",
                                          "fate dead",
                                          "won by event",
                                          "won by timer",
                                          "won by workflow",
                                          "won by retry",
                                          "a program woke for another workflow",
                                          "a signal was taken over",
                                          "a round was one trip",
                                          "a resident was stale",
                                          "an old lease was refused",
                                          "a life ended",
                                          "a handler failed",
                                          "handleSignal handled",
                                          "handleSignal staleSignal",
                                          "handleSignal leaseLost",
                                          "handleSignal buried",
                                          "burySignal buried",
                                          "enqueueSignal enqueued",
                                          "enqueueSignal repeated",
                                          "redriveDeadLetter redriven",
                                          "removeDeadLetter letterRemoved",
                                          "startChild childStarted",
                                          "setState stateSet",
                                          "putOff putOff",
                                          "createTask taskCreated",
                                          "claimTask changed",
                                          "claimTask taskHeld",
                                          "releaseTask changed",
                                          "completeTask changed",
                                          "completeTask notHolder",
                                          "completeTask taskEnded",
                                          "failTask changed",
                                          "cancelTask changed",
                                          "a task's end woke its workflow",
                                          "endJob jobEnded",
                                          "endJob leaseLost",
                                          "a job came with its commit",
                                          "a race moved by event name-0",
                                          "a race moved by event name-1",
                                          "a race moved by event name-2",
                                          "a race moved by timer",
                                          "a race moved by job"};

}  // namespace

RunReport simulate(const RunOptions& options) { return Fleet(options).run(); }

const std::vector<std::string>& sometimes() { return situations; }

}  // namespace holdfast::sim
