// Processor time of this process: independent of other load on the machine.
#pragma once

#include <ctime>

namespace holdfast::bench {

inline double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace holdfast::bench
