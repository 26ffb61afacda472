// A walk through a random model: random things happen to one process, on a store that stays open
// and on one that is closed and opened after each of them, and to the simple interpreter. All
// three must agree after every step.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "engine/walks/graph.h"

namespace holdfast::walks {

struct Walked {
    std::string finding;  // empty: all agree
    std::size_t steps = 0;
    bool ended = false;
    bool endless = false;  // it moves without a wait: not compared any further
};

struct Covered {
    std::set<Kind> kinds;            // that had a token
    std::set<std::string> happened;  // the words of the steps
};

// `reload_folder`: of the second store's file; empty: the codec alone is compared.
Walked walk(std::uint64_t seed, const std::string& reload_folder, Covered* covered = nullptr);

}  // namespace holdfast::walks
