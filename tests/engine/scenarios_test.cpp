// The text scenarios of tests/scenarios: each in memory, and on SQLite with a restart after each
// line.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/process_state.h"
#include "node/rehearsal_script.h"
#include "support/parsed_json.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

std::filesystem::path scenarios() {
    return std::filesystem::path(std::getenv("HOLDFAST_SOURCE")) / "tests" / "scenarios";
}

std::string content_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Scenario {
public:
    explicit Scenario(const std::string& url) : rehearsal_(url) {}

    Result<void> perform(std::string_view line) {
        std::string_view rest = line;
        const std::string word = take_word(rest);
        if (word == "expect") return expect(rest);
        Result<void> done;
        if (word == "deploy")
            done = deploy(rest);
        else if (word == "start")
            done = start(rest);
        else
            done = holdfast::perform(rehearsal_, line);
        rehearsal_.reopen();
        return done;
    }

private:
    Result<void> deploy(std::string_view name) {
        const auto path = scenarios() / "models" / (std::string(name) + ".bpmn");
        HF_CHECK(rehearsal_.deploy(content_of_file(path)));
        return {};
    }
    Result<void> start(std::string_view rest) {
        const std::string key = take_word(rest);
        HF_TRY(const bj::object variables, read_values(rest));
        HF_CHECK(rehearsal_.start(key, variables));
        return {};
    }

    Result<void> expect(std::string_view rest) {
        const std::string what = take_word(rest);
        if (what == "waits") return same(waiting(), std::string(rest));
        if (what == "instances") return expect_instances(rest);
        const Instance last = rehearsal_.read(*rehearsal_.last());
        if (what == "incident")
            return same(last.incident ? last.last_error.value_or("") : "none", std::string(rest));
        if (what == "variables") return expect_variables(engine::variables_of(last.state), rest);
        return same(std::string(name_of(last.status)), what);
    }
    // Sorted, as the lists of the scenarios are compared.
    std::string waiting() {
        std::vector<std::string> elements;
        for (const auto& open : rehearsal_.open()) elements.push_back(open.element);
        return sorted(std::move(elements));
    }
    static std::string sorted(std::vector<std::string> words) {
        std::ranges::sort(words);
        std::string text;
        for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
        return text;
    }
    static std::vector<std::string> words_of(const std::string& list) {
        std::vector<std::string> words;
        for (std::size_t at = 0; at < list.size();) {
            const std::size_t comma = std::min(list.find(", ", at), list.size());
            words.push_back(list.substr(at, comma - at));
            at = comma + 2;
        }
        return words;
    }
    static Result<void> same(const std::string& found, const std::string& wanted) {
        if (found == sorted(words_of(wanted))) return {};
        return fail(ErrorCode::conflict, "found: " + found);
    }
    static Result<void> expect_variables(const bj::object& found, std::string_view rest) {
        HF_TRY(const bj::object wanted, read_values(rest));
        for (const auto& member : wanted) {
            const bj::value* value = found.if_contains(member.key());
            if (!value || *value != member.value())
                return fail(ErrorCode::conflict, "found: " + bj::serialize(found));
        }
        return {};
    }
    Result<void> expect_instances(std::string_view rest) {
        const std::string key = take_word(rest);
        const std::string number = take_word(rest);
        const auto instances = rehearsal_.instances();
        const auto count = std::ranges::count_if(instances, [&](const Instance& instance) {
            return instance.definition.key == key && name_of(instance.status) == rest;
        });
        return same(std::to_string(count), number);
    }

    Rehearsal rehearsal_;
};

void play(const std::filesystem::path& path, const std::string& url) {
    Scenario scenario(url);
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.empty() || line.starts_with('#')) continue;
        const auto done = scenario.perform(line);
        ASSERT_TRUE(done.has_value()) << path.filename() << ":" << number << ": " << line << "\n"
                                      << done.error().message;
    }
}

std::vector<std::filesystem::path> all_scenarios() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(scenarios()))
        if (entry.path().extension() == ".txt") paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

TEST(Scenarios, PassInMemory) {
    const auto paths = all_scenarios();
    EXPECT_GE(paths.size(), 12u);
    for (const auto& path : paths) play(path, "memory:");
}

TEST(Scenarios, PassWithARestartAfterEveryLine) {
    for (const auto& path : all_scenarios()) {
        const StorePlace place("sqlite");
        play(path, place.url());
    }
}

TEST(Scenarios, AnUnknownWordAndWhatNothingWaitsForAreErrors) {
    Rehearsal rehearsal;
    ASSERT_TRUE(rehearsal.deploy(content_of_file(scenarios() / "models" / "call.bpmn")));
    ASSERT_TRUE(rehearsal.start("call", bj::object{}));
    for (const char* line : {"dance", "complete nowhere", "job box {}", "retry box", "advance soon",
                             "advance", "complete box 7"})
        EXPECT_FALSE(perform(rehearsal, line)) << line;
    EXPECT_TRUE(perform(rehearsal, "complete box"));
}

}  // namespace
}  // namespace holdfast::testing
