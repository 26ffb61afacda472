// Commands that find, repair and complete.
#include "command_line.h"
#include "support/eventually.h"

namespace holdfast::cli {
namespace {

TEST_F(CommandLine, AWorkflowIsNamedByItsBusinessKey) {
    const bj::object one = started({"--business-key", "key-1"});
    const std::string id(one.at("id").as_string());
    EXPECT_NE(run({"show", "key-1"}).out.find(id), std::string::npos);
    EXPECT_EQ(run({"workflows", "pause", "key-1"}).out, "paused " + id + " (version 2)\n");
    EXPECT_NE(run({"show", "key-1"}).out.find("paused"), std::string::npos);
    EXPECT_EQ(run({"resume", "key-1"}).out, "resumed " + id + " (version 3)\n");
    started({"--business-key", "key-1"});
    const Ran several = run({"show", "key-1"});
    EXPECT_EQ(several.code, 1);
    EXPECT_NE(several.err.find("list --business-key key-1"), std::string::npos) << several.err;
    EXPECT_EQ(run({"show", "key-0"}).code, 4);
}

TEST_F(CommandLine, AResultIsWaitedFor) {
    const std::string id = started_id("{}");
    const Ran open = run({"result", id});
    EXPECT_EQ(open.code, 1);
    EXPECT_NE(open.err.find("--wait"), std::string::npos) << open.err;
    EXPECT_EQ(run({"cancel", id, "--reason", "no need"}).code, 0);
    const Ran ended = run({"workflows", "result", id, "--wait"});
    EXPECT_EQ(ended.code, 1);
    EXPECT_EQ(ended.out.rfind("cancelled", 0), 0u) << ended.out;
    EXPECT_NE(run({"show", id}).out.find("cancelled   no need"), std::string::npos);
}

TEST_F(CommandLine, CheckpointsAreCreatedRestoredAndForked) {
    const std::string id = started_id(R"({"n": 1})");
    EXPECT_EQ(run({"checkpoints", "create", id, "before"}).code, 0);
    EXPECT_EQ(run({"patch", id, "--if-match", "*", "--merge", R"({"n": 2})"}).code, 0);
    EXPECT_EQ(run({"checkpoints", "list", id}).out.rfind("before  version 1", 0), 0u);
    EXPECT_EQ(run({"checkpoints", "restore", id, "before", "--if-match", "*"}).code, 0);
    EXPECT_NE(run({"show", id}).out.find("\"n\": 1"), std::string::npos);
    const Ran forked = run({"checkpoints", "fork", id, "before", "-o", "json"});
    ASSERT_EQ(forked.code, 0) << forked.err;
    EXPECT_NE(std::string(bj::parse(forked.out).at("id").as_string()), id);
    EXPECT_EQ(run({"checkpoints", "restore", id, "nowhere", "--if-match", "*"}).code, 4);
}

TEST_F(CommandLine, ListsWhatTheServerKeeps) {
    const std::string id = started_id(R"({"n": 1})");
    EXPECT_EQ(run({"patch", id, "--if-match", "9", "--merge", R"({"n": 2})"}).code, 3);
    EXPECT_NE(run({"conflicts", "list", "--workflow", id}).out.find(id), std::string::npos);
    EXPECT_NE(run({"definitions", "list"}).out.find("order  version "), std::string::npos);
    EXPECT_EQ(run({"definitions", "show", "order"}).code, 0);
    EXPECT_EQ(run({"definitions", "model", "order"}).code, 4) << "it has none";
    EXPECT_EQ(run({"stranded", "list"}).code, 0);
    const Ran sent = run(
        {"events", "send", "late", "--to", id, "--on-target-ended", "deadLetter", "-o", "json"});
    const std::string event(bj::parse(sent.out).at("id").as_string());
    EXPECT_EQ(run({"cancel", id}).code, 0);
    EXPECT_NE(run({"dead-events", "list"}).out.find(event), std::string::npos);
    EXPECT_NE(run({"dead-events", "show", event}).out.find("late"), std::string::npos);
    const std::string other = started_id("{}");
    EXPECT_EQ(run({"dead-events", "replay", event, "--to", other}).out,
              "replayed " + event + ": queued\n");
}

TEST_F(CommandLine, ACommandThatDoesNotExistGetsTheNearestName) {
    const Ran top = run({"lsit"});
    EXPECT_EQ(top.code, 2);
    EXPECT_NE(top.err.find("did you mean 'list'?"), std::string::npos) << top.err;
    EXPECT_NE(run({"events", "sent", "x"}).err.find("did you mean 'send'?"), std::string::npos);
    EXPECT_EQ(run({"xyzzyx"}).err,
              "holdfast: there is no command 'holdfast xyzzyx'; 'holdfast "
              "--help' lists them\n");
}

TEST_F(CommandLine, AWorkflowIsNamedByItsBusinessKeyEverywhere) {
    ASSERT_EQ(run({"start", "order", "--business-key", "named-1", "--state", "{}"}).code, 0);
    const Ran sent = run({"events", "send", "paid", "--to", "named-1"});
    EXPECT_EQ(sent.code, 0) << sent.err;
    EXPECT_NE(sent.out.find("queued"), std::string::npos) << sent.out;
    for (const std::vector<std::string>& list : {std::vector<std::string>{"tasks", "list"},
                                                 {"incidents"},
                                                 {"jobs"},
                                                 {"conflicts", "list"},
                                                 {"dead-letters", "list"}}) {
        std::vector<std::string> words = list;
        words.insert(words.end(), {"--workflow", "named-1"});
        EXPECT_EQ(run(words).code, 0) << list.front();
        words.back() = "nobody";
        EXPECT_EQ(run(words).code, 4) << list.front();
    }
    EXPECT_EQ(run({"timers", "cancel", "named-1"}).code, 0);
}

TEST_F(CommandLine, APageThatIsNotTheLastSaysSoInEveryFormat) {
    const std::string id = started_id("{}");
    for (int i = 0; i < 2; ++i) run({"patch", id, "--if-match", "9", "--merge", "{}"});
    const Ran cut = run({"conflicts", "list", "--workflow", id, "--limit", "1", "-o", "jsonl"});
    EXPECT_EQ(std::ranges::count(cut.out, '\n'), 1);
    EXPECT_NE(cut.err.find("there are more; next page: --cursor "), std::string::npos) << cut.err;
}

TEST_F(CommandLine, AWatchPrintsEachChangeAtOnceAlsoIntoAFile) {
    const Directory place;
    const pid_t watch = spawn({"watch"}, place);
    EXPECT_TRUE(testing::eventually([&] {
        started_id("{}");  // one of them after the watch has begun
        return content_of(place.file("stdout")).find("Started") != std::string::npos;
    }));
    ::kill(watch, SIGTERM);
    exit_code_of(watch);
}

TEST_F(CommandLine, AFanOutThatReachesNobodySaysSo) {
    const Ran sent = run({"events", "send", "unheard", "--to-all"});
    EXPECT_EQ(sent.out, "fanned out to nobody: no workflow waits for it, the event is dropped\n");
}

TEST_F(CommandLine, TheManualNamesEveryFlag) {
    const std::string manual = run({"man"}).out;
    for (const char* flag : {"\\-\\-if\\-match", "\\-\\-store", "\\-\\-to\\-all"})
        EXPECT_NE(manual.find(flag), std::string::npos) << flag;
    EXPECT_EQ(manual.find(".B \n"), std::string::npos);
}

// The completion scripts come from the table of commands; bash runs the one for bash.
TEST_F(CommandLine, CompletesCommandsAndFlags) {
    const std::string script = place_->file("completion");
    std::ofstream(script) << run({"completion", "bash"}).out;
    const auto completed = [&](const std::string& words) {
        const std::string out = place_->file("completed");
        const std::string command = "bash -c '. " + script + "; COMP_WORDS=(holdfast " + words +
                                    "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _holdfast; "
                                    "echo \"${COMPREPLY[*]}\"' > " +
                                    out;
        EXPECT_EQ(std::system(command.c_str()), 0);
        return content_of(out);
    };
    EXPECT_EQ(completed("dead-l"), "dead-letters\n");
    EXPECT_EQ(completed("events se"), "send\n");
    EXPECT_EQ(completed("events send paid --exp"), "--expire-after\n");
    for (const char* shell : {"zsh", "fish"}) {
        const std::string text = run({"completion", shell}).out;
        for (const char* word : {"dead-letters", "--expire-after", "checkpoints"})
            EXPECT_NE(text.find(word), std::string::npos) << shell << ' ' << word;
    }
    const std::string manual = run({"man"}).out;
    EXPECT_EQ(manual.rfind(".TH HOLDFAST 1", 0), 0u);
    EXPECT_NE(manual.find(".SS events send"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::cli
