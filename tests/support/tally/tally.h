// A small kind of program: it counts one event in its state, and waits for another that stops it at
// the same time. Shows that a kind is a folder and one line of registration.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "program/program.h"

namespace holdfast::testing {

inline constexpr std::string_view tally_kind = "tally";

// What the source says, as JSON.
struct TallySource {
    std::string tick = "tick";
    std::string stop = "stop";
    std::uint64_t last = 0;  // the count at which it ends; 0: only `stop` ends it
    // When it ends by its count: a task for a person, and a child of this definition; empty: none.
    std::string task;
    std::string child;
};
std::string to_text(const TallySource& source);
// Throws if it is no such text.
TallySource tally_source(std::string_view text);

std::shared_ptr<const Program> tally_program(std::string_view source);

void register_tally();

}  // namespace holdfast::testing
