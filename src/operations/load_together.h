// Several things that an operation does are loaded for together.
#pragma once

#include "store/read_set.h"

namespace holdfast::op {

// What several of them miss is one load: the changes of the operation are taken back anyway.
template <class Items, class Each>
void load_together(const Items& items, const Each& each) {
    ReadSet missing;
    bool complete = true;
    for (const auto& item : items) try {
            each(item);
        } catch (const LoadMore& more) {
            if (more.wider || more.compute) throw;
            missing.merge(more.also);
            complete = false;
        }
    if (!complete) throw LoadMore{missing};
}

}  // namespace holdfast::op
