// `holdfast feel`: results on standard output, reasons on standard error, exit codes.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace holdfast {
namespace {

struct FeelRun {
    int code = -1;
    std::string output;  // both streams
};

FeelRun feel(const std::string& arguments) {
    const char* binary = std::getenv("HOLDFAST_BINARY");
    const std::string command =
        "'" + std::string(binary ? binary : "build/bin/holdfast") + "' feel " + arguments + " 2>&1";
    FILE* output = ::popen(command.c_str(), "r");
    FeelRun ran;
    std::array<char, 4096> buffer;
    while (output && std::fgets(buffer.data(), buffer.size(), output)) ran.output += buffer.data();
    const int status = output ? ::pclose(output) : -1;
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

TEST(FeelCommand, PrintsTheResultAsJson) {
    const FeelRun ran = feel(R"('amount > 1000 and customer.region = "EU"' --context )"
                             R"('{"amount": 1500, "customer": {"region": "EU"}}')");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.output, "true\n");
    EXPECT_EQ(feel("'{a: 1.5, d: @\"2024-02-29\"}'").output, "{\"a\":1.5,\"d\":\"2024-02-29\"}\n");
    EXPECT_EQ(feel("'order total * 2' --context '{\"order total\": 21}'").output, "42\n");
    EXPECT_EQ(feel("'today() instance of date'").output, "true\n");
}

TEST(FeelCommand, AnExpressionThatCannotBeParsedIsAMisuseWithItsPlace) {
    const FeelRun ran = feel("'1 + * 2'");
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.output, "holdfast: expected a value, found '*' (line 1, column 5)\n");
    EXPECT_EQ(feel("").code, 2);
    EXPECT_EQ(feel("1 --context '[1]'").code, 2);
    EXPECT_EQ(feel("1 --context '{'").code, 2);
}

TEST(FeelCommand, ANullHasItsReason) {
    const FeelRun ran = feel("'1 / 0'");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.output, "null\nnote: division by zero (at offset 2)\n");
}

TEST(FeelCommand, PastABudgetItFails) {
    const FeelRun ran = feel("'for x in 1..1000000000 return x'");
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.output, "holdfast: a range has more than 100000 values\n");
    EXPECT_EQ(feel("'function(a) a'").code, 1);
}

TEST(FeelCommand, PrintsTheReferencePage) {
    const FeelRun ran = feel("--reference");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.output.substr(0, 7), "# FEEL\n");
}

}  // namespace
}  // namespace holdfast
