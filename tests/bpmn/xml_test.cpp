// XML: namespaces, encodings, what is refused before it is parsed.
#include <gtest/gtest.h>

#include "bpmn/xml/encoding.h"
#include "models.h"

namespace holdfast::bpmn {
namespace {

using Kinds = std::vector<ProblemKind>;

std::string with_prefix(const std::string& prefix) {
    const std::string declared = prefix.empty() ? "xmlns" : "xmlns:" + prefix;
    const std::string p = prefix.empty() ? "" : prefix + ":";
    return "<" + p + "definitions " + declared +
           R"(="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t"><)" + p +
           R"(process id="p" isExecutable="true"><)" + p + R"(startEvent id="s"/><)" + p +
           R"(endEvent id="e"/><)" + p + R"(sequenceFlow id="f" sourceRef="s" targetRef="e"/></)" +
           p + "process></" + p + "definitions>";
}

TEST(Xml, AnyPrefixMayStandForBpmn) {
    for (const std::string prefix : {"", "bpmn", "bpmn2", "semantic", "x"})
        EXPECT_EQ(accepted(with_prefix(prefix)).nodes.size(), 2u) << prefix;
}

TEST(Xml, AnotherNamespaceIsNotBpmn) {
    EXPECT_EQ(refusals("<definitions/>"), Kinds{ProblemKind::not_bpmn});
    EXPECT_EQ(refusals(R"(<a:definitions xmlns:a="urn:other"/>)"), Kinds{ProblemKind::not_bpmn});
}

TEST(Xml, APrefixHasToBeDeclared) {
    EXPECT_EQ(refusals("<a:definitions/>"), Kinds{ProblemKind::malformed_xml});
    EXPECT_EQ(refusals(R"(<definitions a:b="1"/>)"), Kinds{ProblemKind::malformed_xml});
}

TEST(Xml, ADoctypeIsRefusedBeforeItIsParsed) {
    const std::string bomb = R"(<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<definitions>&b;</definitions>)";
    const Compiled compiled = compile(bomb);
    ASSERT_EQ(compiled.problems.size(), 1u);
    EXPECT_EQ(compiled.problems[0].kind, ProblemKind::doctype);
    EXPECT_EQ(compiled.problems[0].line, 2u);
    EXPECT_EQ(refusals("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"),
              Kinds{ProblemKind::doctype});
}

TEST(Xml, OnlyThePredefinedEntitiesExist) {
    EXPECT_EQ(refusals("<a>&nbsp;</a>"), Kinds{ProblemKind::malformed_xml});
    EXPECT_EQ(refusals("<a b='&x;'/>"), Kinds{ProblemKind::malformed_xml});
    for (const std::string reference : {"&#0;", "&#xD800;", "&#x110000;", "&#1;", "&#;", "&#x;",
                                        "&#65", "&#xFFFF;", "&#99999999999;", "&#-65;", "&;"})
        EXPECT_EQ(refusals("<a>" + reference + "</a>"), Kinds{ProblemKind::malformed_xml})
            << reference;
    const Process process =
        accepted(around(R"(<bpmn:task id="a" name="&lt;&amp;&#233;&#x263A;"/>)"));
    EXPECT_EQ(node_of(process, "a").name, "<&\u00E9\u263A");
}

TEST(Xml, WhatIsNotWellFormedIsRefusedWithItsLine) {
    const auto line_of = [](const std::string& text) {
        const Compiled compiled = compile(text);
        EXPECT_EQ(compiled.problems.size(), 1u) << text;
        EXPECT_EQ(compiled.problems.at(0).kind, ProblemKind::malformed_xml) << text;
        return compiled.problems.at(0).line;
    };
    EXPECT_EQ(line_of("<a>\n<b></a></b>"), 2u);
    EXPECT_EQ(line_of("<a>\n\n<b"), 3u);
    EXPECT_EQ(line_of("<a/>\n<b/>"), 2u);
    EXPECT_EQ(line_of("<a>\n"), 2u);
    EXPECT_EQ(line_of("text"), 1u);
    EXPECT_EQ(line_of(""), 1u);
    EXPECT_EQ(line_of("<a b='1' b='2'/>"), 1u);
    EXPECT_EQ(line_of("<a><!-- </a>"), 1u);
}

TEST(Xml, LinesAreThoseOfTheFile) {
    const Compiled compiled = compile(
        "<?xml version=\"1.0\"?>\r\n<!-- a\nb -->\r\n"
        "<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\">\r\n"
        "<process id=\"p\" isExecutable=\"true\">\r\n\r\n<startEvent id=\"s\"\n/></process>"
        "</definitions>");
    ASSERT_EQ(compiled.problems.size(), 1u) << problem_texts(compiled);
    EXPECT_EQ(compiled.problems[0].line, 7u);
    EXPECT_EQ(compiled.problems[0].element, "s");
}

TEST(Xml, LimitsAreCheckedBeforeTheDocumentIsParsed) {
    EXPECT_EQ(refusals("<a><b/><b/></a>", {.elements = 2}), Kinds{ProblemKind::too_many_elements});
    EXPECT_EQ(refusals("<a b='' c=''/>", {.attributes = 1}), Kinds{ProblemKind::too_many_elements});
    EXPECT_EQ(refusals("<a b='' c='' d=''/>", {.attributes_of_element = 1}),
              Kinds{ProblemKind::too_many_elements});
    EXPECT_EQ(refusals("<a><b><c/></b></a>", {.depth = 2}), Kinds{ProblemKind::too_deep});
    EXPECT_EQ(refusals("<a/>", {.bytes = 3}), Kinds{ProblemKind::too_large});
    EXPECT_EQ(refusals("<a xmlns:b='b' xmlns:c='c'/>", {.namespaces = 1}),
              Kinds{ProblemKind::too_many_elements});
}

TEST(Encoding, Utf8IsCheckedAndLosesItsMark) {
    EXPECT_EQ(*as_utf8("\xEF\xBB\xBF<a/>"), "<a/>");
    EXPECT_EQ(*as_utf8("<?xml version='1.0' encoding='utf-8'?><a>\u00E9</a>"),
              "<?xml version='1.0' encoding='utf-8'?><a>\u00E9</a>");
    const auto bad = as_utf8("<a>\n\xE9</a>");
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().context.at("line").to_number<int>(), 2);
    EXPECT_FALSE(as_utf8("<a>\x01</a>"));
}

TEST(Encoding, Windows1252IsConverted) {
    const auto text = as_utf8("<?xml version=\"1.0\" encoding=\"WINDOWS-1252\"?><a>\x80\xE9</a>");
    ASSERT_TRUE(text);
    EXPECT_TRUE(text->ends_with("<a>\u20AC\u00E9</a>"));
    EXPECT_FALSE(as_utf8("<?xml version='1.0' encoding='windows-1252'?><a>\x81</a>"));
}

TEST(Encoding, OthersAreRefused) {
    EXPECT_FALSE(as_utf8("<?xml version='1.0' encoding='EBCDIC-XML'?><a/>"));
    EXPECT_FALSE(as_utf8(std::string_view("\xFF\xFE<\0a\0", 6)));
    EXPECT_FALSE(as_utf8(std::string_view("<\0a\0/\0>\0", 8)));
    EXPECT_EQ(refusals("<?xml version='1.0' encoding='UTF-16'?><a/>"),
              Kinds{ProblemKind::bad_encoding});
}

}  // namespace
}  // namespace holdfast::bpmn
