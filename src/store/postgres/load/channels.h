// Locks the names under which a round sends or awaits broadcasts, before it locks any instance.
#pragma once

#include <set>
#include <string>

#include "store/postgres/connection/trip.h"
#include "store/read_set.h"

namespace holdfast::postgres {

// Names whose rows are committed, as far as a writer knows: they need not be inserted again.
// Belongs to one writer.
class KnownChannels {
public:
    bool contains(const std::string& name) const { return known_.contains(name); }
    void add(const std::string& name);
    void forget(const std::string& name) { known_.erase(name); }
    void clear() { known_.clear(); }

    // A round inserts names of its own; they are known once it has committed.
    void begin_round() { inserted_.clear(); }
    void insert(std::string name) { inserted_.insert(std::move(name)); }
    void commit_round();

private:
    std::set<std::string> known_;
    std::set<std::string> inserted_;
};

// Suspends share a name, a broadcast has it for itself (I1). A round that lost a queued event to
// another one takes its names exclusively when it runs again.
enum class ChannelLock { as_read, exclusive };

// Asks for the rows, then for the locks in the order of the names; nothing without channels.
void lock_channels(Trip& trip, const ReadSet& reads, ChannelLock lock, KnownChannels& known);

}  // namespace holdfast::postgres
