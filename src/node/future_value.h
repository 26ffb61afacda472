// A value on its way from a thread of the node to user code.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

#include "holdfast/future.h"

namespace holdfast::flow {

class FutureValue {
public:
    // One of them, once.
    void give(Json value);
    void fail(std::exception_ptr failure);

    bool has_arrived() const;
    void when_arrived(std::function<void()> arrived);
    Json take();

private:
    void arrive(std::unique_lock<std::mutex> lock);

    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    bool is_here_ = false;
    Json value_;
    std::exception_ptr failure_;
    std::function<void()> call_;
};

// Gives what `value` returns, or the exception that it throws.
template <class Value>
void pass_on(FutureValue& arrival, const Value& value) {
    Json given;
    try {
        given = value();
    } catch (...) {
        return arrival.fail(std::current_exception());
    }
    arrival.give(std::move(given));
}

}  // namespace holdfast::flow
