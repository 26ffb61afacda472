// The first round trip of a round: begins the transaction, locks the channels and then the
// instances, each in one sorted pass, and loads the rest.
#pragma once

#include "store/definition_cache.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/load/channels.h"
#include "store/read_set.h"
#include "store/view.h"

namespace holdfast::postgres {

// The writer's caches, and how this round locks.
struct LoadContext {
    DefinitionCache& definitions;
    KnownChannels& channels;
    ChannelLock channel_lock = ChannelLock::as_read;
};

// On success the transaction is open and holds the locks. One round trip, and a second one for
// definition versions that are not in the cache.
Reply<Loaded> load(Connection& connection, const ReadSet& reads, const LoadContext& context);

}  // namespace holdfast::postgres
