// The only source of randomness in a simulation: a seed reproduces its run.
#pragma once

#include <cstdint>
#include <vector>

namespace holdfast::sim {

class Random {
public:
    explicit Random(std::uint64_t seed)
        : state_(seed * 0x9e3779b97f4a7c15ULL + 0x243f6a8885a308d3ULL) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
        return mixed ^ (mixed >> 31);
    }
    // 0 <= result < bound; bound > 0.
    std::size_t below(std::size_t bound) { return next() % bound; }
    // True in `percent` of a hundred cases; fractions count.
    bool chance(double percent) {
        return static_cast<double>(next() >> 11) * 0x1.0p-53 * 100.0 < percent;
    }
    template <class T>
    const T& pick(const std::vector<T>& all) {
        return all[below(all.size())];
    }

private:
    std::uint64_t state_;
};

}  // namespace holdfast::sim
