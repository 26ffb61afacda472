// What one evaluation may spend, and the meter that counts it. An evaluation that exceeds a limit
// stops with null and the reason; every loop checks the meter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "feel/values/value.h"

namespace holdfast::feel {

struct Budget {
    std::uint64_t steps = 500'000;          // nodes of the expression evaluated, items visited
    std::uint64_t memory = 16 << 20;        // bytes allocated, freed ones included
    std::uint32_t depth = 1'000;            // nested expressions and calls
    std::uint64_t range_length = 100'000;   // values in a range that is iterated
    std::uint64_t output_size = 1'000'000;  // bytes of the result, as text
};

// Why an evaluation yielded null, and where in the expression.
struct Trouble {
    enum class Kind { evaluation, steps, memory, depth, range_length, output_size };

    Kind kind = Kind::evaluation;
    std::string message;
    std::size_t offset = 0;  // in the text of the expression

    bool is_budget() const { return kind != Kind::evaluation; }
};

std::string_view name_of(Trouble::Kind kind);

class Meter {
public:
    explicit Meter(const Budget& budget) : budget_(budget) {}

    const Budget& budget() const { return budget_; }
    bool stopped() const { return stopped_; }
    std::uint64_t steps() const { return steps_; }
    std::uint64_t memory() const { return memory_; }
    std::uint64_t steps_left() const { return budget_.steps - std::min(steps_, budget_.steps); }
    std::uint64_t memory_left() const { return budget_.memory - std::min(memory_, budget_.memory); }
    const std::optional<Trouble>& trouble() const { return trouble_; }

    // Each returns whether the evaluation may continue.
    bool step(std::uint64_t count = 1) {
        steps_ += count;
        if (steps_ > budget_.steps) [[unlikely]]
            stop(Trouble::Kind::steps);
        return !stopped_;
    }
    bool allocate(std::uint64_t bytes) {
        memory_ += bytes;
        if (memory_ > budget_.memory) [[unlikely]]
            stop(Trouble::Kind::memory);
        return !stopped_;
    }
    // Work on `bytes` of text.
    bool read(std::size_t bytes) { return step(bytes / 32); }
    bool check_height(const Value& value) {
        if (value.height() > budget_.depth / 4) [[unlikely]]
            stop(Trouble::Kind::depth);
        return !stopped_;
    }
    bool stop(Trouble::Kind kind);

    // Records the first trouble only; the value is null.
    Null fail(std::initializer_list<std::string_view> message);
    Null fail(std::string_view message) { return fail({message}); }
    // The offset of the expression that is being evaluated.
    void at(std::size_t offset) { offset_ = offset; }
    std::size_t offset() const { return offset_; }

private:
    Budget budget_;
    std::uint64_t steps_ = 0;
    std::uint64_t memory_ = 0;
    bool stopped_ = false;
    std::size_t offset_ = 0;
    std::optional<Trouble> trouble_;
};

}  // namespace holdfast::feel
