// What a flow can ask for, as plain values, and who it asks: the seam between the templates of the
// public headers and the engine. Programs use Context.
#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "holdfast/errors.h"

namespace holdfast {

using Moment = std::chrono::sys_time<std::chrono::microseconds>;

// How often a step that throws is tried again. The pauses are durable: no thread sleeps.
struct RetryPolicy {
    int attempts = 3;
    std::chrono::microseconds pause = std::chrono::milliseconds(100);  // before the second attempt
    double factor = 2;
    std::chrono::microseconds longest = std::chrono::seconds(300);
    double jitter = 0.1;  // each pause differs by up to this share of itself
};

struct StepOptions {
    RetryPolicy retry;
    // The attempt is told to stop then, and counts as failed when it returns. None: for ever.
    std::chrono::microseconds timeout{0};
    // Errors that are not worth another try, beside NonRetryable: see never_retry.
    bool (*non_retryable)(const std::exception&) = nullptr;
};

// .non_retryable = never_retry<CardDeclined, std::invalid_argument>
template <class... Errors>
bool never_retry(const std::exception& error) {
    return ((dynamic_cast<const Errors*>(&error) != nullptr) || ...);
}

// What a step is told about itself, if its function takes it.
struct Attempt {
    // The same for every attempt of this step, different for every other: hand it to the outside
    // world so that a repeat has no second effect.
    std::string idempotency_key;
    int number = 1;
    std::stop_token stop;  // set when the step's time is over
};

// What becomes of an event that a flow sent.
enum class Sent { delivered, queued, ended, unknown, refused };

// What people are asked to do.
struct TaskRequest {
    std::string name;
    std::string queue = {};  // where it is routed to; empty: nowhere in particular
    std::optional<std::string> assignee = {};
    std::vector<std::string> candidates = {};
    std::vector<std::string> roles = {};
    Json payload = {};
    std::vector<std::string> outputs = {};  // members that its outputs must have
    std::optional<Moment> due = {};         // for people: nothing happens by itself
    std::uint32_t priority = 0;
};

namespace flow {

using CallId = std::uint64_t;
using StepFunction = std::move_only_function<Json(const Attempt&)>;

struct Undo {
    std::string name;
    StepFunction function;
    StepOptions options = {};
};
struct StepCall {
    std::string name;
    Json input;
    StepFunction function;
    StepOptions options = {};
    std::optional<Undo> undo = {};
};
struct EventCall {
    std::string name;
};
struct SleepCall {
    std::optional<std::chrono::microseconds> time;  // else:
    Moment until;
};
struct ChildCall {
    std::string flow;
    Json arguments;
    bool detached = false;  // true: nobody waits for it
};
struct WorkflowCall {
    std::string id;
};
struct SendCall {
    std::optional<std::string> target;
    std::string name;
    Json value;
};
struct SetStateCall {
    Json patch;
};
struct ReadStateCall {};
struct RollbackCall {
    Undo undo;
};
struct TaskCall {
    TaskRequest request;
};
struct ContinueCall {
    Json arguments;
};
// All of them, or the first of them.
struct GroupCall {
    enum class Rule { all, any } rule = Rule::all;
    std::vector<CallId> members;
};
using CallSpec =
    std::variant<StepCall, EventCall, SleepCall, ChildCall, WorkflowCall, SendCall, SetStateCall,
                 ReadStateCall, RollbackCall, TaskCall, ContinueCall, GroupCall>;

// Runs one flow. Used by one thread at a time.
class Host {
public:
    // Registers what may be awaited; nothing happens yet.
    virtual CallId add(CallSpec spec) = 0;
    virtual void set_undo(CallId step, Undo undo) = 0;
    // True: what it comes to is there already. Else the frame that awaits it parks.
    virtual bool begin(CallId call) = 0;
    virtual void park(std::coroutine_handle<> frame) noexcept = 0;
    // Resumes it after the one that runs now has parked.
    virtual void schedule(std::coroutine_handle<> frame) noexcept = 0;
    // What a call came to, once; throws what it threw.
    virtual Json take(CallId call) = 0;
    virtual const std::vector<CallId>& members(CallId group) const = 0;
    virtual std::size_t winner(CallId group) const = 0;
    // For messages: "flow 'checkout', step 'charge'".
    virtual std::string where(CallId call) const = 0;

    virtual const std::string& id() const = 0;
    virtual Moment now() const = 0;
    virtual std::uint64_t random() = 0;
    virtual void log(std::string_view text) = 0;
    virtual bool is_replaying() const = 0;

protected:
    ~Host() = default;
};

}  // namespace flow
}  // namespace holdfast
