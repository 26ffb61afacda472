// The reactions of programs that keep a journal: what ends the one wait of the instance is recorded
// at its index, and the runner reads it there (001.7).
#pragma once

#include <string>

#include "program/program.h"

namespace holdfast {

// What ended a wait.
struct Delivery {
    WinnerType type = WinnerType::event;
    std::string name;
    Document value;
};

Reaction record_delivery(const Instance& instance, Delivery delivery, Moment now);
Reaction record_step(const Step& step);
// A start records nothing.
Reaction react_by_journal(const Instance& instance, const Stimulus& stimulus, Moment now);

}  // namespace holdfast
