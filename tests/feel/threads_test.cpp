// One expression, many threads.
#include <atomic>
#include <thread>

#include "expect.h"

namespace holdfast::feel {
namespace {

TEST(Threads, ShareAnExpression) {
    const auto expression = parse(
        "{f: function(n) if n < 2 then \"a long text that is shared by all\" else f(n - 1), "
        "r: [f(10), matches(name, \"^A\"), amount * 2, sort(list, function(a, b) a < b), "
        "@\"2024-03-31T01:30:00@Europe/Berlin\" + duration(\"PT1H\")]}.r");
    ASSERT_TRUE(expression);
    const boost::json::object variables{
        {"name", "Ada"}, {"amount", 21}, {"list", boost::json::array{3, 1, 2}}};
    const std::string expected = shown(evaluate(*expression, Scope(variables)).value);
    std::atomic<int> different = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                const Expression mine = *expression;
                for (int n = 0; n < 300; ++n)
                    if (shown(evaluate(mine, Scope(variables)).value) != expected) ++different;
            });
    }
    EXPECT_EQ(different, 0);
}

TEST(Threads, ShareValuesThatOutliveTheirExpression) {
    Scope scope;
    {
        const auto made = parse("{greet: function(n) \"hello dear \" + n, deep: [[1], [2]]}");
        scope.set("lib", evaluate(*made, Scope()).value);
    }
    std::atomic<int> right = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                const auto use = parse("lib.greet(\"Ada\") = \"hello dear Ada\"");
                for (int n = 0; n < 300; ++n)
                    if (evaluate(*use, scope).value.is_true()) ++right;
            });
    }
    EXPECT_EQ(right, 1200);
}

}  // namespace
}  // namespace holdfast::feel
