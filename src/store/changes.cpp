#include "store/changes.h"

namespace holdfast {

bool InstanceChange::ends_polls() const {
    if (!before) return false;
    if (!after || after->quarantined != before->quarantined) return true;
    if (is_open(before->status) && (!is_open(after->status) || after->buried > before->buried))
        return true;
    if (before->run_by != RunBy::outside || before->waits.empty()) return false;
    return after->waits.empty() || after->run != before->run || after->index != before->index;
}

}  // namespace holdfast
