// A small example: one definition and three orders at different steps.
#pragma once

#include <string>
#include <vector>

#include "base/ids/id_source.h"
#include "round/coordinator.h"
#include "store/store.h"

namespace holdfast::app {

// Adds the example unless the store has a workflow of its definition; returns the id of one order.
Result<InstanceId> seed_demo(Store& store, Coordinator& coordinator, IdSource& ids);

}  // namespace holdfast::app
