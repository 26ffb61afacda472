// `holdfast check`: problems with lines on standard output, exit codes.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace holdfast {
namespace {

struct CheckRun {
    int code = -1;
    std::string output;  // both streams
};

// Runs in the folder with the models.
CheckRun check_models(const std::string& arguments) {
    const char* binary = std::getenv("HOLDFAST_BINARY");
    const char* source = std::getenv("HOLDFAST_SOURCE");
    const std::string command =
        "cd '" + std::string(source ? source : ".") + "/tests/bpmn/models' && '" +
        std::string(binary ? binary : "holdfast") + "' check " + arguments + " 2>&1";
    FILE* output = ::popen(command.c_str(), "r");
    CheckRun ran;
    std::array<char, 4096> buffer;
    while (output && std::fgets(buffer.data(), buffer.size(), output)) ran.output += buffer.data();
    const int status = output ? ::pclose(output) : -1;
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

TEST(CheckCommand, NamesTheProcessesOfAnAcceptedModel) {
    const CheckRun ran = check_models("order_zeebe.bpmn");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.output, "order_zeebe.bpmn: accepted: order\n");
}

TEST(CheckCommand, ListsTheProblemsOfARefusedModel) {
    const CheckRun ran = check_models("not_executable.bpmn order_zeebe.bpmn");
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.output,
              "not_executable.bpmn: warning: line 1, p: the process is not executable [ignored]\n"
              "not_executable.bpmn: line 1: no process has isExecutable=\"true\" "
              "[no_executable_process]\n"
              "holdfast: not_executable.bpmn is refused\n"
              "order_zeebe.bpmn: accepted: order\n");
}

TEST(CheckCommand, NeedsAFileThatExists) {
    EXPECT_EQ(check_models("").code, 2);
    EXPECT_EQ(check_models("nowhere.bpmn").code, 4);
    EXPECT_EQ(check_models(".").code, 4);
    EXPECT_EQ(check_models("/dev/zero").code, 1);
}

}  // namespace
}  // namespace holdfast
