// The awaitables that a Context returns. Small and trivial: the host keeps their state.
#pragma once

#include <tuple>
#include <variant>

#include "holdfast/calls.h"
#include "holdfast/functions.h"

namespace holdfast::flow {

// Decides what else a flow may do with it: a step may have an undo, a wait may be raced.
enum class Kind { step, wait, other };

struct CallPlace final : Place {
    CallPlace(const Host& its_host, CallId its_call) : host(its_host), call(its_call) {}
    std::string text() const override;

    const Host& host;
    CallId call;
};

// The result of a call, converted to its type.
template <class T>
Held<T> take_as(Host& host, CallId call) {
    return from_value<T>(host.take(call), CallPlace(host, call));
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

    // Registers an undo that runs if the flow fails or is cancelled later: committed together with
    // the step, and retried like it. Capture by value: the flow's locals no longer exist then.
    template <class Function>
        requires(kind == Kind::step)
    Pending undo(Function&& function) const {
        static_assert(named_function<Function>, HOLDFAST_NAME_IT_FIRST);
        host->set_undo(call,
                       undo_function<std::decay_t<Function>>(std::forward<Function>(function)));
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

// continue_as never returns; this converts to the result type of any flow.
struct Never {
    template <class T>
    operator T() const {
        throw Misuse("a flow continued after continue_as: co_return its result");
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

// All results, as a tuple.
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

// All results of a list, in order.
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

// The first result, as a variant; its index says which call it was.
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

// The first result of a list.
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
