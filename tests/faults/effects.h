// The side effects of the programs on fault nodes: one line in a file shared by all nodes for every
// step that begins and for every step that is recorded.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "faults/ledger.h"
#include "support/server_process.h"

namespace holdfast::testing {

// The environment variable with the path of the file.
inline constexpr const char* effects_variable = "FAULT_EFFECTS";

enum class EffectKind : char { began = 'b', recorded = 'r' };

struct Effect {
    EffectKind kind = EffectKind::began;
    std::string instance;
    std::uint64_t index = 0;
    std::uint32_t attempt = 1;
    pid_t node = 0;                            // the process of the node
    std::chrono::steady_clock::time_point at;  // the same clock in all processes

    bool operator==(const Effect&) const = default;
};

// The effect file of one test.
class EffectFile {
public:
    EffectFile();
    ~EffectFile();
    EffectFile(const EffectFile&) = delete;
    EffectFile& operator=(const EffectFile&) = delete;

    // Starts a node with programs that writes to this file.
    ProcessSetting setting() const;
    std::vector<Effect> read() const;

private:
    std::string path_;
};

std::string to_line(const Effect& effect);
// In the order of the file.
std::vector<Effect> read_effects(const std::string& path);

// A node that was killed or stopped, and when.
struct NodeFault {
    pid_t node = 0;
    std::chrono::steady_clock::time_point at;
};

// For every step in progress on the node at the fault: the milliseconds until another node began
// it. Steps that no other node began are not included.
std::vector<double> take_overs(const std::vector<Effect>& effects, const NodeFault& fault);

// Steps that were recorded but never begun, and steps that were recorded more than once.
std::vector<std::string> inconsistencies(const std::vector<Effect>& effects,
                                         const std::vector<RelayFacts>& facts);

}  // namespace holdfast::testing
