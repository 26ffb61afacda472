// `holdfast check`: problems with lines on standard output, exit codes.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

// The engine and the keys of definitions allow less than BPMN.
TEST(CheckCommand, RefusesWhatADeploymentWouldRefuse) {
    const auto checked = [](const std::string& id, const std::string& element) {
        std::string path = std::filesystem::temp_directory_path() / "holdfast-check-XXXXXX";
        ::close(::mkstemp(path.data()));
        std::ofstream(path)
            << "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
               "targetNamespace='t'>\n<process id='"
            << id << "' isExecutable='true'><startEvent id='s'/>" << element
            << "<sequenceFlow id='f' sourceRef='s' targetRef='e'/></process></definitions>";
        CheckRun ran = check_models(path);
        std::filesystem::remove(path);
        return ran;
    };
    EXPECT_EQ(checked("order", "<endEvent id='e'/>").code, 0);
    const CheckRun named = checked("\u00e9t\u00e9", "<endEvent id='e'/>");
    EXPECT_EQ(named.code, 1);
    EXPECT_NE(named.output.find("line 2, "), std::string::npos) << named.output;
    EXPECT_NE(named.output.find("the id of a process must have 1 to 128 characters"),
              std::string::npos)
        << named.output;
    const CheckRun unsupported =
        checked("order", "<endEvent id='e'><errorEventDefinition/></endEvent>");
    EXPECT_EQ(unsupported.code, 1) << unsupported.output;
}

TEST(CheckCommand, NeedsAFileThatExists) {
    EXPECT_EQ(check_models("").code, 2);
    EXPECT_EQ(check_models("nowhere.bpmn").code, 4);
    EXPECT_EQ(check_models(".").code, 4);
    EXPECT_EQ(check_models("/dev/zero").code, 1);
}

}  // namespace
}  // namespace holdfast
