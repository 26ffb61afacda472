// What the programs of the fault nodes do to the world: a line in a file that all nodes share, for
// every step that one of them begins and for every record of a step.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "faults/ledger.h"
#include "support/server_process.h"

namespace holdfast::testing {

// The nodes take the path of the file from here.
inline constexpr const char* effects_variable = "FAULT_EFFECTS";

enum class EffectKind : char { began = 'b', recorded = 'r' };

struct Effect {
    EffectKind kind = EffectKind::began;
    std::string instance;
    std::uint64_t index = 0;
    std::uint32_t attempt = 1;
    pid_t node = 0;                            // its process
    std::chrono::steady_clock::time_point at;  // one clock for all processes

    bool operator==(const Effect&) const = default;
};

// The file of one test, and the nodes that write it.
class EffectFile {
public:
    EffectFile();
    ~EffectFile();
    EffectFile(const EffectFile&) = delete;
    EffectFile& operator=(const EffectFile&) = delete;

    // A node with programs.
    ProcessSetting setting() const;
    std::vector<Effect> read() const;

private:
    std::string path_;
};

std::string to_line(const Effect& effect);
// In the order of the file.
std::vector<Effect> read_effects(const std::string& path);

// A node that died or stood still, and when.
struct NodeFault {
    pid_t node = 0;
    std::chrono::steady_clock::time_point at;
};

// Of every step that the node was in the middle of: how long it took until another node began it,
// in milliseconds. Those that nobody took up are not among them.
std::vector<double> take_overs(const std::vector<Effect>& effects, const NodeFault& fault);

// What does not fit: steps that were recorded and never begun, records that two nodes believe in.
std::vector<std::string> misfits(const std::vector<Effect>& effects,
                                 const std::vector<RelayFacts>& facts);

}  // namespace holdfast::testing
