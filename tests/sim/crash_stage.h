// One node over a simulated database that crashes at a chosen call, for the stories of
// crash_points.
#pragma once

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "sim/process_model.h"
#include "sim/relay.h"
#include "support/tally/tally.h"

namespace holdfast::sim {

namespace bj = boost::json;
using std::chrono::seconds;

inline Document value(std::uint64_t n) { return Document::of(bj::object{{"n", n}}); }

// Without the ids of workflows and tasks, which differ from run to run.
inline std::string shown(const std::string& name) {
    if (is_engine_name(name)) return "a task";
    return parse_uuid(name) ? "a workflow" : name;
}

// One node over one database, with a client that retries until it is answered.
class Stage {
public:
    explicit Stage(CrashPoint first = {}, CrashPoint second = {})
        : random_(7),
          scheduler_(random_, clock_),
          database_(scheduler_, random_, clock_, faults_, ledger_),
          second_(second),
          node_(database_, clock_,
                {.number = 0,
                 .seed = 11,
                 .lease = lease,
                 .pump = {.max_poison_retries = 4, .retry_pause = std::chrono::milliseconds(50)}}),
          ids_(clock_, 5) {
        database_.on_crash = [this](NodeNumber) { node_.crash(); };
        database_.define("work", "outside");
        database_.define(std::string(Relay::key), "flow");
        node_.start();
        database_.crash_at(first);
    }

    // Retries the request as its client would; returns the last answer.
    template <class Op>
    typename Op::Outcome submit(Op op) {
        for (int tries = 0; tries < 20; ++tries) {
            revive();
            if constexpr (!std::same_as<Op, op::Start>)
                op.cause.operation = ids_.next<OperationId>();
            std::optional<Result<typename Op::Outcome>> answer;
            node_.submit(op, [&answer](Result<typename Op::Outcome> outcome) {
                answer = std::move(outcome);
            });
            while (!answer && node_.is_up() && scheduler_.step(clock_.now() + seconds(1))) {
            }
            if (answer && *answer) return **std::move(answer);
        }
        throw std::runtime_error(std::string(Op::name) + " was never answered");
    }

    void pass(std::chrono::microseconds time) {
        const Moment end = clock_.now() + time;
        do {
            revive();
            while (node_.is_up() && scheduler_.step(end)) {
            }
        } while (!node_.is_up());
        clock_.advance_to(end);
        while (node_.is_up() && scheduler_.step(end)) {
        }
        if (!node_.is_up()) pass(seconds(1));
    }

    InstanceId start() { return start("work", {}); }
    // A program that does these steps in order.
    InstanceId start(std::initializer_list<std::string_view> plan) {
        bj::array steps;
        for (const std::string_view step : plan) steps.emplace_back(step);
        return start(std::string(Relay::key), Document::of(bj::object{{"plan", steps}}));
    }
    // Programs that move within the rounds. Defined by the stories that need them alone: to compile
    // a model takes longer than most stories.
    InstanceId start_tally() {
        testing::register_tally();
        database_.define("tally", "tally", testing::to_text({.last = 3, .task = "approve"}));
        return start("tally", {});
    }
    InstanceId start_process() {
        database_.define("process", "bpmn", std::string(process_model));
        return start("process", {});
    }
    InstanceId start_families() {
        for (const char* key : {"child", "families"})
            database_.define(key, "bpmn", std::string(families_model));
        return start("families", {});
    }
    // As a worker does. Null: no job waits.
    const SignalRow* claim_job() {
        for (auto& [id, row] : database_.tables().queue) {
            if (row.type != SignalType::job) continue;
            row.leased_by = database_.tables().nodes.rbegin()->first;
            ++row.epoch;
            ++row.attempts;
            return &row;
        }
        return nullptr;
    }
    InstanceId start(std::string definition, Document arguments) {
        op::Start start{.cause = {.operation = ids_.next<OperationId>()},
                        .definition = std::move(definition),
                        .arguments = std::move(arguments)};
        start.client_key = op::ClientKey{to_string(start.cause.operation), {}};
        submit(start);
        instances_.push_back(start.instance());
        return start.instance();
    }
    EventId new_event() { return ids_.next<EventId>(); }
    SignalId new_signal() { return ids_.next<SignalId>(); }
    // Long enough for two dead lives to expire and for their work to be done by the next.
    void settle() { pass(lease * 8); }
    const memory::Tables& tables() { return database_.tables(); }
    Moment now() const { return clock_.now(); }
    op::Run place(const InstanceId& id) {
        const Instance& instance = database_.tables().instances.at(id).instance;
        return {instance.run, instance.index};
    }
    std::uint64_t calls() const { return database_.calls(); }
    bool crashed() const { return node_.lives() > 1; }

    // The final state, without what differs from run to run: times, versions and tokens.
    std::string essence() {
        bj::array lines;
        const memory::Tables& tables = database_.tables();
        for (const InstanceId& id : instances_) {
            const Instance& instance = tables.instances.at(id).instance;
            bj::object line{{"status", name_of(instance.status)},
                            {"run", instance.run},
                            {"index", instance.index},
                            {"waits", instance.waits.size()},
                            {"incident", instance.incident},
                            {"state", instance.state.value()}};
            bj::array journal;
            for (const auto& [key, step] : tables.steps)
                if (key.first == id) journal.push_back({key.second, bj::value(shown(step.name))});
            line["journal"] = std::move(journal);
            lines.push_back(std::move(line));
        }
        bj::object events{{"pending", tables.pending.size()}, {"dead", tables.dead.size()}};
        events["instances"] = tables.instances.size();
        events["signals"] = tables.queue.size() + tables.schedule.size();
        events["processed"] = tables.processed.size();
        events["letters"] = tables.dead_letters.size();
        bj::array fates;
        for (const auto& [id, rows] : tables.fates)
            for (const FateRow& row : rows)
                fates.push_back({bj::value(shown(row.name)), name_of(row.fate)});
        std::ranges::sort(fates, {}, [](const bj::value& fate) { return bj::serialize(fate); });
        events["fates"] = std::move(fates);
        lines.push_back(std::move(events));
        for (const auto& [id, task] : tables.tasks) {
            bj::array told;
            for (const auto& [key, event] : tables.task_events)
                if (key.first == id) told.emplace_back(name_of(event.type));
            lines.push_back(bj::object{{"task", name_of(task.state)},
                                       {"holder", task.holder.value_or("")},
                                       {"outputs", task.outputs ? task.outputs->text() : ""},
                                       {"events", std::move(told)}});
        }
        return json::canonical(lines);
    }
    const std::vector<std::string>& violations() const { return database_.violations(); }

private:
    static constexpr std::chrono::microseconds lease = seconds(3);

    // Restarts the process, which may crash again while it recovers.
    void revive() {
        if (node_.is_up()) return;
        node_.start();
        if (second_.call == 0) return;
        database_.crash_at({database_.calls() + second_.call, second_.after});
        second_ = {};
    }

    Random random_;
    VirtualClock clock_;
    Faults faults_;
    Ledger ledger_;
    Scheduler scheduler_;
    Database database_;
    CrashPoint second_;
    Node node_;
    IdSource ids_;
    std::vector<InstanceId> instances_;
};

}  // namespace holdfast::sim
