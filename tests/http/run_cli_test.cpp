// `holdfast run`: a model is played through in memory with answers from a file or standard input.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace holdfast {
namespace {

struct PlayedModel {
    int code = -1;
    std::string output;  // both streams
};

// Runs in the folder with the scenarios; the answers come on standard input.
PlayedModel play_model(const std::string& arguments, const std::string& answers) {
    const char* binary = std::getenv("HOLDFAST_BINARY");
    const char* source = std::getenv("HOLDFAST_SOURCE");
    const std::string command = "cd '" + std::string(source ? source : ".") +
                                "/tests/scenarios/models' && printf '" + answers + "' | '" +
                                std::string(binary ? binary : "holdfast") + "' run " + arguments +
                                " 2>&1";
    FILE* output = ::popen(command.c_str(), "r");
    PlayedModel ran;
    std::array<char, 4096> buffer;
    while (output && std::fgets(buffer.data(), buffer.size(), output)) ran.output += buffer.data();
    const int status = output ? ::pclose(output) : -1;
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

bool has(const PlayedModel& ran, const std::string& text) {
    return ran.output.find(text) != std::string::npos;
}

TEST(RunCommand, AsksForWhatTheProcessWaitsForUntilItEnds) {
    const PlayedModel ran = play_model("call.bpmn --variables '{\"item\": \"lamp\"}'",
                                       "# the box\ncomplete box {\"weight\": 2}\n");
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_TRUE(has(ran, "waits for task at box")) << ran.output;
    EXPECT_TRUE(has(ran, "succeeded")) << ran.output;
    EXPECT_TRUE(has(ran, "\"weight\": 2")) << ran.output;
}

TEST(RunCommand, TellsWhatAnAnswerDoesNotFitAndGoesOn) {
    const PlayedModel ran =
        play_model("boundary_timer.bpmn", "complete nothing\nadvance\nadvance 1d\ncomplete call\n");
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_TRUE(has(ran, "no task waits at")) << ran.output;
    EXPECT_TRUE(has(ran, "waits for timer at late, until 2030-01-02T00:00:00")) << ran.output;
}

TEST(RunCommand, EndsWithAnErrorIfTheAnswersDo) {
    const PlayedModel ran = play_model("job_error.bpmn --answers /dev/null", "");
    EXPECT_EQ(ran.code, 1);
    EXPECT_TRUE(has(ran, "the answers have ended, and the process waits")) << ran.output;
    EXPECT_EQ(play_model("nowhere.bpmn", "").code, 4);
    EXPECT_EQ(play_model("", "").code, 2);
}

}  // namespace
}  // namespace holdfast
