// The calls that a flow can make, and the host that executes them: the interface between the
// templates of the public headers and the engine. Programs use Context.
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

// How a step that throws is retried. The pauses are durable timers: no thread sleeps.
struct RetryPolicy {
    int attempts = 3;
    std::chrono::microseconds pause = std::chrono::milliseconds(100);  // before the second attempt
    double factor = 2;
    std::chrono::microseconds longest = std::chrono::seconds(300);
    double jitter = 0.1;  // each pause varies by up to this fraction
};

struct StepOptions {
    RetryPolicy retry;
    // After it, Attempt::stop is requested, and the attempt counts as failed when it returns.
    // 0: no timeout.
    std::chrono::microseconds timeout{0};
    // Errors that are never retried, in addition to NonRetryable: see never_retry.
    bool (*non_retryable)(const std::exception&) = nullptr;
};

// .non_retryable = never_retry<CardDeclined, std::invalid_argument>
template <class... Errors>
bool never_retry(const std::exception& error) {
    return ((dynamic_cast<const Errors*>(&error) != nullptr) || ...);
}

// Passed to a step's function if it takes one.
struct Attempt {
    // The same for every attempt of this step, unique among steps: pass it to external systems so
    // that a retry has no second effect.
    std::string idempotency_key;
    int number = 1;
    std::stop_token stop;  // requested when the step times out
};

// The outcome of sending an event.
enum class Sent { delivered, queued, ended, unknown, refused };

// When an event is due: after a time, or at a moment.
using When = std::variant<std::chrono::microseconds, Moment>;

// A human task to create.
struct TaskRequest {
    std::string name;
    std::string queue = {};  // task queue; empty: none
    std::optional<std::string> assignee = {};
    std::vector<std::string> candidates = {};
    std::vector<std::string> roles = {};
    Json payload = {};
    std::vector<std::string> outputs = {};  // members that the outputs must have
    std::optional<Moment> due = {};         // informational: nothing happens when it passes
    std::uint32_t priority = 0;
};

namespace flow {

using CallId = std::uint64_t;
using StepFunction = std::move_only_function<Json(const Attempt&)>;

// Runs one flow. Used by one thread at a time.
class Host {
public:
    // Each registers a call; it starts when it is awaited.
    virtual CallId step(std::string name, Json input, StepFunction function,
                        const StepOptions& options) = 0;
    virtual CallId event(std::string name) = 0;
    virtual CallId sleep(std::chrono::microseconds time) = 0;
    virtual CallId sleep_until(Moment until) = 0;
    virtual CallId child(std::string flow, Json arguments) = 0;
    // A child that the flow does not wait for.
    virtual CallId spawn(std::string flow, Json arguments) = 0;
    virtual CallId workflow(std::string id) = 0;
    virtual CallId send(std::string workflow, std::string event, Json value) = 0;
    virtual CallId broadcast(std::string event, Json value) = 0;
    virtual CallId set_state(Json patch) = 0;
    virtual CallId read_state() = 0;
    virtual CallId on_rollback(std::string name, StepFunction undo, const StepOptions& options) = 0;
    virtual CallId task(TaskRequest request) = 0;
    virtual CallId continue_as(Json arguments) = 0;
    virtual CallId all(std::vector<CallId> members) = 0;
    virtual CallId any(std::vector<CallId> members) = 0;

    virtual void set_undo(CallId step, StepFunction undo) = 0;
    // True: the result is available. Otherwise the awaiting frame parks.
    virtual bool begin(CallId call) = 0;
    virtual void park(std::coroutine_handle<> frame) noexcept = 0;
    // Resumes `frame` after the running frame has parked.
    virtual void schedule(std::coroutine_handle<> frame) noexcept = 0;
    // The result of a call, once; rethrows its exception.
    virtual Json take(CallId call) = 0;
    virtual const std::vector<CallId>& members(CallId group) const = 0;
    virtual std::size_t winner(CallId group) const = 0;
    // For error messages: "flow 'checkout', step 'charge'".
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
