// What one can do with workflows from outside of them: the common part of a node and of a world
// for tests. Workflows are named by their ids; a wrong one throws Misuse.
#pragma once

#include <chrono>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "holdfast/code.h"

namespace holdfast {

struct StartOptions {
    // A second start of the flow with the same key and arguments gives the first one's id.
    std::string key = {};
    std::string business_key = {};  // by which people find it
    Json state = {};                // its state document; null: empty
};

struct HistoryEntry {
    std::uint64_t version = 0;
    std::string type;  // "Started", "StepRecorded", "Delivered", ...
    Moment at;
    Json payload;
};

// Somebody who acts on tasks.
struct Actor {
    std::string user;
    std::vector<std::string> roles = {};
};

// A task that waits for people.
struct OpenTask {
    std::string id;
    std::string workflow;
    std::string name;
    std::string holder;  // who claimed it; empty: nobody
    Json payload;
};

// A workflow whose journal a program does not fit.
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

    // Registers a flow, before the first use: Flow<T> flow(Context&, arguments...).
    template <class F>
    void add(std::string name, F flow) {
        add_code(flow::code_of(std::move(name), std::move(flow)));
    }

    // Starts a flow with these arguments; the last one may be StartOptions. Gives its id.
    template <class... Arguments>
    std::string start(const std::string& flow, Arguments... arguments) {
        return start_split(flow, std::tuple<Arguments...>(std::move(arguments)...));
    }
    // Waits for its end. Throws WorkflowFailed if that was not a success.
    template <class T = void>
    T result(const std::string& id) {
        const Json value = wait_for_result(id);
        if constexpr (!std::is_void_v<T>)
            return flow::from_value<T>(value, [&] { return where(id) + ", its result"; });
    }
    // An event for one workflow.
    template <class T = std::monostate>
    Sent send(const std::string& id, const std::string& event, const T& value = {}) {
        return send_event(&id, event, flow::to_value(value));
    }
    // To the oldest wait for that name, whoever it is; queued if there is none.
    template <class T = std::monostate>
    Sent broadcast(const std::string& event, const T& value = {}) {
        return send_event(nullptr, event, flow::to_value(value));
    }
    // False: it has ended before.
    virtual bool cancel(const std::string& id, const std::string& reason = {}) = 0;
    // "running", "suspended", "succeeded", "failed" or "cancelled".
    virtual std::string status(const std::string& id) = 0;
    template <class T = Json>
    T state(const std::string& id) {
        return flow::from_value<T>(read_state(id), [&] { return where(id) + ", its state"; });
    }
    // All that happened to it, oldest first.
    virtual std::vector<HistoryEntry> history(const std::string& id) = 0;
    // The tasks that a workflow waits for.
    virtual std::vector<OpenTask> open_tasks(const std::string& id) = 0;
    // Claims the task, unless it is the actor's already, and ends it. Throws Misuse with the reason
    // if the actor may not, or if it has ended.
    virtual void complete_task(const std::string& task, const Actor& actor,
                               const Json& outputs) = 0;
    virtual void fail_task(const std::string& task, const Actor& actor, const Json& error) = 0;
    // Replays every open workflow against the flows as they are now, and changes nothing. A node
    // that is not open yet stays so.
    virtual std::vector<Divergence> check() = 0;

protected:
    virtual void add_code(flow::Code code) = 0;
    virtual std::string start_flow(const std::string& flow, const Json& arguments,
                                   const StartOptions& options) = 0;
    virtual Json wait_for_result(const std::string& id) = 0;
    virtual Sent send_event(const std::string* id, const std::string& event, const Json& value) = 0;
    virtual Json read_state(const std::string& id) = 0;
    virtual std::string flow_of(const std::string& id) = 0;

private:
    // For messages.
    std::string where(const std::string& id) {
        return "flow '" + flow_of(id) + "', workflow " + id;
    }

    template <class Tuple>
    std::string start_split(const std::string& flow, const Tuple& arguments) {
        constexpr std::size_t count = std::tuple_size_v<Tuple>;
        const auto list = [&]<std::size_t... is>(std::index_sequence<is...>) {
            return flow::to_array(std::get<is>(arguments)...);
        };
        if constexpr (count > 0) {
            using Last = std::tuple_element_t<count - 1, Tuple>;
            if constexpr (std::same_as<Last, StartOptions>)
                return start_flow(flow, list(std::make_index_sequence<count - 1>()),
                                  std::get<count - 1>(arguments));
            else
                return start_flow(flow, list(std::make_index_sequence<count>()), {});
        } else {
            return start_flow(flow, list(std::make_index_sequence<0>()), {});
        }
    }
};

}  // namespace holdfast
