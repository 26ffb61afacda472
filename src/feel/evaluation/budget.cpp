#include "feel/evaluation/budget.h"

namespace holdfast::feel {
namespace {

constexpr std::size_t most_shown = 200;

std::string reason(Trouble::Kind kind, const Budget& budget) {
    switch (kind) {
        case Trouble::Kind::evaluation: return "the evaluation failed";
        case Trouble::Kind::steps:
            return "stopped after " + std::to_string(budget.steps) + " steps";
        case Trouble::Kind::memory:
            return "stopped after allocating " + std::to_string(budget.memory) + " bytes";
        case Trouble::Kind::depth:
            return "nested too deep: calls and expressions may have " +
                   std::to_string(budget.depth) + " levels, values " +
                   std::to_string(budget.depth / 4);
        case Trouble::Kind::range_length:
            return "a range has more than " + std::to_string(budget.range_length) + " values";
        case Trouble::Kind::output_size:
            return "the result is larger than " + std::to_string(budget.output_size) + " bytes";
    }
    return {};
}

// Names and texts from the expression may be long.
std::string_view clipped(std::string_view text) {
    if (text.size() <= most_shown) return text;
    std::size_t size = most_shown;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    return text.substr(0, size);
}

}  // namespace

std::string_view name_of(Trouble::Kind kind) {
    switch (kind) {
        case Trouble::Kind::evaluation: return "evaluation";
        case Trouble::Kind::steps: return "steps";
        case Trouble::Kind::memory: return "memory";
        case Trouble::Kind::depth: return "depth";
        case Trouble::Kind::range_length: return "range length";
        case Trouble::Kind::output_size: return "output size";
    }
    return "evaluation";
}

bool Meter::stop(Trouble::Kind kind) {
    if (!stopped_) trouble_ = Trouble{kind, reason(kind, budget_), offset_};
    stopped_ = true;
    return false;
}

Null Meter::fail(std::initializer_list<std::string_view> message) {
    if (trouble_) return {};
    std::string text;
    for (const std::string_view part : message) text += clipped(part);
    trouble_ = Trouble{Trouble::Kind::evaluation, std::move(text), offset_};
    return {};
}

}  // namespace holdfast::feel
