// Flow<T>: a durable coroutine. The results of its awaits are recorded in a journal; after a crash
// it is replayed from the start, and every recorded await returns its recorded result.
//
// A flow must be deterministic between its awaits: no clock, no randomness, no I/O outside steps.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "holdfast/pending.h"

namespace holdfast {

template <class T = void>
class Flow;

namespace flow {

template <class T>
inline constexpr bool is_flow = false;
template <class T>
inline constexpr bool is_flow<Flow<T>> = true;
template <class T>
concept IsFlow = is_flow<std::remove_cvref_t<T>>;

// The common part of every flow's promise.
struct Frame {
    Host* host = nullptr;
    std::coroutine_handle<> awaited_by;  // null: the outermost flow
    std::exception_ptr error;

    struct Leave {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
            const Frame& frame = self.promise();
            if (frame.awaited_by) frame.host->schedule(frame.awaited_by);
        }
        void await_resume() const noexcept {}
    };

    std::suspend_always initial_suspend() const noexcept { return {}; }
    Leave final_suspend() const noexcept { return {}; }
    void unhandled_exception() noexcept { error = std::current_exception(); }

    template <Durable Awaited>
    auto await_transform(Awaited awaited) const noexcept {
        return awaited.awaiter();
    }
    template <class Inner>
        requires IsFlow<Inner>
    auto await_transform(Inner&& inner) const noexcept {
        return typename std::remove_cvref_t<Inner>::Awaiter{inner.frame()};
    }
    template <class Other>
        requires(!Durable<Other> && !IsFlow<Other>)
    std::suspend_never await_transform(Other&&) const noexcept {
        static_assert(Durable<Other>,
                      "a flow awaits only what is durable: ctx.step, ctx.event, ctx.sleep, "
                      "ctx.child, ctx.any, ctx.all, ... or another Flow. Do other asynchronous "
                      "work inside a ctx.step(name, function)");
        return {};
    }
};

template <class T>
struct FrameOf : Frame {
    std::optional<T> value;

    Flow<T> get_return_object() noexcept;
    template <class U = T>
    void return_value(U&& result) {
        value.emplace(std::forward<U>(result));
    }
    T take() {
        if (error) std::rethrow_exception(error);
        return *std::move(value);
    }
};

template <>
struct FrameOf<void> : Frame {
    Flow<void> get_return_object() noexcept;
    void return_void() const noexcept {}
    void take() const {
        if (error) std::rethrow_exception(error);
    }
};

}  // namespace flow

template <class T>
class [[nodiscard("a Flow does nothing until it is awaited")]] Flow {
public:
    using Value = T;
    using promise_type = flow::FrameOf<T>;
    using Handle = std::coroutine_handle<promise_type>;

    Flow(Flow&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    Flow& operator=(Flow&& other) noexcept {
        std::swap(frame_, other.frame_);
        return *this;
    }
    ~Flow() {
        if (frame_) frame_.destroy();
    }

    // For the engine that runs it.
    Handle frame() const { return frame_; }

private:
    friend struct flow::Frame;
    friend promise_type;

    // Runs the inner flow on the outer one's host.
    struct Awaiter {
        Handle inner;

        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> outer) const noexcept {
            flow::Frame& frame = inner.promise();
            frame.host = outer.promise().host;
            frame.awaited_by = outer;
            frame.host->schedule(inner);
        }
        T await_resume() const { return inner.promise().take(); }
    };

    explicit Flow(Handle frame) noexcept : frame_(frame) {}

    Handle frame_;
};

namespace flow {

template <class T>
Flow<T> FrameOf<T>::get_return_object() noexcept {
    return Flow<T>(Flow<T>::Handle::from_promise(*this));
}
inline Flow<void> FrameOf<void>::get_return_object() noexcept {
    return Flow<void>(Flow<void>::Handle::from_promise(*this));
}

}  // namespace flow
}  // namespace holdfast
