// The type-erased code of a flow, which a node registers under the flow's name.
#pragma once

#include <memory>
#include <string>
#include <tuple>

#include "holdfast/context.h"

namespace holdfast::flow {

// The outermost coroutine of a flow: owns its frame and its arguments.
class Body {
public:
    virtual ~Body() = default;
    virtual std::coroutine_handle<> handle() const = 0;
    virtual Frame& frame() const = 0;
    // Only after the flow has returned.
    virtual Json result() const = 0;
};

struct Code {
    // Both throw Misuse if the arguments do not convert.
    std::unique_ptr<Body> begin(Context& context, const Json& arguments) const {
        return begin_by(*this, context, arguments);
    }
    void check(const Json& arguments) const { check_by(name, arguments); }

    std::string name;
    // A lambda's coroutine refers to the lambda, so the lambda must not move.
    std::shared_ptr<void> function;
    std::unique_ptr<Body> (*begin_by)(const Code& code, Context& context, const Json& arguments);
    void (*check_by)(const std::string& flow, const Json& arguments);
};

template <class F>
struct Signature {};  // neither a function nor a lambda with typed parameters
template <class F>
    requires requires { &F::operator(); }
struct Signature<F> : Signature<decltype(&F::operator())> {};
template <class R, class... Ps>
struct Signature<R (*)(Context&, Ps...)> {
    using Result = R;
    using Arguments = std::tuple<std::remove_cvref_t<Ps>...>;
};
template <class F, class R, class... Ps>
struct Signature<R (F::*)(Context&, Ps...) const> : Signature<R (*)(Context&, Ps...)> {};
template <class F, class R, class... Ps>
struct Signature<R (F::*)(Context&, Ps...)> : Signature<R (*)(Context&, Ps...)> {};

template <class T, class Arguments>
class BodyOf final : public Body {
public:
    // The arguments live as long as the flow, which may take them by reference.
    template <class F>
    BodyOf(F& function, Context& context, Arguments arguments)
        : arguments_(std::move(arguments)),
          flow_(std::apply([&](auto&... each) { return function(context, std::move(each)...); },
                           arguments_)) {}

    std::coroutine_handle<> handle() const override { return flow_.frame(); }
    Frame& frame() const override { return flow_.frame().promise(); }
    Json result() const override {
        if constexpr (std::is_void_v<T>)
            return nullptr;
        else
            return to_value(flow_.frame().promise().take());
    }

private:
    Arguments arguments_;
    Flow<T> flow_;
};

// The arguments as an array of `parameters` elements; throws Misuse for another count. A flow with
// one parameter also accepts its argument without the array, unless the argument is an array.
Json list_arguments(const std::string& flow, const Json& arguments, std::size_t parameters);

struct ArgumentPlace final : Place {
    ArgumentPlace(const std::string& its_flow, std::size_t its_index)
        : flow(its_flow), index(its_index) {}
    std::string text() const override;

    const std::string& flow;
    std::size_t index;
};

template <class Arguments>
Arguments read_arguments(const std::string& flow, const Json& given) {
    constexpr std::size_t count = std::tuple_size_v<Arguments>;
    const Json list = list_arguments(flow, given, count);
    const auto read = [&]<std::size_t... is>(std::index_sequence<is...>) {
        return Arguments{from_value<std::tuple_element_t<is, Arguments>>(
            list.get_array()[is], ArgumentPlace(flow, is))...};
    };
    return read(std::make_index_sequence<count>());
}

template <class F>
Code code_of(const std::string& name, F function) {
    using Shape = Signature<F>;
    static_assert(
        requires { requires IsFlow<typename Shape::Result>; },
        "a flow is a coroutine: Flow<Result> name(holdfast::Context& ctx, ...)");
    using T = typename Shape::Result::Value;
    using Arguments = typename Shape::Arguments;
    static_assert(Storable<T>,
                  "the result of a flow is stored as JSON: describe its type with "
                  "BOOST_DESCRIBE_STRUCT, or give it a tag_invoke for boost::json");
    return Code{
        .name = name,
        .function = std::make_shared<F>(std::move(function)),
        .begin_by = [](const Code& code, Context& context,
                       const Json& arguments) -> std::unique_ptr<Body> {
            return std::make_unique<BodyOf<T, Arguments>>(
                *static_cast<F*>(code.function.get()), context,
                read_arguments<Arguments>(code.name, arguments));
        },
        .check_by = [](const std::string& flow,
                       const Json& arguments) { read_arguments<Arguments>(flow, arguments); }};
}

}  // namespace holdfast::flow
