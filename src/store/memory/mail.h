// Events, waits and the journal of a memory store: what a round reads of them, and what it leaves
// behind.
#pragma once

#include "store/memory/tables.h"

namespace holdfast::memory {

// Also loads the instances that wait, as the waits that were asked for bring them along.
void load_mail(const Tables& tables, const ReadSet& reads, Loaded& loaded);
KnownEvent known_event(const Tables& tables, const EventId& id);
void apply_mail(Tables& tables, const Changes& changes);

}  // namespace holdfast::memory
