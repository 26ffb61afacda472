// The stage on which a case of the step suite is played: processes on a store, a clock that only
// the stage moves, and queries over what is stored.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "bpmn/process/process.h"
#include "suite/verdicts.h"
#include "support/manual_clock.h"
#include "support/world.h"

namespace holdfast::suite {

namespace bj = boost::json;

// A step that did not do what the case expects, or that was refused.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class OperatonStage {
public:
    OperatonStage(std::string folder, Manner manner);

    void deploy(const std::vector<std::string>& files);
    bj::object start(const std::string& process, const bj::object& variables,
                     const std::string& business_key);
    bj::object start_by_message(const std::string& message);
    void complete_task(const std::string& task, const bj::object& variables);
    void claim_task(const std::string& task, const std::string& user);
    void correlate(const std::string& message, const std::string& business_key);
    void broadcast(const std::string& signal);
    // `to` is the id of an instance or of an activity.
    void deliver(const std::string& name, const std::string& to);
    void trigger(const std::string& to);
    void set_variable(const std::string& scope, const std::string& name, const bj::value& value);
    bj::value get_variable(const std::string& scope, const std::string& name);
    void fire_timer(const std::string& token);
    void set_clock(std::chrono::milliseconds since_zero);
    void run_due_timers();
    void delete_instance(const std::string& instance);
    void add_member(const std::string& user, const std::string& group);
    bool has_ended(const std::string& instance);

    // All rows of a kind.
    bj::array rows(const std::string& kind);
    // Whether the row has the value in that field; `candidate_user` and the like are conditions.
    bool matches(const bj::object& row, const std::string& field, const bj::value& value);

private:
    // Where a variable is looked up: an activity, or the instance itself.
    struct Place {
        InstanceId instance;
        std::optional<ActivityInstanceId> activity;
    };
    struct Known {
        std::string activity;  // the element
        bj::object content;    // role, memo, variables
    };

    template <class Op>
    typename Op::Outcome run(Op op);
    const bpmn::Process& process_of(const Instance& instance) const;
    std::vector<Instance> instances(bool open_only = true);
    std::map<ActivityInstanceId, Known> known_of(const Instance& instance) const;
    std::optional<HumanTask> find_task(const std::string& id);
    std::vector<HumanTask> open_tasks();
    Place place_of(const std::string& id);
    InstanceId starter_waiting_for(const std::string& message);
    void send(op::SendEvent event);
    void add_wait_rows(const Instance& instance, const Waiting& waiting, bj::array& rows);
    void add_subscriptions(const Instance& instance, bj::array& rows);
    void add_executions(const Instance& instance, bj::array& rows);
    void add_variables(const Instance& instance, bj::array& rows);

    std::string folder_;
    Manner manner_;
    testing::ManualClock clock_;
    Moment zero_;
    testing::World world_;
    std::map<DefinitionRef, bpmn::Process> processes_;
    std::map<std::string, std::set<std::string>> groups_;  // by user
};

}  // namespace holdfast::suite
