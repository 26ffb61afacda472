// One workflow starts a thousand children and adds up their results.
#include <cstdio>
#include <cstdlib>

#include "holdfast/node.h"

using holdfast::Context;
using holdfast::Flow;

Flow<long> count_words(Context& ctx, int page) {
    co_return co_await ctx.step("count", [page] { return 250L + page % 7; });
}

Flow<long> count_book(Context& ctx, int pages) {
    std::vector<Context::Wait<long>> children;
    for (int page = 0; page < pages; ++page)
        children.push_back(ctx.child<long>("count_words", page));
    long words = 0;
    for (const long each : co_await ctx.all(children)) words += each;
    co_return words;
}

int main(int argc, char** argv) {
    holdfast::Node node{argc > 1 ? argv[1] : "memory:"};
    node.add("count_words", count_words);
    node.add("count_book", count_book);

    // With a key, a restarted program waits for the same workflow instead of starting another.
    const int pages = argc > 2 ? std::atoi(argv[2]) : 1'000;
    const std::string book = node.start("count_book", pages, holdfast::StartOptions{.key = "book"});
    std::printf("%d pages, %ld words\n", pages, node.result<long>(book));
}
