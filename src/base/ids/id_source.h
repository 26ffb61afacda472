// Generates time-ordered ids: unique across nodes, increasing within a process. Thread-safe.
#pragma once

#include <cstdint>
#include <mutex>

#include "base/ids/uuid.h"
#include "base/time/clock.h"

namespace holdfast {

class IdSource {
public:
    // Seeded from the operating system.
    explicit IdSource(const Clock& clock);
    // Seeded by the caller, so that a simulation can be reproduced.
    IdSource(const Clock& clock, std::uint64_t seed);

    template <class SomeId>
    SomeId next() {
        return SomeId{next_uuid()};
    }
    Uuid next_uuid();
    std::uint64_t random();

private:
    std::uint64_t random_locked();

    const Clock& clock_;
    std::mutex mutex_;
    std::uint64_t state_;
    std::int64_t last_ms_ = 0;
    std::uint64_t sequence_ = 0;  // counts up within one millisecond to keep ids ordered
};

}  // namespace holdfast
