// A small example for an empty store: one definition and three orders at different steps.
#pragma once

#include <string>
#include <vector>

#include "base/ids/id_source.h"
#include "round/coordinator.h"
#include "store/store.h"

namespace holdfast::app {

// Fills the store unless the example is there already; gives the id of one order to play with.
Result<InstanceId> seed_demo(Store& store, Coordinator& coordinator, IdSource& ids);

}  // namespace holdfast::app
