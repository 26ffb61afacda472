#include "faults/effects.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace holdfast::testing {

namespace fs = std::filesystem;

EffectFile::EffectFile() : path_(fs::temp_directory_path() / "holdfast-effects-XXXXXX") {
    const int fd = ::mkstemp(path_.data());
    if (fd < 0) throw std::runtime_error("cannot create a temporary file");
    ::close(fd);
}

EffectFile::~EffectFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
}

ProcessSetting EffectFile::setting() const {
    return {.program = fs::path(holdfast_binary()).parent_path() / "fault_node",
            .environment = {std::string(effects_variable) + "=" + path_}};
}

std::vector<Effect> EffectFile::read() const { return read_effects(path_); }

std::string to_line(const Effect& effect) {
    std::ostringstream line;
    line << static_cast<char>(effect.kind) << ' ' << effect.instance << ' ' << effect.index << ' '
         << effect.attempt << ' ' << effect.node << ' ' << effect.at.time_since_epoch().count()
         << '\n';
    return line.str();
}

std::vector<Effect> read_effects(const std::string& path) {
    std::vector<Effect> effects;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        Effect effect;
        char kind = 0;
        std::chrono::steady_clock::rep ticks = 0;
        fields >> kind >> effect.instance >> effect.index >> effect.attempt >> effect.node >> ticks;
        if (!fields) continue;  // a node was killed while it wrote the line
        effect.kind = static_cast<EffectKind>(kind);
        effect.at =
            std::chrono::steady_clock::time_point(std::chrono::steady_clock::duration(ticks));
        effects.push_back(std::move(effect));
    }
    return effects;
}

std::vector<double> take_overs(const std::vector<Effect>& effects, const NodeFault& fault) {
    std::map<std::string, const Effect*> held;
    std::vector<double> milliseconds;
    for (const Effect& effect : effects) {
        if (effect.at <= fault.at) {
            if (effect.kind == EffectKind::began && effect.node == fault.node)
                held[effect.instance] = &effect;
            else
                held.erase(effect.instance);
            continue;
        }
        const auto found = held.find(effect.instance);
        if (found == held.end()) continue;
        // Recorded by a commit in flight at the fault, or continued by the same node: not a
        // take-over.
        if (effect.node != fault.node && effect.kind == EffectKind::began)
            milliseconds.push_back(
                std::chrono::duration<double, std::milli>(effect.at - fault.at).count());
        held.erase(found);
    }
    return milliseconds;
}

std::vector<std::string> inconsistencies(const std::vector<Effect>& effects,
                                         const std::vector<RelayFacts>& facts) {
    std::map<std::pair<std::string, std::uint64_t>, std::pair<int, int>> done;
    for (const Effect& effect : effects) {
        auto& [begun, recorded] = done[{effect.instance, effect.index}];
        ++(effect.kind == EffectKind::began ? begun : recorded);
    }
    std::vector<std::string> wrong;
    for (const RelayFacts& relay : facts)
        for (const RowFact& row : relay.rows)
            if (row.type == HistoryType::step_recorded &&
                done[{relay.ids.front(), row.index.value_or(0)}].first == 0)
                wrong.push_back(relay.ids.front() + ": a step was recorded that no node began");
    for (const auto& [place, counts] : done)
        if (counts.second > 1)
            wrong.push_back(place.first + ": a step was recorded more than once");
    return wrong;
}

}  // namespace holdfast::testing
