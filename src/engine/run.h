// One reaction of a process: what is alive, what moves, and the reaction as far as it is known.
#pragma once

#include <boost/json.hpp>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bpmn/process/process.h"
#include "engine/settings.h"
#include "feel/evaluate.h"
#include "program/reaction.h"
#include "program/stimulus.h"

namespace holdfast::engine {

namespace bj = boost::json;

// The activity instance around another one; absent: the process instance.
using Around = std::optional<ActivityInstanceId>;

// An activity instance, or a token that waits.
struct Live {
    enum class Role {
        work,      // an activity or an event that waits
        arrived,   // a token at a join
        listener,  // a boundary event or the start of an event sub-process: keeps no scope open
        loop,      // around the instances of a loop
        stuck,     // cannot go on until somebody repairs it: see `stick`
        done,      // completed, kept because it may be compensated
        resting,   // a token on its way that goes on in the next round
    };

    ActivityInstanceId id;
    bpmn::FlowNodeId node;
    Around parent;
    Role role = Role::work;
    bj::object memo;                      // what its family remembers
    std::optional<bj::object> variables;  // absent: no scope of its own
};

// A token on its way into a node.
struct Move {
    bpmn::FlowNodeId node;
    Around parent;
    std::optional<bpmn::FlowId> via;
};

// What one reaction may do; the rest goes on in the next round.
inline constexpr std::size_t moves_in_round = 10'000;
inline constexpr std::uint64_t steps_in_round = 5'000'000;  // of expressions
// What nobody needs: an incident.
inline constexpr std::uint64_t most_moves = 1'000'000;   // without a wait
inline constexpr std::uint64_t most_steps = 20'000'000;  // of the expressions of one reaction
inline constexpr std::size_t most_tokens = 20'000;       // of one instance
inline constexpr std::size_t most_items = 10'000;        // of a multi-instance activity
inline constexpr std::uint32_t most_calls = 50;          // inside of each other
// The oldest completed activities are forgotten.
inline constexpr std::size_t most_completed = 10'000;

class Run {
public:
    Run(const bpmn::Process& process, const Settings& settings, const Instance& instance,
        Moment now);

    const bpmn::Process& process() const { return process_; }
    const Settings& settings() const { return settings_; }
    const Instance& instance() const { return instance_; }
    Moment now() const { return now_; }
    const bpmn::FlowNode& node_of(const Live& live) const { return process_[live.node]; }
    Uuid new_id();
    bool is_spent() const { return moves_made_ >= moves_in_round || steps_ >= steps_in_round; }
    bool has_too_many_tokens() const { return lives_.size() + moves_.size() > most_tokens; }
    // How many call activities are around the process.
    std::uint32_t depth() const { return depth_; }
    void set_depth(std::uint32_t depth) { depth_ = depth; }

    // What is alive, oldest first. References stay valid until the activity is dropped.
    std::list<Live>& lives() { return lives_; }
    Live& add(bpmn::FlowNodeId node, Around parent, Live::Role role = Live::Role::work);
    Live* find(const Around& id);
    // Directly inside, in order, without those that are done.
    std::vector<ActivityInstanceId> inside(const Around& parent);
    std::vector<ActivityInstanceId> done_inside(const Around& parent);
    bool is_inside(Around inner, const Around& outer);
    // Ends it with everything inside and around it. Ids are values: they may be those of what ends.
    void drop(ActivityInstanceId id);
    // Ends everything in a scope that is not completed, moves included.
    void drop_inside(Around parent);
    // Ends the boundary events of an activity.
    void drop_listeners(ActivityInstanceId id);
    void note_completed(const Live& live);

    void move(bpmn::FlowNodeId node, Around parent, std::optional<bpmn::FlowId> via = {});
    bool has_moves() const { return !moves_.empty(); }
    bool has_moves_in(const Around& parent) const;
    Move next_move();
    // The token stays where it is until the event `retry_name(element)` arrives.
    Live& stick(const Move& move, std::string code, const std::string& detail);
    // Its work is done, but its way on is missing.
    void stick_leaving(bpmn::FlowNodeId node, const Around& parent, std::uint32_t times,
                       std::string code, const std::string& detail);
    // The activity stays as it is until that event arrives: see `retry`.
    void hold(Live& live, const char* what, std::string code, const std::string& detail);
    void release(Live& live);
    bool has_trouble() const;
    void raise(std::string code, const std::string& element, const std::string& detail);
    // The tokens that move go on in the next round; with a code, when somebody says so.
    void rest();
    void rest_until_retried(std::string code, const std::string& detail);
    // Unless they wait for a retry, any reaction takes them along.
    void go_on();

    void cancel_job(const Live& live);

    TokenId await(const Live& live, Wait wait);
    // For names that are made now.
    TokenId await_new(const Live& live, EventKey name);
    void end_wait(const TokenId& token);
    void end_waits(const ActivityInstanceId& owner);

    // Variables: read from the scope outwards; written to the nearest scope that has the variable,
    // else to the process instance.
    bj::object visible(const Around& from);
    bj::value read(const Around& from, std::string_view name);
    void write(const Around& from, const std::string& name, bj::value value);
    // `target` may be a path: order.total
    void assign(const Around& from, const std::string& target, bj::value value);
    void write_all(const Around& from, const bj::object& values);
    bj::object& root() { return root_; }

    // What `restore` takes back: the variables that are visible from there.
    struct Saved {
        bj::object root;
        std::vector<std::pair<ActivityInstanceId, bj::object>> scopes;
    };
    Saved save(const Around& from);
    void restore(Saved saved);

    // `also` hides variables of the same name. The error is that of an exceeded budget.
    Result<feel::Value> evaluate(const feel::Expression& expression, const Around& from,
                                 const bj::object& also = {});
    Result<bj::value> evaluate_json(const feel::Expression& expression, const Around& from,
                                    const bj::object& also = {});
    // The error also says that the value is not true or false.
    Result<bool> check(const feel::Expression& expression, const Around& from,
                       const bj::object& also = {});
    std::string text(const bpmn::TextOrExpression& text, const Around& from);

    Reaction& reaction() { return reaction_; }
    void end_process() { ended_ = true; }
    // An error that nobody here catches, for whoever called the process.
    void fail_process(const std::string& code, const std::string& message);
    bool ended() const { return ended_; }
    void note(const std::string& name, bj::value value);
    // `happened` says what the process reacted to.
    Reaction finish(const std::string& happened);
    // Nothing happened, but an activity may remember something else than before.
    Reaction keep_rows();
    bool waits_for_anything() const;

private:
    void load();
    void put_moves_to_rest();
    std::optional<SignalId> job_of(const Live& live) const;
    void load_row(const VariableScope& row);
    Children children() const;
    std::optional<std::string> current_step() const;

    const bpmn::Process& process_;
    const Settings& settings_;
    const Instance& instance_;
    Moment now_;
    std::list<Live> lives_;
    std::map<ActivityInstanceId, std::list<Live>::iterator> by_id_;
    std::vector<holdfast::Activity> completed_;
    std::deque<Move> moves_;
    bj::object root_;
    Reaction reaction_;
    std::set<TokenId> ended_waits_;
    std::size_t moves_made_ = 0;
    std::uint64_t moved_before_ = 0;  // in the rounds before, without a wait
    std::uint64_t steps_ = 0;         // of expressions
    std::uint32_t ids_made_ = 0;
    std::uint32_t depth_ = 0;
    bool ended_ = false;
    bool had_trouble_ = false;
    std::optional<bj::object> error_;  // it ended by an error
};

std::string retry_name(const std::string& element);
std::string work_name(const ActivityInstanceId& activity);
// The event by which a called process escalates to its caller.
std::string escalation_name(const InstanceId& called);

}  // namespace holdfast::engine
