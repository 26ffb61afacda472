#include "store/postgres/load/channels.h"

#include <algorithm>
#include <functional>

#include "store/postgres/connection/channel_columns.h"

namespace holdfast::postgres {
namespace {

constexpr std::size_t most_known = 100'000;

// Channels that the result omits existed before. A row that is deleted meanwhile is noticed when it
// is locked.
void insert_unknown(Trip& trip, const ReadSet& reads, KnownChannels& known) {
    std::set<ChannelKey> unknown;
    for (const auto& [key, channel] : reads.channels())
        if (!known.contains(key)) unknown.insert(key);
    if (unknown.empty()) return;
    Parameters parameters;
    add_channels(parameters, unknown, std::identity());
    trip.query("insert_channels", parameters, [&known, unknown](const Rows& rows) -> Reply<void> {
        std::set<ChannelKey> inserted;
        for (Row row : rows) inserted.insert(channel_of(row));
        for (const ChannelKey& key : unknown)
            inserted.contains(key) ? known.insert(key) : known.add(key);
        return {};
    });
}

bool locks_exclusively(const ReadSet& reads, ChannelLock lock) {
    return lock == ChannelLock::exclusive ||
           std::ranges::any_of(reads.channels(),
                               [](const auto& channel) { return channel.second.exclusive(); });
}

}  // namespace

void KnownChannels::add(const ChannelKey& key) {
    if (known_.size() >= most_known) known_.clear();
    known_.insert(key);
}

void KnownChannels::commit_round() {
    for (const ChannelKey& key : inserted_) add(key);
    inserted_.clear();
}

void lock_channels(Trip& trip, const ReadSet& reads, ChannelLock lock, KnownChannels& known) {
    known.begin_round();
    if (reads.channels().empty()) return;
    insert_unknown(trip, reads, known);
    const char* statement =
        locks_exclusively(reads, lock) ? "lock_channels_exclusive" : "lock_channels_shared";
    Parameters parameters;
    add_channels(parameters, reads.channels(), key_of);
    trip.query(statement, parameters, [&reads, &known](const Rows& rows) -> Reply<void> {
        if (rows.size() == reads.channels().size()) return {};
        // Nobody used it and retention deleted it, or the database was restored to an
        // earlier time while this node was running.
        for (const auto& [key, channel] : reads.channels()) known.forget(key);
        return std::unexpected(Failure{FailureKind::moved, "", "a channel is missing"});
    });
}

}  // namespace holdfast::postgres
