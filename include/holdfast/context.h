// Context: the API of a flow for everything durable. Every call is awaited and takes one or more
// entries of the journal:
//
//     Flow<Receipt> checkout(Context& ctx, Order order) {
//         auto paid = co_await ctx.any(ctx.event<Payment>("payment"), ctx.sleep(15min));
//         if (paid.index() == 1) co_return Receipt{.status = "expired"};
//         co_return co_await ctx.step("ship", [&] { return ship(order); });
//     }
//
// g++ 12 miscompiles some temporaries inside a co_await: lambdas that capture strings and the like
// by value, and braced structs. Name them first; a static_assert reports the cases it can detect.
#pragma once

#include <string_view>
#include <utility>

#include "holdfast/flow.h"
#include "holdfast/functions.h"

namespace holdfast {

// The JSON of Sent in the journal.
void tag_invoke(boost::json::value_from_tag, Json& value, Sent sent);
Sent tag_invoke(boost::json::value_to_tag<Sent>, const Json& value);

class Context {
public:
    template <class T>
    using Step = flow::Pending<T, flow::Kind::step>;
    template <class T>
    using Wait = flow::Pending<T, flow::Kind::wait>;
    template <class T>
    using Other = flow::Pending<T, flow::Kind::other>;

    explicit Context(flow::Host& host) : host_(&host) {}
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    // Runs ordinary code on a worker thread and records its result or exception once. The inputs
    // are passed to the function, after the Attempt if it takes one; a replay compares them.
    template <class Function, class... Inputs>
    auto step(std::string name, Function&& function, StepOptions options = {}, Inputs&&... inputs) {
        static_assert(flow::named_function<Function> && (flow::named_value<Inputs> && ...),
                      HOLDFAST_NAME_IT_FIRST);
        using T = flow::StepValue<std::decay_t<Function>, std::decay_t<Inputs>...>;
        static_assert(!flow::IsFlow<T>,
                      "a step is ordinary code: await the Flow itself, or start it with ctx.child");
        Json input;
        if constexpr (sizeof...(Inputs) > 0) input = flow::to_array(inputs...);
        flow::StepFunction run =
            flow::step_function<T, std::decay_t<Function>, std::decay_t<Inputs>...>(
                std::forward<Function>(function), std::forward<Inputs>(inputs)...);
        return Step<T>{host_,
                       host_->step(std::move(name), std::move(input), std::move(run), options)};
    }

    // Waits for the next event of that name, sent to this workflow or broadcast.
    template <class T = void>
    Wait<T> event(std::string name) {
        return {host_, host_->event(std::move(name))};
    }
    Wait<void> sleep(std::chrono::microseconds time) { return {host_, host_->sleep(time)}; }
    Wait<void> sleep_until(Moment until) { return {host_, host_->sleep_until(until)}; }

    // Starts a child flow and waits for its result. It is cancelled with this one.
    template <class T = void, class... Arguments>
    Wait<T> child(std::string flow, Arguments&&... arguments) {
        static_assert((flow::named_value<Arguments> && ...), HOLDFAST_NAME_IT_FIRST);
        return {host_, host_->child(std::move(flow), flow::to_array(arguments...))};
    }
    // Starts a detached flow and returns its id.
    template <class... Arguments>
    Other<std::string> spawn(std::string flow, Arguments&&... arguments) {
        static_assert((flow::named_value<Arguments> && ...), HOLDFAST_NAME_IT_FIRST);
        return {host_, host_->spawn(std::move(flow), flow::to_array(arguments...))};
    }
    // Waits for the result of any workflow, also one that has already ended.
    template <class T = void>
    Wait<T> wait_for(std::string id) {
        return {host_, host_->workflow(std::move(id))};
    }
    // Creates a human task and waits for its outputs.
    template <class T = Json, class Request>
        requires std::same_as<std::remove_cvref_t<Request>, TaskRequest>
    Wait<T> human_task(Request&& request) {
        static_assert(flow::named_value<Request>, HOLDFAST_NAME_IT_FIRST);
        return {host_, host_->task(std::forward<Request>(request))};
    }

    // Waits for the first, as a variant whose index says which. The others are not affected: an
    // event stays queued, a child keeps running and may be awaited again.
    template <class... Ts, flow::Kind... kinds>
    flow::PendingAny<Ts...> any(flow::Pending<Ts, kinds>... calls) {
        static_assert(((kinds == flow::Kind::wait) && ...),
                      "ctx.any races waits: events, sleeps, children, workflows, tasks. A step "
                      "cannot be cancelled: make it a child workflow to race it");
        return {host_, host_->any({calls.call...})};
    }
    template <class T>
    flow::PendingFirst<T> any(const std::vector<Wait<T>>& calls) {
        return {host_, host_->any(ids(calls))};
    }
    // Waits for all; steps and children run concurrently. If some fail, the others still finish
    // and are recorded; the first failure in argument order is thrown.
    template <class... Ts, flow::Kind... kinds>
    flow::PendingAll<Ts...> all(flow::Pending<Ts, kinds>... calls) {
        return {host_, host_->all({calls.call...})};
    }
    template <class T, flow::Kind kind>
    flow::PendingList<T> all(const std::vector<flow::Pending<T, kind>>& calls) {
        return {host_, host_->all(ids(calls))};
    }

    template <class T = std::monostate>
    Other<Sent> send(std::string workflow, std::string event, T&& value = {}) {
        static_assert(flow::named_value<T>, HOLDFAST_NAME_IT_FIRST);
        return {host_, host_->send(std::move(workflow), std::move(event),
                                   flow::to_value(std::forward<T>(value)))};
    }
    // Delivers to the oldest wait for that name, in any workflow; queued if there is none.
    template <class T = std::monostate>
    Other<Sent> broadcast(std::string event, T&& value = {}) {
        static_assert(flow::named_value<T>, HOLDFAST_NAME_IT_FIRST);
        return {host_, host_->broadcast(std::move(event), flow::to_value(std::forward<T>(value)))};
    }

    // Merges into the workflow's state document (RFC 7396), which users read and search.
    template <class T>
    Other<void> set_state(T&& patch) {
        static_assert(flow::named_value<T>, HOLDFAST_NAME_IT_FIRST);
        return {host_, host_->set_state(flow::to_value(patch))};
    }
    // The current state document, with the edits of users.
    template <class T = Json>
    Other<T> state() {
        return {host_, host_->read_state()};
    }

    // Registers an undo that runs if the flow fails or is cancelled later. Undos run in reverse
    // order, each as a step. Capture by value: the flow's locals no longer exist then.
    template <class Function>
    Other<void> on_rollback(std::string name, Function&& function, StepOptions options = {}) {
        static_assert(flow::named_function<Function>, HOLDFAST_NAME_IT_FIRST);
        flow::StepFunction undo =
            flow::undo_function<std::decay_t<Function>>(std::forward<Function>(function));
        return {host_, host_->on_rollback(std::move(name), std::move(undo), options)};
    }

    // Starts a new run with these arguments and an empty journal; queued events stay queued.
    template <class... Arguments>
    flow::PendingContinue continue_as(Arguments&&... arguments) {
        static_assert((flow::named_value<Arguments> && ...), HOLDFAST_NAME_IT_FIRST);
        return {host_, host_->continue_as(flow::to_array(arguments...))};
    }

    const std::string& id() const { return host_->id(); }
    // The time of the latest journal entry: the same on replay, constant until the next await.
    Moment now() const { return host_->now(); }
    // The same numbers on replay.
    std::uint64_t random() { return host_->random(); }
    // Not repeated on replay.
    void log(std::string_view text) { host_->log(text); }
    bool is_replaying() const { return host_->is_replaying(); }

private:
    template <class List>
    static std::vector<flow::CallId> ids(const List& calls) {
        std::vector<flow::CallId> each;
        each.reserve(calls.size());
        for (const auto& one : calls) each.push_back(one.call);
        return each;
    }

    flow::Host* host_;
};

}  // namespace holdfast
