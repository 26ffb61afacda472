// suite_bpmn_models FOLDER...: compiles every model in the folders and prints which are refused,
// with their problems, and how many are accepted.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "bpmn/model.h"

namespace {

namespace fs = std::filesystem;
using namespace holdfast;

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> models_in(const fs::path& folder) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension();
        if (entry.is_regular_file() && (extension == ".bpmn" || extension == ".xml"))
            paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t accepted = 0;
    std::size_t refused = 0;
    for (int i = 1; i < argc; ++i) {
        for (const fs::path& path : models_in(argv[i])) {
            const bpmn::Compiled compiled = bpmn::compile(content(path));
            ++(compiled.model ? accepted : refused);
            std::cout << (compiled.model ? "accepted " : "refused  ")
                      << fs::relative(path, argv[i]).string() << "\n";
            for (const bpmn::Problem& problem : compiled.problems)
                std::cout << "    " << text_of(problem) << "\n";
        }
    }
    std::cout << accepted << " accepted, " << refused << " refused\n";
    return 0;
}
