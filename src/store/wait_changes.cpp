#include "store/wait_changes.h"

#include <span>

namespace holdfast {
namespace {

using Waits = std::span<const Waiting>;
using WaitList = std::vector<const Waiting*>;

// Both are in order.
void compare(Waits before, Waits after, WaitList& gone, WaitList& fresh) {
    auto old = before.begin();
    auto now = after.begin();
    while (old != before.end() || now != after.end()) {
        const bool first = now == after.end() || (old != before.end() && waited_longer(*old, *now));
        const bool second =
            old == before.end() || (now != after.end() && waited_longer(*now, *old));
        if (!first && !second && *old == *now) {
            ++old;
            ++now;
            continue;
        }
        if (!second) gone.push_back(&*old++);
        if (!first) fresh.push_back(&*now++);
    }
}

Waits rows_of(const Instance* instance) {
    if (!instance || instance->waits.size() < 2) return {};
    return instance->waits;
}

}  // namespace

WaitChanges wait_changes(const Instance* before, const Instance* after) {
    WaitChanges changes;
    compare(before ? registered_waits(*before) : Waits{},
            after ? registered_waits(*after) : Waits{}, changes.unregistered, changes.registered);
    compare(rows_of(before), rows_of(after), changes.deleted, changes.inserted);
    return changes;
}

const Waiting* only_wait(const Instance& instance) {
    return instance.waits.size() == 1 ? &instance.waits.front() : nullptr;
}

}  // namespace holdfast
