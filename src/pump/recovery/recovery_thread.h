// Recovers once, in the background, after a start; retries while the store fails.
#pragma once

#include <thread>

#include "pump/recovery/recovery.h"
#include "round/coordinator.h"

namespace holdfast {

class RecoveryThread {
public:
    RecoveryThread(Reads& store, Coordinator& coordinator, IdSource& ids);
    // Before the coordinator shuts down.
    void stop();

private:
    std::jthread thread_;
};

}  // namespace holdfast
