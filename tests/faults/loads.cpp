#include "faults/loads.h"

namespace holdfast::testing {
namespace {

RelayOptions run_by_nodes(RelayOptions options) {
    options.name = "program";
    options.runner = Runner::nodes;
    return options;
}

}  // namespace

Loads::Loads(const RelayOptions& outside_options, const RelayOptions& inside_options,
             const std::vector<std::string>& urls)
    : outside(outside_options, urls), inside(run_by_nodes(inside_options), urls) {}

void Loads::move(std::size_t node, const std::string& url) {
    outside.move(node, url);
    inside.move(node, url);
}

void Loads::judge(const std::string& url, const EffectFile& effects, FaultReport& report) {
    testing::judge(outside, url, report);
    const auto facts = testing::judge(inside, url, report);
    for (const std::string& what : inconsistencies(effects.read(), facts))
        report.findings.otherwise.push_back(what);
}

}  // namespace holdfast::testing
