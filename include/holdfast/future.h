// A value that arrives later. Use one of: get() blocks, then() calls back, co_await suspends a
// coroutine of yours (not a flow).
#pragma once

#include <coroutine>
#include <functional>
#include <memory>
#include <string>

#include "holdfast/calls.h"
#include "holdfast/values.h"

namespace holdfast {

namespace flow {

// What a future and its giver share. Safe from any thread.
class FutureValue;

std::shared_ptr<FutureValue> make_future_value();
bool has_arrived(const FutureValue& arrival);
// Calls `arrived` once: when the value is there, on the giver's thread, or at once.
void when_arrived(FutureValue& arrival, std::function<void()> arrived);
// Blocks until it is there. Throws the failure.
Json take_arrived(FutureValue& arrival);

std::string text_of(const Json& text);
Sent sent_of(const Json& sent);

struct ResultPlace final : Place {
    explicit ResultPlace(const std::string& workflow) : id(workflow) {}
    std::string text() const override;

    const std::string& id;
};

}  // namespace flow

template <class T>
class Future {
public:
    using Convert = T (*)(const Json& value, const std::string& id);

    Future(std::shared_ptr<flow::FutureValue> arrival, std::string id, Convert convert)
        : arrival_(std::move(arrival)), id_(std::move(id)), convert_(convert) {}

    bool is_ready() const { return flow::has_arrived(*arrival_); }
    // Blocks until the value arrives, and throws if a failure did. Once.
    T get() { return convert_(flow::take_arrived(*arrival_), id_); }
    // Calls `done` with this future, which is ready then: at once, or on a thread of the node that
    // must not be blocked. Once; an exception of `done` ends the process.
    void then(std::function<void(Future)> done) {
        flow::when_arrived(*arrival_, [copy = *this, done = std::move(done)] { done(copy); });
    }

    bool await_ready() const { return is_ready(); }
    // Resumes on a thread of the node.
    void await_suspend(std::coroutine_handle<> waiting) {
        flow::when_arrived(*arrival_, [waiting] { waiting.resume(); });
    }
    T await_resume() { return get(); }

private:
    std::shared_ptr<flow::FutureValue> arrival_;
    std::string id_;
    Convert convert_;
};

}  // namespace holdfast
