// Queued events and registered waits as one round sees them: the loaded ones, and the changes of
// the round's operations.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/event.h"
#include "model/instance.h"
#include "store/loading.h"
#include "store/read_set.h"
#include "store/undo_log.h"

namespace holdfast {

// A registered wait on one channel.
struct WaitRow {
    InstanceId instance;
    TokenId token;
    Moment began_at;
    OperationId operation;
};

inline WaitRow row_of(const InstanceId& instance, const Waiting& waiting) {
    return {instance, waiting.token, waiting.began_at, waiting.operation};
}
inline bool began_before(const WaitRow& a, const WaitRow& b) {
    return std::tie(a.began_at, a.operation, a.token) < std::tie(b.began_at, b.operation, b.token);
}

// How much is queued somewhere, without expired events.
struct QueueSize {
    std::size_t events = 0;
    std::size_t bytes = 0;  // of the values

    bool operator==(const QueueSize&) const = default;
};

// What is queued for an instance that may end.
struct EndingInbox {
    bool filled = false;
    std::set<EventKey> broadcasts;  // keys of events that its end makes broadcasts
};

struct LoadedMail {
    std::map<std::pair<InstanceId, EventKey>, Loading<Event>> inboxes;
    std::map<InstanceId, EndingInbox> ending_inboxes;
    std::map<std::pair<InstanceId, EventKey>, Loading<Event>> releases;
    std::map<InstanceId, QueueSize> inbox_sizes;
    std::map<ChannelKey, QueueSize> channel_sizes;
    std::map<ChannelKey, Loading<Event>> broadcasts;
    std::map<ChannelKey, Loading<WaitRow>> waits;
    std::map<EventId, KnownEvent> events;
    // Of loaded broadcasts with keep, and those of the receipts that exist.
    std::set<std::pair<EventId, InstanceId>> deliveries;
};

// What a commit writes about events.
struct MailChanges {
    std::set<EventId> accepted;         // were read and not known before this round
    std::map<EventId, Event> queued;    // inserted
    std::map<EventId, Event> released;  // were targeted, are broadcasts now
    std::set<EventId> taken;            // removed from the queue; they were in it
    // What is left in the queue of an instance that ended follows its policy.
    struct EndedInbox {
        Status status;  // of the instance
        Moment at;
    };
    std::map<InstanceId, EndedInbox> ended_inboxes;
    std::vector<FateRow> fates;  // inserted
    // Removed from the dead events, before `buried` is inserted.
    std::map<EventId, DeadEvent> unburied;
    std::map<EventId, DeadEvent> buried;  // inserted

    bool empty() const;
};

class Mailbox {
public:
    // `reads` and `undo` outlive the mailbox.
    Mailbox(const ReadSet& reads, LoadedMail loaded, UndoLog& undo);

    // The event that a wait of this instance may take now: the oldest targeted event of any of its
    // names, else the oldest broadcast (001.3).
    std::optional<Event> find(const Instance& instance, const Waiting& waiting, Moment now) const;
    // The oldest current wait on the channel; `is_current` knows what the round did to the
    // instance.
    template <class IsCurrent>
    std::optional<WaitRow> oldest_wait(const ChannelKey& channel, IsCurrent is_current) const {
        const Loading<WaitRow>& loaded = loaded_waits(channel);
        std::optional<WaitRow> oldest;
        const auto found = std::ranges::find_if(loaded.items, is_current);
        if (found != loaded.items.end()) oldest = *found;
        if (!oldest && loaded.more) throw_more_waits(channel);
        // A wait that was registered again in this round may be older than the loaded ones.
        if (const auto fresh = registered_.find(channel); fresh != registered_.end())
            for (const WaitRow& row : fresh->second)
                if (is_current(row) && (!oldest || began_before(row, *oldest))) oldest = row;
        return oldest;
    }
    // The oldest current waits on the channel, at most so many.
    std::vector<WaitRow> oldest_waits(const ChannelKey& channel, std::size_t most,
                                      const std::function<bool(const WaitRow&)>& is_current) const;
    // Every current wait on the channel, oldest first. Absent: there may be more than
    // most_receivers.
    template <class IsCurrent>
    std::optional<std::vector<WaitRow>> all_waits(const ChannelKey& channel,
                                                  IsCurrent is_current) const {
        const Loading<WaitRow>& loaded = loaded_waits(channel);
        if (loaded.more && !(reads_.channels().at(channel).all_waits && is_crowd(loaded)))
            throw_all_waits(channel);
        if (loaded.more) return std::nullopt;
        std::vector<WaitRow> rows;
        std::ranges::copy_if(loaded.items, std::back_inserter(rows), is_current);
        if (const auto fresh = registered_.find(channel); fresh != registered_.end())
            std::ranges::copy_if(fresh->second, std::back_inserter(rows), is_current);
        std::ranges::sort(rows, began_before);
        return rows;
    }

    KnownEvent known(const EventId& id) const;
    bool has_reached(const EventId& id, const InstanceId& instance) const;
    QueueSize inbox_size(const InstanceId& target) const;
    QueueSize channel_size(const ChannelKey& channel) const;
    // The keys under which something is queued that the end of its target makes a broadcast.
    std::vector<EventKey> keys_to_release(const InstanceId& target) const;
    // The oldest of those events that a wait could take now.
    std::optional<Event> next_release(const InstanceId& target, const EventKey& key,
                                      Moment now) const;

    void queue(Event event);
    // The event ends a wait: removes it from the queue unless it is kept, and records its fate (I2,
    // I3).
    void deliver(const Event& event, const InstanceId& to, std::uint64_t index, Moment now);
    // Removes the event from the queue; the operation queues it again, or delivers it.
    void take(const Event& event) { remove(event); }
    // Removes the event from the queue and records another fate.
    void end(const Event& event, EventFate fate, Moment now);
    // Moves the event to the dead events.
    void bury(Event event, Status target_status, Moment now);
    void unbury(DeadEvent dead);
    // A targeted event becomes a broadcast: its target ended.
    void release(Event event);
    // The target ended: what is still queued for it follows its policy (001.9), in the tables
    // without being read.
    void end_inbox(const Instance& target, Status status, Moment now);
    // The target is cleared: discards the events queued for it. The store discards those in the
    // tables, read or not (I3).
    void clear_inbox(const InstanceId& target, Moment now);
    // A wait begins in this round.
    void register_wait(const Instance& instance, const Waiting& waiting);

    const MailChanges& changes() const { return changes_; }

private:
    const Loading<WaitRow>& loaded_waits(const ChannelKey& channel) const;
    [[noreturn]] static void throw_more_waits(const ChannelKey& channel);
    [[noreturn]] static void throw_all_waits(const ChannelKey& channel);
    void expect_read(const Instance& instance, const Wait& wait) const;
    std::optional<Event> oldest_targeted(const Instance& instance, const Waiting& waiting,
                                         Moment now) const;
    std::optional<Event> oldest_broadcast(const Instance& instance, const Waiting& waiting,
                                          Moment now) const;
    bool may_take(const Event& event, const Instance& instance, const Waiting& waiting,
                  Moment now) const;
    const EndingInbox& ending(const InstanceId& target) const;
    // Throws LoadMore if the tables have changed there in this round: the next round reads it.
    void expect_unchanged(const ChannelKey& channel) const;
    void settle(const Event& event, Status status, Moment now);
    // An event that was taken may come back within the round: dead, then replayed.
    bool is_taken(const EventId& id) const {
        return changes_.taken.contains(id) && !changes_.queued.contains(id);
    }
    // The events that the round queued for the same receiver.
    std::vector<Event>& fresh_list(const Event& event);
    void add_fresh(const Event& event);
    void remove(const Event& event);
    // Every change that makes an event known.
    void note(const EventId& id);

    const ReadSet& reads_;
    UndoLog& undo_;
    LoadedMail loaded_;
    std::set<EventId> stored_;  // loaded queued events; others are not in the table
    MailChanges changes_;
    // Events that the round queued, in order of arrival.
    std::map<std::pair<InstanceId, EventKey>, std::vector<Event>> fresh_inboxes_;
    std::map<ChannelKey, std::vector<Event>> fresh_broadcasts_;
    std::map<ChannelKey, std::vector<WaitRow>> registered_;
    std::set<ChannelKey> released_to_;  // where the end of a target released unread events
};

}  // namespace holdfast
