#include "store/wait_changes.h"

#include "model/codec/codec.h"
#include "model/event.h"

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

Waits rows_of(const Instance* instance, WaitsInRow most) {
    if (!instance || fit(instance->waits, most)) return {};
    return instance->waits;
}

}  // namespace

WaitChanges wait_changes(const Instance* before, const Instance* after, WaitsInRow most) {
    WaitChanges changes;
    compare(before ? registered_waits(*before) : Waits{},
            after ? registered_waits(*after) : Waits{}, changes.unregistered, changes.registered);
    compare(rows_of(before, most), rows_of(after, most), changes.deleted, changes.inserted);
    return changes;
}

std::optional<std::string> waits_in_row(const Instance& instance, WaitsInRow most) {
    const Waits waits = instance.waits;
    if (waits.empty() || !fit(waits, most)) return std::nullopt;
    if (waits.size() == 1) return waiting_text(waits.front());
    std::string text;
    for (const Waiting& waiting : waits) text += (text.empty() ? '[' : ',') + waiting_text(waiting);
    return text + ']';
}

bool is_looked_up(const EventKey& key) {
    return !is_engine_name(key.name) || !key.correlation.empty();
}

}  // namespace holdfast
