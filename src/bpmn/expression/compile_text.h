// The texts of a model as FEEL: which language a text is in, and what it becomes.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "feel/expression.h"

namespace holdfast::bpmn {

// A text that is fixed, or that is computed when its element is reached.
using TextOrExpression = std::variant<std::string, feel::Expression>;

// What an expression without a mark is.
enum class Language : std::uint8_t {
    unnamed,  // EL if it can be translated, otherwise FEEL
    feel,
    el,
    other,  // not known: such expressions are refused
};

// From the attribute `language` or `expressionLanguage`. XPath is the standard's default and what
// some modelers write without meaning it: as `expressionLanguage` it is unnamed.
Language language_of(std::string_view uri);

// `= x` is FEEL, `${x}` and `#{x}` are EL, anything else is in the given language.
// invalid_argument says what is wrong.
Result<feel::Expression> compile_expression(std::string_view text, Language language);

// For attributes: a text without a mark is fixed; `${...}` may be a part of it.
Result<TextOrExpression> compile_text(std::string_view text);

}  // namespace holdfast::bpmn
