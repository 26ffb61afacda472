#include "support/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace holdfast::testing {
namespace {

std::string path_of(const std::string& name) {
    const char* source = std::getenv("HOLDFAST_SOURCE");
    EXPECT_NE(source, nullptr) << "run this through ctest, or set HOLDFAST_SOURCE";
    return std::string(source ? source : ".") + "/tests/golden/" + name;
}

}  // namespace

std::string golden(const std::string& name) {
    std::ifstream file(path_of(name));
    return {std::istreambuf_iterator<char>(file), {}};
}

void expect_golden(const std::string& name, const std::string& text) {
    if (std::getenv("HOLDFAST_UPDATE_GOLDEN")) std::ofstream(path_of(name)) << text;
    EXPECT_EQ(text, golden(name)) << name;
}

}  // namespace holdfast::testing
