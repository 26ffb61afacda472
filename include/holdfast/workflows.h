// Operations on workflows from outside a flow: the common interface of Node and testing::World.
// Workflows are identified by id; an unknown id throws Misuse.
#pragma once

#include <chrono>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "holdfast/code.h"
#include "holdfast/schedules.h"

namespace holdfast {

struct StartOptions {
    // A second start of the flow with the same key and arguments returns the first workflow's id.
    std::string key = {};
    std::string business_key = {};  // for searches
    Json state = {};                // the initial state document; null: empty
    // What the start does if an open workflow of the flow has the same business key: "start" (if
    // empty), "reject", "existing" (it returns that one's id) or "cancel" (it cancels that one).
    std::string on_open = {};
    // The same if the newest one has ended: "start", "reject", or "afterFailure", which starts
    // unless that one succeeded. A start that is rejected throws Misuse.
    std::string on_closed = {};
    // 0 to 9: where the flow has limits, a higher one gets its turn earlier.
    std::uint32_t priority = 0;
};

struct HistoryEntry {
    std::uint64_t version = 0;
    std::string type;  // "Started", "StepRecorded", "Delivered", ...
    Moment at;
    Json payload;
};

// A user who acts on tasks.
struct Actor {
    std::string user;
    std::vector<std::string> roles = {};
};

// A human task that has not ended.
struct OpenTask {
    std::string id;
    std::string workflow;
    std::string name;
    std::string holder;  // the user who claimed it; empty: not claimed
    Json payload;
};

// A workflow whose journal does not match the program.
struct Divergence {
    std::string id;
    std::string flow;
    std::uint64_t index = 0;
    std::string expected;  // by the program
    std::string found;     // in the journal
};

class Workflows {
public:
    virtual ~Workflows() = default;

    // Registers a flow: Flow<T> flow(Context&, arguments...). Only before the first use.
    template <class F>
    void add(const std::string& name, F flow) {
        add_code(flow::code_of(name, std::move(flow)));
    }

    // Starts a flow with these arguments; the last one may be StartOptions. Returns its id.
    template <class... Arguments>
    std::string start(const std::string& flow, Arguments... arguments) {
        return split<std::string>(
            [&](const Json& list, const StartOptions& options) {
                return start_flow(flow, list, options);
            },
            std::tuple<Arguments...>(std::move(arguments)...));
    }
    // Waits until the workflow ends. Throws WorkflowFailed if it failed or was cancelled.
    template <class T = void>
    T result(const std::string& id) {
        const Json value = wait_for_result(id);
        if constexpr (!std::is_void_v<T>)
            return flow::from_value<T>(value, PartOf(*this, id, "result"));
    }
    // Sends an event to one workflow.
    template <class T = std::monostate>
    Sent send(const std::string& id, const std::string& event, const T& value = {}) {
        return send_event(&id, event, flow::to_value(value));
    }
    // Delivers to the oldest wait for that name, in any workflow; queued if there is none.
    template <class T = std::monostate>
    Sent broadcast(const std::string& event, const T& value = {}) {
        return send_event(nullptr, event, flow::to_value(value));
    }
    // Sends an event later, also if this process has ended by then. Returns the event's id. Throws
    // Misuse if the workflow has ended or does not exist.
    template <class T = std::monostate>
    std::string send_later(const std::string& id, When when, const std::string& event,
                           const T& value = {}) {
        return schedule_event(&id, when, event, flow::to_value(value));
    }
    template <class T = std::monostate>
    std::string broadcast_later(When when, const std::string& event, const T& value = {}) {
        return schedule_event(nullptr, when, event, flow::to_value(value));
    }
    // What starts workflows and sends events by time.
    virtual Schedules& schedules() = 0;
    // Cancels an event that was sent later. False: it was due before, or there is none.
    virtual bool cancel_event(const std::string& event) = 0;
    // Removes the timers from what the workflow waits for; it goes on waiting for the rest. Returns
    // how many there were.
    virtual std::size_t cancel_timers(const std::string& id) = 0;
    // False: the workflow had already ended.
    virtual bool cancel(const std::string& id, const std::string& reason = {}) = 0;
    // "running", "suspended", "succeeded", "failed" or "cancelled".
    virtual std::string status(const std::string& id) = 0;
    template <class T = Json>
    T state(const std::string& id) {
        return flow::from_value<T>(read_state(id), PartOf(*this, id, "state"));
    }
    // All changes of the workflow, oldest first.
    virtual std::vector<HistoryEntry> history(const std::string& id) = 0;
    // The open tasks of a workflow.
    virtual std::vector<OpenTask> open_tasks(const std::string& id) = 0;
    // Claims the task, unless the actor holds it already, and completes it. Throws Misuse with the
    // reason if the actor may not, or if the task has ended.
    virtual void complete_task(const std::string& task, const Actor& actor,
                               const Json& outputs) = 0;
    virtual void fail_task(const std::string& task, const Actor& actor, const Json& error) = 0;
    // Replays every open workflow with the registered flows, without changing anything. Does not
    // open a node.
    virtual std::vector<Divergence> check() = 0;

protected:
    // Calls `start` with the arguments as an array, and with the StartOptions if they come last.
    template <class Result, class Start, class Tuple>
    static Result split(const Start& start, const Tuple& arguments) {
        constexpr std::size_t count = std::tuple_size_v<Tuple>;
        const auto list = [&]<std::size_t... is>(std::index_sequence<is...>) {
            return flow::to_array(std::get<is>(arguments)...);
        };
        if constexpr (count > 0) {
            using Last = std::tuple_element_t<count - 1, Tuple>;
            if constexpr (std::same_as<Last, StartOptions>)
                return start(list(std::make_index_sequence<count - 1>()),
                             std::get<count - 1>(arguments));
            else
                return start(list(std::make_index_sequence<count>()), StartOptions{});
        } else {
            return start(list(std::make_index_sequence<0>()), StartOptions{});
        }
    }

    virtual void add_code(flow::Code code) = 0;
    virtual std::string start_flow(const std::string& flow, const Json& arguments,
                                   const StartOptions& options) = 0;
    virtual Json wait_for_result(const std::string& id) = 0;
    virtual Sent send_event(const std::string* id, const std::string& event, const Json& value) = 0;
    virtual std::string schedule_event(const std::string* id, const When& when,
                                       const std::string& event, const Json& value) = 0;
    virtual Json read_state(const std::string& id) = 0;
    virtual std::string flow_of(const std::string& id) = 0;

private:
    struct PartOf final : flow::Place {
        PartOf(Workflows& all, const std::string& workflow, const char* its_part)
            : workflows(all), id(workflow), part(its_part) {}
        std::string text() const override;

        Workflows& workflows;
        const std::string& id;
        const char* part;
    };
};

}  // namespace holdfast
