// Synchronises two processes through memory that was shared before the fork.
#pragma once

#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>

namespace holdfast::testing {

class Meeting {
public:
    static Meeting& make() {
        void* memory = mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
        return *new (memory) Meeting;
    }

    // True: both processes have arrived n times. Waits for the other one at most `most`: with locks
    // in place it may be blocked in the database.
    bool meet(unsigned n, std::chrono::microseconds most) {
        arrived_.fetch_add(1);
        const auto end = std::chrono::steady_clock::now() + most;
        while (arrived_.load() < 2 * n) {
            if (std::chrono::steady_clock::now() > end) return false;
            sched_yield();  // the database needs the processor, too
        }
        return true;
    }
    // A point that the other one may not reach: waits for it at most `most`.
    void pass_by(unsigned race, std::chrono::microseconds most) {
        std::atomic<unsigned>& here = between_[race % 2];
        here.fetch_add(1);
        const auto end = std::chrono::steady_clock::now() + most;
        while (here.load() < 2 && std::chrono::steady_clock::now() < end) sched_yield();
    }
    void clear_way(unsigned race) { between_[(race + 1) % 2].store(0); }

private:
    std::atomic<unsigned> arrived_{0};
    std::atomic<unsigned> between_[2]{};
};

}  // namespace holdfast::testing
