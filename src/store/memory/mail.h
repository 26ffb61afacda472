// Events, waits and the journal of a memory store: loads them for a round and applies its changes.
#pragma once

#include "store/memory/tables.h"

namespace holdfast::memory {

// Also loads the instances of the waits that were read.
void load_mail(const Tables& tables, const ReadSet& reads, Loaded& loaded);
std::uint64_t waits_before(const Tables& tables, const CountWaitsBefore& query);
KnownEvent known_event(const Tables& tables, const EventId& id);
void apply_mail(Tables& tables, const Changes& changes);

}  // namespace holdfast::memory
