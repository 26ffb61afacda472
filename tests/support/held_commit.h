// Delays a commit of a store, so that a test can observe what happens meanwhile.
#pragma once

#include <atomic>
#include <semaphore>

#include "store/options.h"

namespace holdfast::testing {

// Blocks the first commit after arm() until let_go().
class HeldCommit {
public:
    StoreOptions options() {
        return {.lose_commit = [this] {
            if (!armed_.exchange(false)) return false;
            held_.release();
            let_go_.acquire();
            return false;
        }};
    }
    void arm() { armed_ = true; }
    void wait_until_held() { held_.acquire(); }
    void let_go() { let_go_.release(); }

private:
    std::atomic<bool> armed_ = false;
    std::binary_semaphore held_{0};
    std::binary_semaphore let_go_{0};
};

}  // namespace holdfast::testing
