// Commands that say why a workflow does not move, and find those that need somebody.
#include <algorithm>

#include "command_line.h"

namespace holdfast::cli {
namespace {

bool has(const Ran& ran, const std::string& text) {
    return ran.out.find(text) != std::string::npos;
}

// The lines of a table, without its head.
std::vector<std::string> rows(const Ran& ran) {
    std::vector<std::string> lines;
    std::istringstream in(ran.out);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    EXPECT_FALSE(lines.empty()) << ran.err;
    if (lines.empty()) return lines;
    EXPECT_EQ(lines.front().rfind("ID ", 0), 0u) << ran.out;
    lines.erase(lines.begin());
    return lines;
}

TEST_F(CommandLine, AListIsATableWithAgesAndReasons) {
    const std::string id(started({"--business-key", "table-1"}).at("id").as_string());
    ASSERT_EQ(run({"pause", id, "--reason", "a storm"}).code, 0);
    const auto lines = rows(run({"list", "--business-key", "table-1"}));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].rfind(id + "  paused  ", 0), 0u) << lines[0];
    EXPECT_NE(lines[0].find("s ago  order"), std::string::npos) << lines[0];
    EXPECT_EQ(lines[0].find('\033'), std::string::npos) << "a file has no colors";
    EXPECT_EQ(run({"list", "--business-key", "nothing"}).out, "");
}

TEST_F(CommandLine, ListsFilterByWhatIsWrong) {
    const std::string first(started({"--business-key", "only-1"}).at("id").as_string());
    const std::string second(started({"--business-key", "only-1"}).at("id").as_string());
    const std::vector<std::string> mine{"list", "--business-key", "only-1"};
    const auto found = [&](std::vector<std::string> more) {
        more.insert(more.begin(), mine.begin(), mine.end());
        std::string ids;
        for (const std::string& line : rows(run(more)))
            ids += line.rfind(first, 0) == 0 ? "1" : line.rfind(second, 0) == 0 ? "2" : "?";
        return ids;
    };
    EXPECT_EQ(found({}), "21");
    EXPECT_EQ(found({"--order", "oldest"}), "12");
    EXPECT_EQ(found({"--updated-from", "1h"}), "21");
    EXPECT_EQ(run({"list", "--updated-before", "1h"}).out, "") << "nothing is that old";
    ASSERT_EQ(run({"pause", second}).code, 0);
    EXPECT_EQ(found({"--only", "paused"}), "2");
    EXPECT_EQ(run({"list", "--business-key", "only-1", "--only", "stuck"}).out, "");
    const Ran wrong = run({"list", "--only", "broken"});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_NE(wrong.err.find("incident, paused, quarantined, retrying or stuck"), std::string::npos)
        << wrong.err;
}

TEST_F(CommandLine, AnIdMayBeShortened) {
    const std::string id = started_id("{}");
    EXPECT_TRUE(has(run({"show", id.substr(0, 30)}), id));
    EXPECT_EQ(run({"show", "00000000-0000"}).code, 4);
    EXPECT_EQ(run({"show", "deadbeef9"}).code, 4) << "no id begins so";
    const std::string other = started_id("{}");
    std::size_t same = 0;
    while (id[same] == other[same]) ++same;
    if (same < 8) return;  // they did not start in one minute
    const Ran several = run({"show", id.substr(0, std::max<std::size_t>(8, same))});
    EXPECT_EQ(several.code, 1);
    EXPECT_NE(several.err.find("give more of it"), std::string::npos) << several.err;
}

TEST_F(CommandLine, ShowSaysThatNobodyHasTheProgram) {
    ASSERT_EQ(run({"define", "needs-worker", "--runner", "worker"}).code, 0);
    const Ran began = run({"start", "needs-worker", "--arguments", R"(["lamp"])", "-o", "json"});
    ASSERT_EQ(began.code, 0) << began.err;
    const std::string id(bj::parse(began.out).at("id").as_string());
    const Ran shown = run({"show", id});
    EXPECT_TRUE(has(shown, "run by      nobody: no live node has the program 'needs-worker'"))
        << shown.out;
    EXPECT_TRUE(has(shown, "arguments   [\"lamp\"]")) << shown.out;
    EXPECT_TRUE(has(shown, "ago)")) << shown.out;
    const Ran json = run({"show", id, "-o", "json"});
    EXPECT_FALSE(bj::parse(json.out).at("why").at("runner").at("programAvailable").as_bool());
}

}  // namespace
}  // namespace holdfast::cli
