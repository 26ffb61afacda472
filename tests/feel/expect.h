// Evaluates an expression and shows the result in FEEL notation.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>

#include "feel/evaluate.h"
#include "feel/values/json.h"
#include "feel/values/show.h"

namespace holdfast::feel {

inline Evaluated evaluated(std::string_view text, std::string_view variables = "{}",
                           const Settings& settings = {}) {
    const boost::json::value json = boost::json::parse(variables);
    const auto expression = parse(text, {.names = names_in(json)});
    if (!expression) {
        ADD_FAILURE() << text << ": " << expression.error().message;
        return {};
    }
    return evaluate(*expression, Scope(json.get_object()), settings);
}

// Strings in quotes.
inline std::string result_of(std::string_view text, std::string_view variables = "{}") {
    const std::string list = shown(List({evaluated(text, variables).value}));
    return list.substr(1, list.size() - 2);
}

inline std::string trouble_of(std::string_view text, std::string_view variables = "{}") {
    const auto trouble = evaluated(text, variables).trouble;
    return trouble ? trouble->message : "";
}

// The parse error.
inline std::string refusal_of(std::string_view text) {
    const auto expression = parse(text);
    return expression ? "" : expression.error().message;
}

}  // namespace holdfast::feel
