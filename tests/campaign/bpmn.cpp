// Random walks through random BPMN models: the engine, the engine with its store closed and opened
// after every step, and a simple interpreter agree after each of them.
//
//     campaign_bpmn [--models N] [--reloaded N] [--first SEED]
//
// `--reloaded`: how many of them are also reloaded.
#include <CLI/CLI.hpp>
#include <iostream>

#include "base/log.h"
#include "engine/walks/walk.h"
#include "support/world.h"

namespace holdfast::walks {
namespace {

struct Arguments {
    std::uint64_t first = 1;
    std::uint64_t models = 10'000;
    std::uint64_t reloaded = 1'000;
};

int run(const Arguments& arguments) {
    const testing::StorePlace place("sqlite");
    const std::string path = place.url().substr(std::string("sqlite:").size());
    const std::string folder = path.substr(0, path.rfind('/'));
    std::size_t findings = 0;
    std::size_t steps = 0;
    std::size_t ended = 0;
    std::size_t endless = 0;
    Covered covered;
    for (std::uint64_t n = 0; n < arguments.models; ++n) {
        const std::uint64_t seed = arguments.first + n;
        const Walked walked = walk(seed, n < arguments.reloaded ? folder : "", &covered);
        steps += walked.steps;
        ended += walked.ended;
        endless += walked.endless;
        if (!walked.finding.empty() && ++findings <= 5)
            std::cout << "seed " << seed << ": " << walked.finding << "\n";
        if ((n + 1) % 1'000 == 0) std::cerr << n + 1 << " models, " << findings << " findings\n";
    }
    std::cout << arguments.models << " models, " << steps << " steps, " << ended << " ended, "
              << endless << " move without end, " << std::min(arguments.reloaded, arguments.models)
              << " reloaded after every step, " << covered.kinds.size()
              << " kinds of elements: " << findings << " findings\n";
    return findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace holdfast::walks

int main(int argc, char** argv) {
    holdfast::walks::Arguments arguments;
    CLI::App app{"Random walks through random BPMN models"};
    app.add_option("--models", arguments.models, "how many");
    app.add_option("--reloaded", arguments.reloaded, "of them, with a reload after every step");
    app.add_option("--first", arguments.first, "the first seed");
    CLI11_PARSE(app, argc, argv);
    holdfast::log::set_level(holdfast::log::Level::off);
    return holdfast::walks::run(arguments);
}
