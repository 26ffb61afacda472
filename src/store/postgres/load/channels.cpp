#include "store/postgres/load/channels.h"

#include <algorithm>

#include "base/defect.h"

namespace holdfast::postgres {
namespace {

constexpr std::size_t most_known = 100'000;

constexpr auto name_of_channel = [](const auto& channel) -> const std::string& {
    return channel.first;
};

// Names that the result omits existed before and remain: rows of channels are never deleted.
void insert_unknown(Trip& trip, const ReadSet& reads, KnownChannels& known) {
    std::set<std::string> unknown;
    for (const auto& [name, channel] : reads.channels())
        if (!known.contains(name)) unknown.insert(name);
    if (unknown.empty()) return;
    trip.query("insert_channels", Parameters().array(unknown),
               [&known, unknown](const Rows& rows) -> Reply<void> {
                   std::set<std::string> inserted;
                   for (Row row : rows) inserted.insert(row.text());
                   for (const std::string& name : unknown)
                       inserted.contains(name) ? known.insert(name) : known.add(name);
                   return {};
               });
}

bool locks_exclusively(const ReadSet& reads, ChannelLock lock) {
    return lock == ChannelLock::exclusive ||
           std::ranges::any_of(reads.channels(),
                               [](const auto& channel) { return channel.second.exclusive(); });
}

}  // namespace

void KnownChannels::add(const std::string& name) {
    if (known_.size() >= most_known) known_.clear();
    known_.insert(name);
}

void KnownChannels::commit_round() {
    for (const std::string& name : inserted_) add(name);
    inserted_.clear();
}

void lock_channels(Trip& trip, const ReadSet& reads, ChannelLock lock, KnownChannels& known) {
    known.begin_round();
    if (reads.channels().empty() || defect("no_channel_lock")) return;
    insert_unknown(trip, reads, known);
    const char* statement =
        locks_exclusively(reads, lock) ? "lock_channels_exclusive" : "lock_channels_shared";
    trip.query(statement, Parameters().array(reads.channels(), name_of_channel),
               [&reads, &known](const Rows& rows) -> Reply<void> {
                   if (rows.size() == reads.channels().size()) return {};
                   // The database was restored to an earlier time while this node was running.
                   for (const auto& [name, channel] : reads.channels()) known.forget(name);
                   return std::unexpected(Failure{FailureKind::moved, "", "a channel is missing"});
               });
}

}  // namespace holdfast::postgres
