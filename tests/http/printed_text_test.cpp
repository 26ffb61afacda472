// What the command line prints cannot act: a terminal gets no control characters from a server.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/responses/problem.h"
#include "http/wire/server.h"
#include "support/server_process.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using holdfast::testing::Ended;
using holdfast::testing::run_to_end;

// Sets a title, rings, begins a line, deletes, and sets a color with a control of the second block.
constexpr const char* acting =
    "a\x1b]0;owned\x07\nb\x7f\xc2\x9b"
    "31mc";
constexpr const char* shown_acting = R"(a\u001b]0;owned\u0007\nb\u007f\u009b31mc)";

bj::object workflow_document() {
    return {{"id", acting},
            {"version", 1},
            {"status", acting},
            {"definition", acting},
            {"definitionVersion", 1},
            {"businessReference", {{"key", acting}, {"parts", {{acting, acting}}}}},
            {"createdAt", acting},
            {"lastModifiedAt", acting},
            {"lastModifiedBy", acting},
            {"lastCheckpoint", {{"name", acting}}},
            {"state", {{acting, acting}}},
            {"stateMetadata", {{acting, acting}}}};
}

bj::object any_document() {
    bj::object document = workflow_document();
    for (const char* name : {"key", "name", "state", "holder", "assignee", "dueAt", "reason",
                             "type", "workflow", "at", "attempts", "detail", "startedAt", "cursor",
                             "leaseUntil", "resolution", "deleted", "cancelled", "eligible"})
        if (!document.contains(name)) document[name] = acting;
    return document;
}

// Answers every request with text that acts on a terminal: a page, or a problem.
class ActingServer {
public:
    explicit ActingServer(Response answer)
        : answer_(std::move(answer)),
          server_(
              {}, [](const Request&) { return std::nullopt; },
              [this](Request, Respond respond) { respond(answer_); }) {
        EXPECT_TRUE(server_.start());
    }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }

private:
    Response answer_;
    Server server_;
};

bool has_controls(const std::string& output) {
    for (std::size_t i = 0; i < output.size(); ++i) {
        const auto byte = static_cast<unsigned char>(output[i]);
        if ((byte < 0x20 && byte != '\n') || byte == 0x7f) return true;
        if (byte == 0xc2 && static_cast<unsigned char>(output[i + 1]) < 0xa0) return true;
    }
    return false;
}

const std::vector<std::vector<std::string>> commands{
    {"define", "d"},
    {"start", "d"},
    {"show", "x"},
    {"list"},
    {"patch", "x", "--if-match", "1", "--merge", "{}"},
    {"history", "x"},
    {"cancel", "x"},
    {"tasks", "list"},
    {"tasks", "show", "x"},
    {"tasks", "show", "x", "--events"},
    {"tasks", "claim", "x", "--as", "ann"},
    {"dead-letters", "list"},
    {"dead-letters", "show", "x"},
    {"dead-letters", "redrive", "x"},
    {"nodes", "list"},
    {"retention", "run"}};

Ended run_on(const ActingServer& server, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--server", server.url()});
    return run_to_end(arguments);
}

TEST(PrintedText, NoCommandPassesControlCharactersOn) {
    bj::object page = any_document();
    page["items"] = bj::array{any_document()};
    page["nextCursor"] = acting;
    const ActingServer server(json_response(200, page));
    for (const auto& command : commands)
        for (const char* format : {"text", "json", "jsonl"}) {
            auto arguments = command;
            arguments.insert(arguments.end(), {"-o", format});
            const Ended ran = run_on(server, arguments);
            EXPECT_FALSE(has_controls(ran.output)) << command[0] << ' ' << format << ran.output;
        }
}

TEST(PrintedText, ALineOfTextStaysOneLine) {
    const ActingServer server(
        json_response(200, bj::object{{"items", bj::array{workflow_document()}}}));
    const std::string output = run_on(server, {"list"}).output;
    EXPECT_EQ(std::ranges::count(output, '\n'), 2) << "the head of the table, and: " << output;
    EXPECT_NE(output.find(shown_acting), std::string::npos) << output;
}

TEST(PrintedText, JsonThatIsPrintedHasTheSameValue) {
    const ActingServer server(json_response(200, workflow_document()));
    for (const char* format : {"json", "jsonl"}) {
        const Ended ran =
            run_on(server, {"show", "00000000-0000-7000-8000-000000000000", "-o", format});
        EXPECT_EQ(bj::parse(ran.output), bj::value(workflow_document())) << ran.output;
    }
}

TEST(PrintedText, AProblemIsPrintedWithoutControlCharacters) {
    bj::object stale{
        {"type", "/problems/stale-version"}, {"detail", acting},           {"currentVersion", 2},
        {"currentState", {{acting, 1}}},     {"paths", bj::array{acting}}, {"message", acting}};
    bj::object invalid{
        {"type", "/problems/invalid-state"},
        {"detail", acting},
        {"violations", bj::array{bj::object{{"path", acting}, {"message", acting}}}}};
    for (const auto& [status, problem] : {std::pair(409, stale), std::pair(422, invalid)}) {
        const ActingServer server(json_response(status, problem));
        for (const auto& command : commands) {
            const Ended ran = run_on(server, command);
            EXPECT_NE(ran.code, 0);
            EXPECT_FALSE(has_controls(ran.output)) << command[0] << ran.output;
            EXPECT_NE(ran.output.find(shown_acting), std::string::npos) << command[0] << ran.output;
        }
    }
}

}  // namespace
}  // namespace holdfast::http
