// What an operator changes in a running process: variables, and where its tokens are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "model/instance.h"

namespace holdfast {

namespace modification {

// Written to the nearest scope, from this activity outwards, that has the variable; else to the
// process.
struct SetVariables {
    static constexpr std::string_view name = "setVariables";

    std::optional<ActivityInstanceId> activity;  // absent: the process
    Document variables;                          // a JSON object

    bool operator==(const SetVariables&) const = default;
    static void describe(auto& step, auto& with) {
        with("activity", step.activity);
        with("variables", step.variables);
    }
};
// A token enters an element.
struct Enter {
    static constexpr std::string_view name = "enter";

    std::string element;
    std::optional<ActivityInstanceId> inside;  // absent: the scope of the element, if it is open

    bool operator==(const Enter&) const = default;
    static void describe(auto& step, auto& with) {
        with("element", step.element);
        with("inside", step.inside);
    }
};
// An activity ends with everything inside, as if it had never been entered.
struct End {
    static constexpr std::string_view name = "end";

    ActivityInstanceId activity;

    bool operator==(const End&) const = default;
    static void describe(auto& step, auto& with) { with("activity", step.activity); }
};
// A waiting event or receive task goes on, as if what it waits for had come.
struct Trigger {
    static constexpr std::string_view name = "trigger";

    ActivityInstanceId activity;
    Document value;

    bool operator==(const Trigger&) const = default;
    static void describe(auto& step, auto& with) {
        with("activity", step.activity);
        with("value", step.value);
    }
};

// What cannot go on is tried again, as if its repair had been announced.
struct Retry {
    static constexpr std::string_view name = "retry";

    std::optional<ActivityInstanceId> activity;  // absent: everything that waits for it

    bool operator==(const Retry&) const = default;
    static void describe(auto& step, auto& with) { with("activity", step.activity); }
};

}  // namespace modification

using Modification = std::variant<modification::SetVariables, modification::Enter,
                                  modification::End, modification::Trigger, modification::Retry>;

}  // namespace holdfast
