// Camunda 7's expressions: what they mean after translation, and what is refused.
#include "bpmn/expression/el.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "bpmn/expression/compile_text.h"
#include "feel/evaluate.h"
#include "feel/values/json.h"

namespace holdfast::bpmn {
namespace {

std::string value_of(const feel::Expression& expression, std::string_view variables) {
    const auto json = boost::json::parse(variables);
    const auto result = feel::evaluate(expression, feel::Scope(json.as_object()));
    const auto shown = feel::to_json(result.value);
    return shown ? boost::json::serialize(*shown) : shown.error().message;
}

std::string el(std::string_view text, std::string_view variables = "{}") {
    const auto compiled = compile_expression(text, Language::unnamed);
    return compiled ? value_of(*compiled, variables) : "refused: " + compiled.error().message;
}

std::string refused_el(std::string_view text) {
    const auto translated = feel_from_el(text);
    return translated ? "FEEL: " + *translated : translated.error().message;
}

TEST(El, ComparesAndCombines) {
    EXPECT_EQ(el("${a == 1 || b eq 2}", R"({"a": 2, "b": 2})"), "true");
    EXPECT_EQ(el("${a != 1 && b >= 2}", R"({"a": 2, "b": 2})"), "true");
    EXPECT_EQ(el("${!done}", R"({"done": false})"), "true");
    EXPECT_EQ(el("${not (a lt 3 and a gt 1)}", R"({"a": 2})"), "false");
    EXPECT_EQ(el("#{a <= 2}", R"({"a": 2})"), "true");
    EXPECT_EQ(el("${name == 'Ada'}", R"({"name": "Ada"})"), "true");
    EXPECT_EQ(el("${x == null}"), "true");
}

TEST(El, Calculates) {
    EXPECT_EQ(el("${1 + 2 * 3 - 4 / 2}"), "5");
    EXPECT_EQ(el("${7 % 4 + 10 mod 4}"), "5");
    EXPECT_EQ(el("${10 % 4 * 3}"), "6");
    EXPECT_EQ(el("${-a + 2.5 + .5}", R"({"a": 2})"), "1");
    EXPECT_EQ(el("${done / all >= 0.6}", R"({"done": 3, "all": 5})"), "true");
    EXPECT_EQ(el("${a > 1 ? 'many' : a == 1 ? 'one' : 'none'}", R"({"a": 1})"), "\"one\"");
}

TEST(El, FollowsPaths) {
    const std::string_view order = R"({"order": {"items": [{"price": 7}], "the key": 3}})";
    EXPECT_EQ(el("${order.items[0].price}", order), "7");
    EXPECT_EQ(el("${order['the key']}", order), "3");
    EXPECT_EQ(el("${execution.getVariable('order').items[0].price}", order), "7");
}

TEST(El, KnowsEmptinessAndSomeMethods) {
    for (const auto value : {"null", "\"\"", "[]", "{}"})
        EXPECT_EQ(el("${empty x}", R"({"x": )" + std::string(value) + "}"), "true") << value;
    for (const auto value : {"0", "\"a\"", "[1]", "false"})
        EXPECT_EQ(el("${empty x}", R"({"x": )" + std::string(value) + "}"), "false") << value;
    EXPECT_EQ(el("${not empty x and empty(y)}", R"({"x": [1]})"), "true");
    EXPECT_EQ(el("test.contains(\"a\")", R"({"test": "cab"})"), "true");
    EXPECT_EQ(el("!test.contains('a')", R"({"test": "b"})"), "true");
    EXPECT_EQ(el("${list.contains(2)}", R"({"list": [1, 2]})"), "true");
    EXPECT_EQ(el("${s.startsWith('a') && s.endsWith('c')}", R"({"s": "abc"})"), "true");
    EXPECT_EQ(el("${s.toUpperCase().equals('A')}"),
              "refused: '${s.toUpperCase().equals('A')}': "
              "this expression cannot be translated to FEEL: '.' is not expected");
    EXPECT_EQ(el("${list.size() + s.length()}", R"({"list": [1, 2], "s": "abc"})"), "5");
}

TEST(El, KeepsQuotesInStrings) { EXPECT_EQ(el(R"(${'it\'s "x" \\ }'})"), R"("it's \"x\" \\ }")"); }

TEST(El, SaysWhatItCannotTranslate) {
    EXPECT_EQ(refused_el("bean.doIt(x)"), "the method doIt is not known");
    EXPECT_EQ(refused_el("fn(x)"), "the function fn is not known");
    EXPECT_EQ(refused_el("a = 1"), "the character '=' cannot be translated");
    EXPECT_EQ(refused_el("a == b == c"), "comparisons cannot follow each other; use brackets");
    EXPECT_EQ(refused_el("a[b]"), "an index has to be a number or a string");
    EXPECT_EQ(refused_el("1 +"), "it ends too early");
    EXPECT_EQ(refused_el("'open"), "a string that does not end cannot be translated");
    EXPECT_EQ(refused_el("in == 1"), "the variable in has the name of a FEEL word");
    EXPECT_EQ(refused_el("empty 1 + 2"), "`empty` is translated for a variable only");
    EXPECT_EQ(refused_el("execution.id"),
              "members of `execution` other than getVariable are not known");
}

TEST(El, IsBounded) {
    EXPECT_EQ(refused_el(std::string(1000, '(') + "a" + std::string(1000, ')')),
              "it nests too deeply");
    EXPECT_EQ(refused_el(std::string(1000, '!') + "a"), "it nests too deeply");
    EXPECT_EQ(refused_el(std::string(5000, 'a')), "it is too long");
    std::string chain = "a";
    for (int i = 0; i < 900; ++i) chain += "%a";
    EXPECT_FALSE(compile_expression("${" + chain + "}", Language::el)) << "FEEL limits the depth";
}

TEST(CompileText, AMarkDecidesTheLanguage) {
    EXPECT_EQ(el("= a + 1", R"({"a": 1})"), "2");
    EXPECT_EQ(el("=if a then 1 else 2", R"({"a": true})"), "1");
    EXPECT_EQ(el("a = 1", R"({"a": 1})"), "true") << "not EL, so it is FEEL";
    EXPECT_FALSE(compile_expression("a", Language::other));
    EXPECT_TRUE(compile_expression("= a", Language::other));
    EXPECT_FALSE(compile_expression("a == 1", Language::feel));
    EXPECT_FALSE(compile_expression("a = 1", Language::el));
    EXPECT_EQ(language_of("https://www.omg.org/spec/DMN/20191111/FEEL/"), Language::feel);
    EXPECT_EQ(language_of("feel"), Language::feel);
    EXPECT_EQ(language_of("juel"), Language::el);
    EXPECT_EQ(language_of("javascript"), Language::other);
}

TEST(CompileText, PartsOfATextAreComputed) {
    const auto text = compile_text("task-${n}-of-${all}");
    ASSERT_TRUE(text);
    EXPECT_EQ(value_of(std::get<feel::Expression>(*text), R"({"n": 2, "all": 3})"),
              "\"task-2-of-3\"");
    EXPECT_EQ(std::get<std::string>(*compile_text(" plain ")), "plain");
    EXPECT_FALSE(compile_text("${open"));
}

}  // namespace
}  // namespace holdfast::bpmn
