// Converts user functions to steps: their parameters and results, and which arguments are safe
// inside a co_await.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "holdfast/calls.h"
#include "holdfast/values.h"

// g++ 12 copies aggregates and lambdas bitwise when they are temporaries of a co_await.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#define HOLDFAST_BAD_TEMPORARIES 1
#else
#define HOLDFAST_BAD_TEMPORARIES 0
#endif
#define HOLDFAST_NAME_IT_FIRST                                                                \
    "g++ 12 miscompiles this temporary inside a co_await: give it a name first, for example " \
    "`auto ship = [order] { ... }; co_await ctx.step(\"ship\", ship);`, or capture by reference"

namespace holdfast::flow {

template <class T>
inline constexpr bool is_plain = !HOLDFAST_BAD_TEMPORARIES || std::is_lvalue_reference_v<T> ||
                                 std::is_trivially_copyable_v<std::remove_cvref_t<T>>;
// Whether the compiler handles the argument correctly inside a co_await.
template <class T>
inline constexpr bool named_function = is_plain<T> || !std::is_class_v<std::remove_cvref_t<T>>;
template <class T>
inline constexpr bool named_value = is_plain<T> || !std::is_aggregate_v<std::remove_cvref_t<T>>;

template <class F, class... Inputs>
auto step_result() {
    if constexpr (std::invocable<F&, const Attempt&, Inputs&...>)
        return std::type_identity<std::invoke_result_t<F&, const Attempt&, Inputs&...>>();
    else if constexpr (std::invocable<F&, Inputs&...>)
        return std::type_identity<std::invoke_result_t<F&, Inputs&...>>();
    else
        static_assert(std::invocable<F&, Inputs&...>,
                      "a step's function must take the step's inputs, optionally after an Attempt");
}
template <class F, class... Inputs>
using StepValue = std::remove_cvref_t<typename decltype(step_result<F, Inputs...>())::type>;

template <class T, class F, class... Inputs>
StepFunction step_function(F function, Inputs... inputs) {
    static_assert(Storable<T>,
                  "the result of a step is stored as JSON: describe its type with "
                  "BOOST_DESCRIBE_STRUCT, or give it a tag_invoke for boost::json");
    return [function = std::move(function),
            ... inputs = std::move(inputs)](const Attempt& attempt) mutable -> Json {
        const auto run = [&]() -> decltype(auto) {
            if constexpr (std::invocable<F&, const Attempt&, Inputs&...>)
                return function(attempt, inputs...);
            else
                return function(inputs...);
        };
        if constexpr (std::is_void_v<T>) {
            run();
            return nullptr;
        } else {
            return to_value(run());
        }
    };
}

template <class F>
StepFunction undo_function(F function) {
    return [function = std::move(function)](const Attempt& attempt) mutable -> Json {
        if constexpr (std::invocable<F&, const Attempt&>)
            function(attempt);
        else
            function();
        return nullptr;
    };
}

}  // namespace holdfast::flow
