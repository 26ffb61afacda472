// BPMN models played through by hand: a store, a clock that moves only when it is told to, and no
// threads. For `holdfast run` and for the scenarios of the tests.
#pragma once

#include <prometheus/registry.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/ids/id_source.h"
#include "round/coordinator.h"
#include "store/store.h"

namespace holdfast {

class SetClock final : public Clock {
public:
    Moment now() const override { return now_; }
    void set(Moment now) { now_ = now; }

private:
    // A date that is easy to read in a trace.
    Moment now_ = std::chrono::sys_days(std::chrono::year(2030) / 1 / 1);
};

class Rehearsal {
public:
    enum class Awaits { task, job, event, timer, called, retry };
    // One thing that a process waits for.
    struct Open {
        Awaits what = Awaits::event;
        std::string element;
        std::string name;  // of an event, or the type of a job
        std::string key;   // by which a message correlates; empty: none
        std::optional<Moment> due{};
        InstanceId instance;
        ActivityInstanceId activity{};
        std::optional<TaskId> task{};
    };

    explicit Rehearsal(std::string url = "memory:");
    ~Rehearsal();

    // The keys of what can be started; the error has every problem.
    Result<std::vector<std::string>> deploy(const std::string& xml);
    Result<InstanceId> start(const std::string& key, const boost::json::value& variables);
    // In the order in which they began.
    std::vector<Open> open();

    Result<void> complete_task(const std::string& element, const boost::json::object& outputs);
    // {"variables": {...}}, {"error": code} or {"failed": message}
    Result<void> end_job(const std::string& element, const boost::json::object& result);
    Result<void> send(const std::string& name, const std::string& key,
                      const boost::json::value& value, FanOut fan_out);
    Result<void> retry(const std::string& element);
    // A merge patch of the variables of the process that was started last.
    Result<void> patch(const boost::json::object& variables);
    void advance(std::chrono::microseconds time);
    // To the next timer. False: there is none.
    bool advance_to_next();

    Moment now() const { return clock_.now(); }
    Instance read(const InstanceId& id);
    // That was started last.
    std::optional<InstanceId> last() const { return last_; }
    // Oldest first, without what only waits for starts.
    std::vector<Instance> instances();
    // What happened since the last call, a line each.
    std::vector<std::string> trace();
    // Closes and opens the store, like a restarted process. Memory forgets nothing.
    void reopen();

private:
    void open_store_again();
    void close();
    template <class Op>
    Result<typename Op::Outcome> run(Op op);
    void add_open(const Instance& instance, const Waiting& waiting, std::vector<Open>& all);
    Result<Open> find(Awaits what, const std::string& element);
    // Fires what is due by now.
    void settle();
    Result<std::optional<SignalRow>> claim(const Open& job);

    std::string url_;
    SetClock clock_;
    IdSource ids_{clock_, 1};
    prometheus::Registry registry_;
    CoordinatorMetrics metrics_{registry_};
    std::unique_ptr<Store> store_;
    std::unique_ptr<Coordinator> coordinator_;
    std::optional<NodeId> node_;
    std::map<SignalId, SignalRow> claimed_;
    std::map<InstanceId, Version> shown_;
    std::optional<InstanceId> last_;
};

std::string_view name_of(Rehearsal::Awaits what);

}  // namespace holdfast
