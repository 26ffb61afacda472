// A round that is decided on residents, without a load, in a store that others change too: what it
// takes from memory, and what the store must find unchanged in the transaction that writes it.
// Until then nothing of it is told (I33).
#pragma once

#include <map>
#include <optional>
#include <set>

#include "store/changes.h"
#include "store/definition_cache.h"
#include "store/loaded.h"
#include "store/read_set.h"
#include "store/residents.h"

namespace holdfast {

// What the round rests on beside the rows that it writes. Checked once its channels and then its
// instances are locked.
struct Expected {
    Moment now;  // not ahead of the store's clock
    struct Held {
        InstanceId instance;
        Lease lease;
        SignalType type = SignalType::internal_continue;  // or a job
    };
    std::map<SignalId, Held> leases;            // their nodes live
    std::set<InstanceId> unawaited;             // nobody waits for their end
    std::set<InstanceId> without_events;        // that are queued for them
    std::set<InstanceId> without_tasks;         // open or ended
    std::map<TenantKey, std::uint32_t> newest;  // versions of definitions
    std::set<ChannelKey> quiet;                 // nothing is queued there
};

struct Recalled {
    Loaded loaded;
    Expected expected;
};

// Absent: the round reads something that is not known here.
std::optional<Recalled> recall(const ReadSet& reads, const Residents& residents,
                               const DefinitionCache& definitions, Moment now);

// Whether the store compares everything that the round took from memory when it writes these
// changes: each instance by its rev or its key, each event and each answer by its key. A refusal
// writes nothing, and so is told only after a load.
bool is_guarded(const ReadSet& reads, const Changes& changes);

}  // namespace holdfast
