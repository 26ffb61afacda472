#include "store/changes.h"

#include "program/traits.h"

namespace holdfast {

bool InstanceChange::ends_polls() const {
    if (!before) return false;
    if (!after || after->quarantined != before->quarantined) return true;
    if (is_open(before->status) && (!is_open(after->status) || after->buried > before->buried))
        return true;
    if (!traits_of(*before).is_polled || before->waits.empty()) return false;
    return after->waits.empty() || after->run != before->run || after->index != before->index;
}

}  // namespace holdfast
