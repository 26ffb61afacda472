// Recovers once, in the background, after a start.
#pragma once

#include <thread>

#include "coordinator/coordinator.h"
#include "pump/recovery.h"

namespace holdfast {

class RecoveryThread {
public:
    RecoveryThread(Store& store, Coordinator& coordinator, IdSource& ids);
    // Before the coordinator shuts down.
    void stop();

private:
    std::jthread thread_;
};

}  // namespace holdfast
