// The first trip of a round: begins its transaction, locks its channels and then its instances,
// each in one sorted pass, and loads the rest.
#pragma once

#include "store/postgres/connection/connection.h"
#include "store/postgres/load/channels.h"
#include "store/postgres/read/definition_cache.h"
#include "store/read_set.h"
#include "store/view.h"

namespace holdfast::postgres {

// What a writer keeps from round to round, and how this one locks.
struct LoadContext {
    DefinitionCache& definitions;
    KnownChannels& channels;
    ChannelLock channel_lock = ChannelLock::as_read;
};

// On success the transaction is open and holds the locks. One trip; a second one only for
// definition versions that this process has not read before.
Reply<Loaded> load(Connection& connection, const ReadSet& reads, const LoadContext& context);

}  // namespace holdfast::postgres
