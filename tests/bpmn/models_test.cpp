// The models of tests/bpmn/models with everything that is found in them. After a deliberate change
// run once with HOLDFAST_UPDATE_GOLDEN=1 and review the diff.
#include "models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace holdfast::bpmn {
namespace {

namespace fs = std::filesystem;

fs::path source_folder() {
    const char* source = std::getenv("HOLDFAST_SOURCE");
    return fs::path(source ? source : ".");
}

std::string file_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> model_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(source_folder() / "tests/bpmn/models"))
        if (entry.path().extension() == ".bpmn") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::string found_in(const Compiled& compiled) {
    std::string text = compiled.model ? "accepted:" : "refused";
    if (compiled.model)
        for (const Process& process : compiled.model->processes)
            text += " " + process.id + " (" + std::to_string(process.nodes.size()) + " nodes, " +
                    std::to_string(process.flows.size()) + " flows)";
    return text + "\n" + problem_texts(compiled);
}

TEST(Models, EveryModelHasTheProblemsOfItsGoldenFile) {
    ASSERT_GE(model_files().size(), 9u);
    for (const fs::path& path : model_files()) {
        fs::path expected = path;
        expected.replace_extension(".txt");
        const std::string found = found_in(compile(file_text(path)));
        if (std::getenv("HOLDFAST_UPDATE_GOLDEN")) std::ofstream(expected) << found;
        EXPECT_EQ(found, file_text(expected)) << path;
    }
}

TEST(Models, CompilingTwiceGivesTheSame) {
    for (const fs::path& path : model_files()) {
        const std::string text = file_text(path);
        EXPECT_EQ(found_in(compile(text)), found_in(compile(text))) << path;
    }
}

// The other kinds are those of files that are no XML or too large; they have tests of their own.
TEST(Models, EveryKindOfProblemOccursInAModel) {
    std::set<ProblemKind> found{ProblemKind::too_large,         ProblemKind::bad_encoding,
                                ProblemKind::doctype,           ProblemKind::malformed_xml,
                                ProblemKind::too_deep,          ProblemKind::too_many_elements,
                                ProblemKind::not_bpmn,          ProblemKind::too_many_problems,
                                ProblemKind::unknown_extension, ProblemKind::unsupported};
    for (const fs::path& path : model_files())
        for (const Problem& problem : compile(file_text(path)).problems) found.insert(problem.kind);
    for (std::size_t i = 0; i < problem_kinds; ++i)
        EXPECT_TRUE(found.contains(static_cast<ProblemKind>(i)))
            << name_of(static_cast<ProblemKind>(i));
}

TEST(Models, TheReferenceListsEveryKindOfProblem) {
    const std::string page = file_text(source_folder() / "docs/reference/bpmn.md");
    for (std::size_t i = 0; i < problem_kinds; ++i) {
        const std::string name(name_of(static_cast<ProblemKind>(i)));
        EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace holdfast::bpmn
