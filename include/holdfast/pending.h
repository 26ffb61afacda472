// What a Context hands out to be awaited. Small and trivial: all of it lives with the host.
#pragma once

#include <tuple>
#include <variant>

#include "holdfast/calls.h"
#include "holdfast/functions.h"

namespace holdfast::flow {

// What a flow may do with it besides awaiting it: steps run, the others wait.
enum class Kind { step, wait, other };

// What a call came to, as its type.
template <class T>
Held<T> take_as(Host& host, CallId call) {
    const Json value = host.take(call);
    return from_value<T>(value, [&] { return host.where(call); });
}

struct Awaiter {
    Host* host;
    CallId call;

    bool await_ready() const { return host->begin(call); }
    void await_suspend(std::coroutine_handle<> frame) const noexcept { host->park(frame); }
};

template <class T, Kind kind>
struct [[nodiscard("nothing happens until it is awaited")]] Pending {
    using Value = T;
    static constexpr Kind its_kind = kind;

    Host* host;
    CallId call;

    // What takes the step back if the flow is cancelled or fails later: known to the engine in the
    // same commit as the step, and retried like it. Capture by value: the flow's locals are gone by
    // then.
    template <class Function>
        requires(kind == Kind::step)
    Pending undo(Function&& function) const {
        static_assert(named_function<Function>, HOLDFAST_NAME_IT_FIRST);
        host->set_undo(
            call,
            {.name = {},
             .function = undo_function<std::decay_t<Function>>(std::forward<Function>(function))});
        return *this;
    }

    struct ItsAwaiter : Awaiter {
        T await_resume() const {
            if constexpr (std::is_void_v<T>)
                take_as<T>(*host, call);
            else
                return take_as<T>(*host, call);
        }
    };
    ItsAwaiter awaiter() const noexcept { return {{host, call}}; }
};

// A run that is continued never comes back: converts to whatever the flow returns.
struct Never {
    template <class T>
    operator T() const {
        throw Misuse("a flow went on after continue_as");
    }
};
struct [[nodiscard("nothing happens until it is awaited")]] PendingContinue {
    Host* host;
    CallId call;

    struct ItsAwaiter : Awaiter {
        Never await_resume() const {
            host->take(call);
            return {};
        }
    };
    ItsAwaiter awaiter() const noexcept { return {{host, call}}; }
};

// Several at once: a tuple of what each came to.
template <class... Ts>
struct [[nodiscard("nothing happens until it is awaited")]] PendingAll {
    Host* host;
    CallId call;

    struct ItsAwaiter : Awaiter {
        std::tuple<Held<Ts>...> await_resume() const {
            return take(std::index_sequence_for<Ts...>());
        }
        template <std::size_t... is>
        std::tuple<Held<Ts>...> take(std::index_sequence<is...>) const {
            const std::vector<CallId> each = host->members(call);
            host->take(call);
            return {take_as<Ts>(*host, each[is])...};
        }
    };
    ItsAwaiter awaiter() const noexcept { return {{host, call}}; }
};

// As many as there are at run time: what each came to, in order.
template <class T>
struct [[nodiscard("nothing happens until it is awaited")]] PendingList {
    Host* host;
    CallId call;

    struct ItsAwaiter : Awaiter {
        std::vector<Held<T>> await_resume() const {
            const std::vector<CallId> each = host->members(call);
            host->take(call);
            std::vector<Held<T>> values;
            values.reserve(each.size());
            for (const CallId one : each) values.push_back(take_as<T>(*host, one));
            return values;
        }
    };
    ItsAwaiter awaiter() const noexcept { return {{host, call}}; }
};

// The first of several: its index tells which one it was.
template <class... Ts>
struct [[nodiscard("nothing happens until it is awaited")]] PendingAny {
    using Won = std::variant<Held<Ts>...>;

    Host* host;
    CallId call;

    struct ItsAwaiter : Awaiter {
        Won await_resume() const { return take(std::index_sequence_for<Ts...>()); }
        template <std::size_t... is>
        Won take(std::index_sequence<is...>) const {
            const std::vector<CallId> each = host->members(call);
            const std::size_t winner = host->winner(call);
            host->take(call);
            std::optional<Won> won;
            ((is == winner
                  ? (void)won.emplace(std::in_place_index<is>, take_as<Ts>(*host, each[is]))
                  : (void)0),
             ...);
            return *std::move(won);
        }
    };
    ItsAwaiter awaiter() const noexcept { return {{host, call}}; }
};

// The first of as many as there are at run time.
template <class T>
struct First {
    std::size_t index = 0;
    Held<T> value;
};
template <class T>
struct [[nodiscard("nothing happens until it is awaited")]] PendingFirst {
    Host* host;
    CallId call;

    struct ItsAwaiter : Awaiter {
        First<T> await_resume() const {
            const std::size_t winner = host->winner(call);
            const CallId won = host->members(call)[winner];
            host->take(call);
            return {winner, take_as<T>(*host, won)};
        }
    };
    ItsAwaiter awaiter() const noexcept { return {{host, call}}; }
};

template <class T>
concept Durable = requires(const std::remove_cvref_t<T>& awaited) {
    { awaited.host } -> std::convertible_to<Host*>;
    awaited.awaiter();
};

}  // namespace holdfast::flow
