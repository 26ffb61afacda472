// Kills and restarts nodes while many clients read the stream of changes, and compares what each
// has got with the history.
//
//     campaign_stream [--kills N] [--readers N] [--seed S]
#include "faults/stream.h"

#include <charconv>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

namespace {

using holdfast::testing::StreamPlan;

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

bool read_arguments(int count, char** values, StreamPlan& plan) {
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string_view name = values[i];
        if (name == "--kills" && read_number(values[i + 1], plan.kills)) continue;
        if (name == "--readers" && read_number(values[i + 1], plan.readers)) continue;
        if (name == "--seed" && read_number(values[i + 1], plan.seed)) continue;
        return false;
    }
    return count % 2 == 1;
}

}  // namespace

int main(int count, char** values) {
    StreamPlan plan;
    plan.seed = static_cast<std::uint64_t>(
        std::chrono::steady_clock::now().time_since_epoch().count() % 1'000'000);
    if (!read_arguments(count, values, plan)) {
        std::fprintf(stderr, "usage: campaign_stream [--kills N] [--readers N] [--seed S]\n");
        return 2;
    }
    try {
        std::printf("seed %llu\n", static_cast<unsigned long long>(plan.seed));
        const auto report = follow_through_kills(plan);
        std::printf("%zu readers, %d kills: %s\n%s\n", plan.readers, plan.kills,
                    report.figures().c_str(), report.is_clean() ? "passed" : "FAILED");
        return report.is_clean() ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "campaign_stream: %s\n", error.what());
        return 1;
    }
}
