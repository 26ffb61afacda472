// Hostile models: refused, quickly and with few problems, whatever their size. The figures are
// printed, the counts are asserted.
#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>

#include "models.h"

namespace holdfast::bpmn {
namespace {

// Compiles and prints what it took, in milliseconds of processor time.
Compiled measured(const char* name, const std::string& xml) {
    const std::clock_t begin = std::clock();
    Compiled compiled = compile(xml);
    const double took = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%-28s %9zu bytes %8.1f ms %5zu problems, first: %s\n", name, xml.size(), took,
                compiled.problems.size(),
                compiled.problems.empty() ? "" : text_of(compiled.problems[0]).c_str());
    return compiled;
}

ProblemKind only_kind(const Compiled& compiled) {
    EXPECT_FALSE(compiled.model);
    EXPECT_EQ(compiled.problems.size(), 1u);
    return compiled.problems.empty() ? ProblemKind::ignored : compiled.problems[0].kind;
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    all.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

// `make` gives the text for a number.
template <class Make>
std::string numbered(std::size_t count, const Make& make) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += make(std::to_string(i));
    return all;
}

TEST(Hostile, AFileThatIsTooLargeIsNotParsed) {
    EXPECT_EQ(only_kind(measured("11 MB", process_with(std::string(11 << 20, ' ')))),
              ProblemKind::too_large);
}

TEST(Hostile, AMillionElementsAreNotParsed) {
    EXPECT_EQ(only_kind(measured("a million elements", process_with(repeated("<a/>", 1'000'000)))),
              ProblemKind::too_many_elements);
}

TEST(Hostile, TenThousandLevelsAreNotParsed) {
    EXPECT_EQ(only_kind(measured("10,000 levels", repeated("<bpmn:subProcess>", 10'000) +
                                                      repeated("</bpmn:subProcess>", 10'000))),
              ProblemKind::too_deep);
}

TEST(Hostile, AnEntityBombIsNotExpanded) {
    std::string bomb = "<!DOCTYPE b [<!ENTITY e0 \"x\">";
    for (int i = 1; i < 50; ++i)
        bomb += "<!ENTITY e" + std::to_string(i) + " \"" +
                repeated("&e" + std::to_string(i - 1) + ";", 10) + "\">";
    EXPECT_EQ(only_kind(measured("entity bomb", bomb + "]><b>&e49;</b>")), ProblemKind::doctype);
}

TEST(Hostile, AttributesAndNamespacesAreBounded) {
    std::string many = "<bpmn:task";
    for (int i = 0; i < 500'000; ++i) many += " a" + std::to_string(i) + "=''";
    EXPECT_EQ(only_kind(measured("500,000 attributes", process_with(many + "/>"))),
              ProblemKind::too_many_elements);
    std::string nested;
    for (int i = 0; i < 90; ++i)
        nested +=
            "<bpmn:subProcess" + numbered(90, [](auto n) { return " xmlns:n" + n + "='u'"; }) + ">";
    EXPECT_EQ(only_kind(measured("8,100 namespaces",
                                 process_with(nested + repeated("</bpmn:subProcess>", 90)))),
              ProblemKind::too_many_elements);
}

TEST(Hostile, AProblemForEachElementIsBounded) {
    const Compiled compiled =
        measured("150,000 wrong elements", process_with(repeated("<bpmn:task x='1'/>", 150'000)));
    EXPECT_FALSE(compiled.model);
    EXPECT_LE(compiled.problems.size(), 2 * (Problems::most + 1));
}

TEST(Hostile, ALongIdIsNotRepeated) {
    const Compiled compiled =
        measured("id of 5 MB", process_with("<bpmn:task id='" + std::string(5 << 20, 'x') + "'>" +
                                            repeated("<bpmn:nothing/>", 100'000) + "</bpmn:task>"));
    EXPECT_FALSE(compiled.model);
    for (const Problem& problem : compiled.problems) {
        EXPECT_LE(problem.element.size(), Problems::most_bytes + 3);
        EXPECT_LE(problem.message.size(), Problems::most_bytes + 3);
    }
}

// What would be quadratic if every pair of elements were compared.
TEST(Hostile, LargeModelsAreReadInLinearTime) {
    const std::string start = "<bpmn:startEvent id='s'/>";
    const auto chain = numbered(40'000, [](auto n) {
        return "<bpmn:task id='t" + n + "'/><bpmn:sequenceFlow sourceRef='" +
               (n == "0" ? "s" : "t" + std::to_string(std::stoul(n) - 1)) + "' targetRef='t" + n +
               "'/>";
    });
    EXPECT_TRUE(measured("chain of 40,000 tasks", process_with(start + chain)).model);

    const auto links = numbered(20'000, [](auto n) {
        return "<bpmn:intermediateThrowEvent id='o" + n + "'><bpmn:linkEventDefinition id='a" + n +
               "' name='L" + n +
               "'><bpmn:target>z</bpmn:target></bpmn:linkEventDefinition></"
               "bpmn:intermediateThrowEvent>";
    });
    const auto sources =
        numbered(20'000, [](auto n) { return "<bpmn:source>a" + n + "</bpmn:source>"; });
    EXPECT_FALSE(
        measured(
            "20,000 links to one",
            process_with(
                start + links +
                "<bpmn:intermediateCatchEvent id='i'><bpmn:linkEventDefinition id='z' name='z'>" +
                sources + "</bpmn:linkEventDefinition></bpmn:intermediateCatchEvent>"))
            .model);

    const auto calls = numbered(15'000, [](auto n) {
        return "<bpmn:process id='p" + n + "' isExecutable='true'><bpmn:startEvent id='s" + n +
               "'/><bpmn:callActivity id='c" + n + "' calledElement='p" + n +
               "'/><bpmn:sequenceFlow sourceRef='s" + n + "' targetRef='c" + n +
               "'/></bpmn:process>";
    });
    EXPECT_TRUE(measured("15,000 processes", definitions(calls)).model);
}

TEST(Hostile, AnExpressionIsCompiledOnceHoweverOftenItIsUsed) {
    std::string sum = "= 1";
    for (int i = 0; i < 400; ++i) sum += " + 1";
    const auto events = numbered(30'000, [](auto n) {
        return "<bpmn:intermediateCatchEvent id='i" + n +
               "'><bpmn:eventDefinitionRef>c</bpmn:eventDefinitionRef></"
               "bpmn:intermediateCatchEvent>";
    });
    const std::string condition = "<bpmn:conditionalEventDefinition id='c'><bpmn:condition>" + sum +
                                  " > 3</bpmn:condition></bpmn:conditionalEventDefinition>";
    EXPECT_FALSE(measured("one condition 30,000 times",
                          process_with("<bpmn:startEvent id='s'/>" + events, condition))
                     .model);
}

TEST(Hostile, ALongExpressionIsRefused) {
    const auto model = [](const std::string& text) {
        return around(
            "<bpmn:exclusiveGateway id='a'/><bpmn:sequenceFlow sourceRef='a' targetRef='end'>"
            "<bpmn:conditionExpression>" +
            text + "</bpmn:conditionExpression></bpmn:sequenceFlow>");
    };
    for (const std::string& text :
         {"= " + repeated("(", 5000), "${" + repeated("(", 5000) + "}",
          "= " + repeated("a+", 500'000) + "a", "${" + repeated("a+", 500'000) + "a}",
          repeated("not ", 900'000)})
        EXPECT_EQ(only_kind(measured("long expression", model(text))), ProblemKind::expression);
}

}  // namespace
}  // namespace holdfast::bpmn
