#include "bpmn/problem.h"

#include <gtest/gtest.h>

namespace holdfast::bpmn {
namespace {

TEST(Problem, ItsTextHasTheLineTheElementAndTheKind) {
    EXPECT_EQ(text_of({.kind = ProblemKind::timer, .line = 12, .element = "wait", .message = "no"}),
              "line 12, wait: no [timer]");
    EXPECT_EQ(text_of({.kind = ProblemKind::too_large, .message = "too big"}),
              "too big [too_large]");
}

TEST(Problems, OnlyTheFirstThousandAreKept) {
    Problems problems;
    for (std::uint32_t line = 3000; line > 0; --line)
        problems.add({.kind = ProblemKind::item, .line = line, .message = "x"});
    const auto kept = problems.take();
    ASSERT_EQ(kept.size(), Problems::most + 1);
    EXPECT_EQ(kept.front().line, 2001u);
    EXPECT_EQ(kept.back().kind, ProblemKind::too_many_problems);
    EXPECT_EQ(kept.back().line, 0u);
}

}  // namespace
}  // namespace holdfast::bpmn
