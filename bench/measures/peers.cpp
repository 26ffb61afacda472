#include "measures/peers.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace holdfast::bench {
namespace {

// The best rate of each peer, by workload and peer.
using Rates = std::map<std::pair<std::string, std::string>, double>;

Rates read_rates(const std::filesystem::path& results, const std::vector<PeerWorkload>& workloads) {
    std::ifstream lines(results);
    if (!lines) throw std::runtime_error("the harness wrote no " + results.string());
    Rates rates;
    for (std::string line; std::getline(lines, line);) {
        boost::json::error_code invalid;
        const boost::json::value parsed = boost::json::parse(line, invalid);
        const auto* result = parsed.if_object();
        if (invalid || !result || !result->contains("peer") || !result->contains("w")) continue;
        for (const PeerWorkload& workload : workloads) {
            const auto* rate = result->if_contains(workload.member);
            if (!rate || !rate->is_number() || result->at("w").as_string() != workload.theirs)
                continue;
            double& best = rates[{workload.theirs, std::string(result->at("peer").as_string())}];
            best = std::max(best, rate->to_number<double>());
        }
    }
    return rates;
}

std::filesystem::path results_folder() {
    if (const char* given = std::getenv("PEERS_TMP")) return given;
    std::string name = std::filesystem::temp_directory_path() / "peers.XXXXXX";
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
    ::setenv("PEERS_TMP", name.c_str(), 1);
    return name;
}

}  // namespace

void compare_with_peers(const std::string& folder, const std::vector<PeerWorkload>& workloads,
                        const std::vector<std::string>& stores, const Samples& samples,
                        Report& report) {
    const std::filesystem::path results = results_folder();
    const auto script = std::filesystem::canonical(std::filesystem::path(folder) / "run-all.sh");
    // Its table goes to the standard error: the standard output has the figures of this bench.
    if (std::system(("'" + script.string() + "' >&2").c_str()) != 0)
        throw std::runtime_error(script.string() + " failed");
    const Rates rates = read_rates(results / "results.jsonl", workloads);
    for (const PeerWorkload& workload : workloads) {
        for (const auto& [name, rate] : rates) {
            if (name.first != workload.theirs || rate <= 0) continue;
            report.add({name.first, name.second, workload.metric, rate, "1/s", {}});
            for (const std::string& store : stores)
                if (const double own = samples.best(workload.ours, store, workload.metric); own > 0)
                    report.add({name.first + " against " + name.second,
                                store,
                                "times",
                                own / rate,
                                "x",
                                {}});
        }
    }
}

}  // namespace holdfast::bench
