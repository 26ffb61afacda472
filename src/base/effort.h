// Counts the effort of a computation, so that it ends after a bounded time whatever its input is.
#pragma once

#include <cstdint>
#include <limits>

namespace holdfast {

// One unit is about ten nanoseconds: a comparison of two values, eight bytes that are parsed.
class Effort {
public:
    static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

    explicit Effort(std::uint64_t limit = unlimited) : limit_(limit) {}

    // False: the limit is exceeded, now or before. The computation ends and has no result.
    bool spend(std::uint64_t units) {
        spent_ = units < unlimited - spent_ ? spent_ + units : unlimited;
        return !is_exhausted();
    }
    bool spend_on_bytes(std::uint64_t bytes) { return spend(1 + bytes / 8); }

    bool is_exhausted() const { return spent_ > limit_; }
    std::uint64_t spent() const { return spent_; }
    std::uint64_t limit() const { return limit_; }

private:
    std::uint64_t limit_;
    std::uint64_t spent_ = 0;
};

}  // namespace holdfast
