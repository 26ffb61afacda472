// The stage on which one case of the suite is played: a store in memory, a clock that only the
// stage moves, and somebody who does what the scripts say.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "bpmn/process/process.h"
#include "suite/verdicts.h"
#include "support/manual_clock.h"
#include "support/world.h"

namespace holdfast::suite {

class BpmnStage {
public:
    explicit BpmnStage(Manner manner);

    // False: refused.
    bool deploy(const std::string& xml);
    // False: there is no such process.
    bool start(const std::string& process, const boost::json::value& variables);
    void pass(std::chrono::milliseconds time);

    // With what became of the instances.
    std::multiset<std::string> trace();
    bool any_open();
    std::string why_refused;

private:
    struct Answer {
        InstanceId instance;
        std::string event;
        boost::json::object value;
    };

    std::vector<Instance> instances();
    void settle();
    bool do_scripts();
    void perform(const Instance& instance, const Waiting& waiting);
    void answer(const Answer& answer);
    boost::json::object string_data(const Instance& instance, const ActivityInstanceId& activity);
    std::string script_of(const Instance& instance, const ActivityInstanceId& activity);
    // Whether something is due until then; it is done.
    bool do_next(Moment until);
    bool fire_due_timers();

    // Sends it, again and after a restart as the manner says.
    template <class Op>
    typename Op::Outcome run(Op op);

    Manner manner_;
    testing::ManualClock clock_;
    testing::World world_;
    std::map<std::string, bpmn::Process> processes_;
    std::vector<InstanceId> known_;
    std::set<TokenId> performed_;
    std::multimap<Moment, Answer> later_;
    std::map<std::string, std::pair<Moment, Moment>> intervals_;
    std::multiset<std::string> trace_;
    bool marker_ = false;
};

}  // namespace holdfast::suite
