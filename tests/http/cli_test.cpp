// The command line: output and exit codes.
#include "command_line.h"

namespace holdfast::cli {
namespace {

TEST_F(CommandLine, WithoutArgumentsItPrintsHelpAndIsAMisuse) {
    const Ran ran = run({});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.out.find("serve"), std::string::npos);
    EXPECT_EQ(run({"help"}).code, 0);
    EXPECT_NE(run({"help", "patch"}).out.find("--if-match"), std::string::npos);
    const std::string nested = run({"help", "tasks", "complete"}).out;
    EXPECT_NE(nested.find("Usage: holdfast tasks complete"), std::string::npos) << nested;
    EXPECT_EQ(run({"help", "tasks", "nonsense"}).code, 2);
    EXPECT_NE(run({"--version"}).out.find("holdfast "), std::string::npos);
}

TEST_F(CommandLine, AMisuseExitsWith2AndSaysWhatIsWrong) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"nonsense"},
          {"show"},
          {"list", "-o", "xml"},
          {"patch", "x", "--if-match", "1"},
          {"patch", "x", "--merge", "{}"},
          {"patch", "x", "--if-match", "one", "--merge", "{}"},
          {"patch", "x", "--if-match", "1", "--merge", "{}", "--replace", "{}"},
          {"patch", "x", "--if-match", "1", "--merge", "{"},
          {"start", "order", "--part", "noequals"},
          {"start", "order", "--state", "@/nowhere"},
          {"show", "x", "--server", "nowhere"}}) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 2) << arguments[0];
        EXPECT_FALSE(ran.err.empty()) << arguments[0];
    }
}

TEST_F(CommandLine, AServerThatIsNotThereFailsWithAdvice) {
    const Ran ran = run({"list", "--server", "http://127.0.0.1:1"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(ran.err.find("holdfast serve"), std::string::npos) << ran.err;
}

TEST_F(CommandLine, ShowsWhatWasStarted) {
    const bj::object workflow =
        started({"--state", R"({"currentStep": "pay"})", "--metadata", R"({"by": "test"})",
                 "--business-key", "order-17", "--part", "region=eu", "--part", "shop=a=b"});
    const std::string id(workflow.at("id").as_string());
    EXPECT_EQ(workflow.at("businessReference"),
              bj::parse(R"({"key": "order-17", "parts": {"region": "eu", "shop": "a=b"}})"));
    const Ran json = run({"show", id, "-o", "jsonl"});
    EXPECT_EQ(json.code, 0);
    bj::object shown = bj::parse(json.out).as_object();
    EXPECT_EQ(shown.erase("why"), 1u);
    EXPECT_EQ(shown, workflow);
    const Ran text = run({"show", id});
    EXPECT_NE(text.out.find("\"currentStep\": \"pay\""), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("order-17 region=eu shop=a=b"), std::string::npos) << text.out;
}

TEST_F(CommandLine, AStateComesFromAFileOrStandardInput) {
    const Directory place;
    std::ofstream(place.file("state.json")) << R"({"from": "file"})";
    EXPECT_EQ(started({"--state", "@" + place.file("state.json")}).at("state"),
              bj::parse(R"({"from": "file"})"));
    const Ran ran = run({"start", "order", "--state", "-", "-o", "json"}, R"({"from": "stdin"})");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(bj::parse(ran.out).at("state"), bj::parse(R"({"from": "stdin"})"));
}

TEST_F(CommandLine, AnIdempotencyKeyStartsOneWorkflow) {
    const std::vector<std::string> arguments{"--idempotency-key", "once", "--state", R"({"n": 1})"};
    EXPECT_EQ(bj::serialize(started(arguments)), bj::serialize(started(arguments)));
}

TEST_F(CommandLine, WhatIsNotThereExitsWith4) {
    const std::string nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
    EXPECT_EQ(run({"show", nobody}).code, 4);
    EXPECT_EQ(run({"history", nobody}).code, 4);
    EXPECT_EQ(run({"patch", nobody, "--if-match", "1", "--merge", "{}"}).code, 4);
    EXPECT_EQ(run({"start", "no-such-definition"}).code, 4);
}

TEST_F(CommandLine, APatchWritesTheNextVersion) {
    const std::string id = started_id(R"({"n": 1})");
    EXPECT_EQ(run({"patch", id, "--if-match", "1", "--merge", R"({"n": 2})"}).code, 0);
    EXPECT_EQ(run({"patch", id, "--if-match", "\"2\"", "--json-patch",
                   R"([{"op": "add", "path": "/m", "value": 3}])"})
                  .code,
              0);
    const Ran ran = run({"patch", id, "--if-match", "*", "--replace", R"({"n": 9})", "--metadata",
                         R"({"k": 1})", "-o", "json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(bj::parse(ran.out).at("version"), 4);
    EXPECT_EQ(bj::parse(ran.out).at("state"), bj::parse(R"({"n": 9})"));
    EXPECT_EQ(bj::parse(ran.out).at("stateMetadata"), bj::parse(R"({"k": 1})"));
}

TEST_F(CommandLine, AStalePatchExitsWith3AndShowsWhatIsThere) {
    const std::string id = started_id(R"({"n": 1})");
    ASSERT_EQ(run({"patch", id, "--if-match", "1", "--merge", R"({"n": 2})"}).code, 0);
    const std::vector<std::string> stale{"patch", id, "--if-match", "1", "--merge", R"({"m": 5})"};
    const Ran text = run(stale);
    EXPECT_EQ(text.code, 3);
    EXPECT_TRUE(text.out.empty());
    EXPECT_NE(text.err.find("--if-match 2"), std::string::npos) << text.err;
    auto arguments = stale;
    arguments.insert(arguments.end(), {"-o", "json"});
    const Ran json = run(arguments);
    EXPECT_EQ(json.code, 3);
    EXPECT_EQ(bj::parse(json.out).at("currentVersion"), 2);
    EXPECT_EQ(bj::parse(json.out).at("currentState"), bj::parse(R"({"n": 2})"));
    arguments.insert(arguments.end(), {"--on-conflict", "merge"});
    const Ran merged = run(arguments);
    ASSERT_EQ(merged.code, 0) << merged.err;
    EXPECT_EQ(bj::parse(merged.out).at("resolution"), "merged");
    EXPECT_EQ(bj::parse(merged.out).at("state"), bj::parse(R"({"n": 2, "m": 5})"));
}

TEST_F(CommandLine, AStateThatBreaksItsSchemaIsRefusedByPath) {
    const Directory place;
    std::ofstream(place.file("schema.json")) << R"({"properties": {"n": {"type": "integer"}}})";
    const Ran defined = run({"define", "strict", "--schema", "@" + place.file("schema.json")});
    ASSERT_EQ(defined.code, 0) << defined.err;
    const Ran ran = run({"start", "strict", "--state", R"({"n": "one"})"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(ran.err.find("/n: must be integer, not string"), std::string::npos) << ran.err;
}

TEST_F(CommandLine, DefineChangesOnlyTheSettingsThatItsFlagsName) {
    ASSERT_EQ(run({"define", "kept", "--schema", R"({"maxProperties": 1})"}).code, 0);
    EXPECT_EQ(run({"define", "kept", "--index", "n"}).out, "kept is at version 2\n");
    EXPECT_EQ(run({"define", "kept"}).out, "kept is at version 2\n");
    EXPECT_EQ(run({"start", "kept", "--state", R"({"n": 1, "m": 2})"}).code, 1);
    const Ran freed = run({"define", "kept", "--no-schema", "-o", "json"});
    ASSERT_EQ(freed.code, 0) << freed.err;
    EXPECT_TRUE(bj::parse(freed.out).at("schema").is_null());
    EXPECT_EQ(bj::parse(freed.out).at("indexes").as_array().size(), 1u);
    EXPECT_EQ(run({"start", "kept", "--state", R"({"n": 1, "m": 2})"}).code, 0);
    EXPECT_EQ(run({"define", "kept", "--no-index", "--index", "m"}).code, 2);
    const Ran bare = run({"define", "kept", "--no-index", "-o", "json"});
    EXPECT_TRUE(bj::parse(bare.out).at("indexes").as_array().empty()) << bare.out;
}

TEST_F(CommandLine, AListFiltersAndPages) {
    for (const char* state : {R"({"currentStep": "list", "n": 1})", R"({"currentStep": "list"})",
                              R"({"currentStep": "list"})"})
        started({"--state", state});
    const auto ids = [](const std::vector<std::string>& arguments) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return std::ranges::count(ran.out, '\n');
    };
    EXPECT_EQ(ids({"list", "--path", "currentStep=list", "-o", "jsonl"}), 3);
    EXPECT_EQ(ids({"list", "--contains", R"({"currentStep": "list", "n": 1})", "-o", "jsonl"}), 1);
    EXPECT_EQ(ids({"list", "--path", "currentStep=list", "--status", "failed", "-o", "jsonl"}), 0);
    EXPECT_EQ(ids({"list", "--path", "currentStep=list", "--limit", "1", "--all", "-o", "jsonl"}),
              3);
    const Ran page = run({"list", "--path", "currentStep=list", "--limit", "2", "-o", "json"});
    const std::string cursor(bj::parse(page.out).at("nextCursor").as_string());
    EXPECT_EQ(ids({"list", "--path", "currentStep=list", "--cursor", cursor, "-o", "jsonl"}), 1);
}

TEST_F(CommandLine, HistoryShowsEveryChange) {
    const std::string id = started_id(R"({"n": 1})");
    ASSERT_EQ(run({"patch", id, "--if-match", "1", "--merge", R"({"n": 2})"}).code, 0);
    ASSERT_EQ(run({"cancel", id, "--reason", "enough"}).code, 0);
    const Ran all = run({"history", id, "-o", "json"});
    ASSERT_EQ(all.code, 0) << all.err;
    const bj::array items = bj::parse(all.out).at("items").as_array();
    ASSERT_EQ(items.size(), 3u);
    EXPECT_EQ(items[1].at("payload"), bj::parse(R"({"n": 2})"));
    EXPECT_EQ(bj::parse(run({"history", id, "--from", "3", "-o", "jsonl"}).out).at("version"), 3);
}

TEST_F(CommandLine, AnEndedWorkflowDoesNotChange) {
    const std::string id = started_id("{}");
    EXPECT_EQ(run({"cancel", id}).code, 0);
    const Ran again = run({"cancel", id, "-o", "json"});
    EXPECT_EQ(again.code, 0);
    EXPECT_EQ(bj::parse(again.out).at("cancelled"), false);
    EXPECT_EQ(run({"patch", id, "--if-match", "*", "--merge", "{}"}).code, 3);
}

TEST_F(CommandLine, ASecondServerOnTheSameFileIsRefused) {
    const Ran ran = run({"serve", "--store", "sqlite:" + place_->file("cli.db"), "--listen",
                         "127.0.0.1:0", "--log-level", "off"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_FALSE(ran.err.empty());
}

// Creates an approval task, as an outside runner does.
std::string create_task(const std::string& workflow) {
    auto connection = http::ClientConnection::to(std::getenv("HOLDFAST_SERVER"));
    http::Headers headers;
    headers.add("Content-Type", "application/json");
    const auto created = connection->exchange(
        http::Method::post, "/api/v1/workflows/" + workflow + "/tasks", headers,
        R"({"run": 1, "index": 0, "name": "approve", "candidateGroups": ["boss"],
            "expectedOutputs": ["ok"]})");
    EXPECT_TRUE(created && created->status == 201);
    return std::string(bj::parse(created->body).at("id").as_string());
}

TEST_F(CommandLine, TasksAreFoundByTheBusinessReferenceOfTheirWorkflow) {
    const std::string id(
        started({"--business-key", "cli-17", "--part", "country=NL", "--part", "number=17"})
            .at("id")
            .as_string());
    const std::string task = create_task(id);
    for (const std::vector<std::string>& filter :
         {std::vector<std::string>{"--business-key", "cli-17"},
          {"--part", "country=NL", "--part", "number=17"},
          {"--part", "number=17", "--state", "open", "--group", "boss"}}) {
        std::vector<std::string> arguments{"tasks", "list"};
        arguments.insert(arguments.end(), filter.begin(), filter.end());
        const Ran listed = run(arguments);
        EXPECT_EQ(listed.code, 0) << listed.err;
        EXPECT_EQ(listed.out, task + "  created  v1  approve  cli-17\n");
    }
    EXPECT_EQ(run({"tasks", "list", "--part", "number=18"}).out, "");
    EXPECT_EQ(run({"tasks", "list", "--part", "number"}).code, 2);
}

TEST_F(CommandLine, PeopleWorkOnTasks) {
    const std::string id = started_id("{}");
    const std::string task = create_task(id);
    const Ran listed = run({"tasks", "list", "--workflow", id, "--group", "boss", "-o", "json"});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_EQ(bj::parse(listed.out).at("items").at(0).at("id"), bj::value(task));
    EXPECT_NE(run({"tasks", "list", "--workflow", id}).out.find(task + "  created  v1  approve"),
              std::string::npos);
    EXPECT_TRUE(run({"tasks", "list", "--workflow", id, "--state", "failed"}).out.empty());

    EXPECT_EQ(run({"tasks", "claim", task, "--as", "eve"}).code, 1) << "she is not in the group";
    const Ran claimed = run({"tasks", "claim", task, "--as", "ann", "--in", "clerk", "--in", "boss",
                             "--if-match", "1"});
    EXPECT_EQ(claimed.code, 0) << claimed.err;
    EXPECT_NE(claimed.out.find("claimed  v2"), std::string::npos) << claimed.out;
    const Ran second = run({"tasks", "claim", task, "--as", "bob", "--in", "boss"});
    EXPECT_EQ(second.code, 3);
    EXPECT_NE(second.err.find("ann"), std::string::npos) << second.err;

    EXPECT_EQ(run({"tasks", "release", task, "--user", "ann"}).code, 0);
    EXPECT_EQ(run({"tasks", "assign", task, "--as", "boss", "--to", "ann"}).code, 0);
    EXPECT_EQ(run({"tasks", "delegate", task, "--as", "ann", "--to", "bob"}).code, 0);
    EXPECT_EQ(run({"tasks", "claim", task, "--as", "bob"}).code, 0);
    EXPECT_EQ(run({"tasks", "complete", task, "--as", "bob"}).code, 1) << "an output is missing";
    EXPECT_EQ(run({"tasks", "complete", task, "--as", "bob", "--if-match", "1"}).code, 3);
    const Ran done = run(
        {"tasks", "complete", task, "--as", "bob", "--outputs", R"({"ok": true})", "-o", "json"});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(bj::parse(done.out).at("state"), bj::value("completed"));

    const Ran shown = run({"tasks", "show", task});
    EXPECT_NE(shown.out.find("completed"), std::string::npos) << shown.out;
    const Ran events = run({"tasks", "show", task, "--events", "-o", "jsonl"});
    EXPECT_EQ(bj::parse(events.out).at("items").as_array().size(), 7u) << events.out;
    EXPECT_EQ(run({"tasks", "show", id}).code, 4);
}

TEST_F(CommandLine, ATaskFailsOrIsCancelled) {
    const std::string failing = create_task(started_id("{}"));
    EXPECT_EQ(run({"tasks", "claim", failing, "--as", "ann", "--in", "boss"}).code, 0);
    const Ran failed =
        run({"tasks", "fail", failing, "--as", "ann", "--error", R"("lost")", "-o", "jsonl"});
    EXPECT_EQ(failed.code, 0) << failed.err;
    EXPECT_EQ(bj::parse(failed.out).at("error"), bj::value("lost"));
    const std::string cancelled = create_task(started_id("{}"));
    EXPECT_EQ(run({"tasks", "cancel", cancelled, "--as", "boss"}).code, 0);
    for (const std::vector<std::string>& misuse :
         {std::vector<std::string>{"tasks"},
          {"tasks", "claim", failing},  // nobody acts
          {"tasks", "assign", failing, "--as", "ann"},
          {"tasks", "complete", failing, "--as", "ann", "--outputs", "{"}})
        EXPECT_EQ(run(misuse).code, 2) << misuse.back();
}

TEST_F(CommandLine, AnEventIsSentLaterAndCancelled) {
    const std::string id = started_id("{}");
    const Ran sent = run({"events", "send", "paid", "--to", id, "--value", R"({"n": 1})", "--after",
                          "1h", "-o", "json"});
    ASSERT_EQ(sent.code, 0) << sent.err;
    const std::string event(bj::parse(sent.out).at("id").as_string());
    const Ran shown = run({"events", "show", event});
    EXPECT_NE(shown.out.find("scheduled"), std::string::npos) << shown.out;
    EXPECT_EQ(run({"events", "cancel", event}).out, "cancelled " + event + "\n");
    EXPECT_NE(run({"events", "show", event}).out.find("cancelled"), std::string::npos);
    const Ran now = run({"events", "send", "paid", "--to", id});
    EXPECT_EQ(now.out.rfind("queued ", 0), 0u) << now.out;
    EXPECT_EQ(run({"events", "send", "paid", "--value", "{"}).code, 2);
    EXPECT_EQ(run({"events", "cancel", id}).code, 4);
}

TEST_F(CommandLine, TheTimersOfAWorkflowAreCancelled) {
    const std::string id = started_id("{}");
    const Ran cancelled = run({"timers", "cancel", id});
    EXPECT_EQ(cancelled.out, "cancelled 0 timers of " + id + "\n") << cancelled.err;
}

}  // namespace
}  // namespace holdfast::cli
