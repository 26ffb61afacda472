// Locks the channels on which a round sends or waits for broadcasts, before it locks any instance.
#pragma once

#include <set>
#include <utility>

#include "store/postgres/connection/trip.h"
#include "store/read_set.h"

namespace holdfast::postgres {

// Channels that a writer knows to be committed, so that it need not insert them again. Belongs to
// one writer.
class KnownChannels {
public:
    bool contains(const ChannelKey& key) const { return known_.contains(key); }
    void add(const ChannelKey& key);
    void forget(const ChannelKey& key) { known_.erase(key); }
    void clear() { known_.clear(); }

    // Channels that the current round inserts become known when it commits.
    void begin_round() { inserted_.clear(); }
    void insert(ChannelKey key) { inserted_.insert(std::move(key)); }
    void commit_round();

private:
    std::set<ChannelKey> known_;
    std::set<ChannelKey> inserted_;
};

// Suspends lock a channel shared, a broadcast locks it exclusively (I1). A round that lost a queued
// event to another round locks exclusively when it runs again.
enum class ChannelLock { as_read, exclusive };

// Inserts missing rows, then locks the rows in the order of their keys. Does nothing without
// channels.
void lock_channels(Trip& trip, const ReadSet& reads, ChannelLock lock, KnownChannels& known);

}  // namespace holdfast::postgres
