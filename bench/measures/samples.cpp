#include "measures/samples.h"

#include <stdexcept>

namespace holdfast::bench {
namespace {

std::optional<double> median_of(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    return percentile(values, 0.5);
}

}  // namespace

void Samples::compare_with(const std::string& file) {
    std::ifstream lines(file);
    if (!lines) throw std::runtime_error("cannot read " + file);
    for (std::string line; std::getline(lines, line);) {
        const boost::json::value figure = boost::json::parse(line);
        const auto text = [&](const char* member) {
            return std::string(figure.at(member).as_string());
        };
        before_[{text("workload"), text("store"), text("metric")}] =
            figure.at("value").to_number<double>();
    }
}

void Samples::add(const Figure& figure) {
    const FigureName name{figure.workload, figure.store, figure.metric};
    const auto [found, added] = runs_.try_emplace(name);
    if (added) {
        order_.push_back(name);
        found->second.first = figure;
    }
    found->second.values.push_back(figure.value);
    if (figure.raw_limit) found->second.raw_limits.push_back(*figure.raw_limit);
    if (figure.rows_limit) found->second.rows_limits.push_back(*figure.rows_limit);
}

void Samples::report(Report& report) {
    for (const FigureName& name : order_) {
        const Runs& runs = runs_.at(name);
        Figure figure = runs.first;
        figure.value = *median_of(runs.values);
        figure.raw_limit = median_of(runs.raw_limits);
        figure.rows_limit = median_of(runs.rows_limits);
        figure.spread = {std::ranges::min(runs.values), std::ranges::max(runs.values)};
        if (const auto found = before_.find(name); found != before_.end())
            figure.before = found->second;
        report.add(figure);
    }
}

double Samples::best(const std::string& workload, const std::string& store,
                     const std::string& metric) const {
    double best = 0;
    for (const auto& [name, runs] : runs_)
        if (std::get<0>(name).starts_with(workload) && std::get<1>(name) == store &&
            std::get<2>(name) == metric)
            best = std::max(best, *median_of(runs.values));
    return best;
}

}  // namespace holdfast::bench
