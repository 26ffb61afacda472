// The command lines of the README, one after the other, and examples/runner.py, on one server with
// the demo.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "support/server_process.h"

namespace holdfast::testing {
namespace {

std::filesystem::path source_folder() {
    const char* folder = std::getenv("HOLDFAST_SOURCE");
    return folder ? folder : ".";
}

std::string source_text(const std::string& name) {
    std::ifstream file(source_folder() / name);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

// The block of shell commands, then the indented lines with the program.
std::string readme_commands() {
    const std::string readme = source_text("README.md");
    const std::size_t begin = readme.find("```bash\n") + 8;
    const std::size_t end = readme.find("```", begin);
    std::string commands = readme.substr(begin, end - begin);
    std::istringstream rest(readme.substr(end));
    for (std::string line; std::getline(rest, line);)
        if (line.starts_with("    build/bin/holdfast ")) commands += line + '\n';
    return commands;
}

Ended shell(const ServerProcess& server, const std::string& commands) {
    const std::string script = "export HOLDFAST_SERVER=" + server.url() +
                               "\nset -euo pipefail\n"
                               "curl() { command curl --fail-with-body -sS \"$@\"; }\n" +
                               commands;
    const auto file = std::filesystem::temp_directory_path() /
                      ("holdfast-readme-" + std::to_string(server.pid()));
    std::ofstream(file) << script;
    FILE* output = ::popen(("timeout 60 bash '" + file.string() + "' 2>&1").c_str(), "r");
    Ended ended{.code = -1, .output = {}};
    std::array<char, 4096> buffer;
    while (output && std::fgets(buffer.data(), buffer.size(), output))
        ended.output += buffer.data();
    const int status = output ? ::pclose(output) : -1;
    if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
    std::filesystem::remove(file);
    return ended;
}

std::string runner_command() {
    return "python3 '" + (source_folder() / "examples/runner.py").string() + "'\n";
}

TEST(Readme, ItsCommandLinesSucceedInSequence) {
    const ServerProcess server("memory:", {"--demo"});
    std::string commands = replaced(readme_commands(), "localhost:8080",
                                    "localhost" + server.url().substr(server.url().rfind(':')));
    commands = replaced(std::move(commands), "build/bin/holdfast", holdfast_binary());
    EXPECT_GT(std::ranges::count(commands, '\n'), 15);
    const Ended ran = shell(server, commands);
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_NE(ran.output.find("\"outcome\":\"delivered\""), std::string::npos) << ran.output;
    EXPECT_NE(ran.output.find("\"total\": 130"), std::string::npos) << ran.output;
    const Ended runner = shell(server, runner_command());
    EXPECT_EQ(runner.code, 0) << runner.output;
}

TEST(Readme, DemoReadmeAndRunnerUseDefinitionsOfTheirOwn) {
    const ServerProcess server("memory:", {"--demo"});
    const std::string own = "curl " + server.url() + "/api/v1/definitions/order\n";
    const std::string before = shell(server, own).output;
    const Ended ran = shell(server, runner_command() + own);
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_NE(ran.output.find(before), std::string::npos) << ran.output;
    EXPECT_EQ(readme_commands().find("definitions/order"), std::string::npos);
}

TEST(ExampleRunner, ShowsWhyARequestWasRefused) {
    const auto token = std::filesystem::temp_directory_path() / "holdfast-runner-token";
    std::ofstream(token) << "0123456789abcdef\n";
    const ServerProcess server("memory:", {"--token-file", token.string()});
    const Ended ran = shell(server, runner_command());
    std::filesystem::remove(token);
    EXPECT_NE(ran.code, 0);
    EXPECT_NE(ran.output.find("Authorization: Bearer"), std::string::npos) << ran.output;
}

TEST(ExampleRunner, AStepWhoseWorkFailsIsTriedAgainAtItsIndex) {
    const ServerProcess server("memory:");
    std::string program = source_text("examples/runner.py");
    program.erase(program.find("\ncall(\"PUT\""));
    const Ended ran = shell(server, "python3 - <<'END'\n" + program + R"(
call("PUT", "/definitions/failing", {})
runner = Runner(call("POST", "/workflows", {"definition": "failing"})["id"])
try:
    runner.step("divide", lambda: 1 / 0)
except ZeroDivisionError:
    print("failed at", runner.index)
print("then", runner.step("divide", lambda: 1), "now at", runner.index)
END
)");
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_EQ(ran.output, "failed at 0\nthen 1 now at 1\n");
}

}  // namespace
}  // namespace holdfast::testing
