// Queued events and registered waits as one round sees them: the loaded ones, and the changes of
// the round's operations.
#pragma once

#include <algorithm>
#include <expected>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/event.h"
#include "model/instance.h"
#include "store/read_set.h"

namespace holdfast {

// The loaded data was not enough: the operation runs again in the next round, with wider reads and
// these additional ones.
struct LoadMore {
    ReadSet also;
};

// A registered wait for one name.
struct WaitRow {
    InstanceId instance;
    TokenId token;
    Moment began_at;
    OperationId operation;
};

inline bool began_before(const WaitRow& a, const WaitRow& b) {
    return std::pair{a.began_at, a.operation} < std::pair{b.began_at, b.operation};
}

// A list of which the store may hold more than it loaded.
template <class T>
struct Loading {
    std::vector<T> items;  // oldest first
    bool more = false;
};

struct LoadedMail {
    std::map<std::pair<InstanceId, std::string>, Loading<Event>> inboxes;
    std::map<InstanceId, std::vector<Event>> whole_inboxes;
    std::map<InstanceId, std::size_t> inbox_sizes;     // without expired events
    std::map<std::string, std::size_t> channel_sizes;  // likewise
    std::map<std::string, Loading<Event>> broadcasts;
    std::map<std::string, Loading<WaitRow>> waits;
    std::map<EventId, KnownEvent> events;
    std::set<std::pair<EventId, InstanceId>> deliveries;  // of loaded broadcasts with keep
};

// What a commit writes about events.
struct MailChanges {
    std::set<EventId> accepted;           // were read and not known before this round
    std::map<EventId, Event> queued;      // inserted
    std::map<EventId, Event> released;    // were targeted, are broadcasts now
    std::set<EventId> taken;              // removed from the queue; they were in it
    std::vector<FateRow> fates;           // inserted
    std::set<EventId> unburied;           // removed from the dead events before `buried` is added
    std::map<EventId, DeadEvent> buried;  // inserted

    bool empty() const;
};

class Mailbox {
public:
    explicit Mailbox(LoadedMail loaded);

    // The event that a wait of this instance may take now: the oldest targeted event of any of its
    // names, else the oldest broadcast (001.3).
    std::expected<std::optional<Event>, LoadMore> find(const Instance& instance,
                                                       const Waiting& waiting, Moment now) const;
    // The oldest current wait for the name; `is_current` knows what the round did to the instance.
    template <class IsCurrent>
    std::expected<std::optional<WaitRow>, LoadMore> oldest_wait(const std::string& name,
                                                                IsCurrent is_current) const {
        std::optional<WaitRow> oldest;
        const auto channel = loaded_.waits.find(name);
        if (channel != loaded_.waits.end()) {
            const auto found = std::ranges::find_if(channel->second.items, is_current);
            if (found != channel->second.items.end()) oldest = *found;
            if (!oldest && channel->second.more) return std::unexpected(LoadMore{});
        }
        // A wait that was registered again in this round may be older than the loaded ones.
        if (const auto fresh = registered_.find(name); fresh != registered_.end())
            for (const WaitRow& row : fresh->second)
                if (is_current(row) && (!oldest || began_before(row, *oldest))) oldest = row;
        return oldest;
    }
    template <class IsCurrent>
    std::vector<WaitRow> all_waits(const std::string& name, IsCurrent is_current) const {
        std::vector<WaitRow> rows;
        if (const auto channel = loaded_.waits.find(name); channel != loaded_.waits.end())
            std::ranges::copy_if(channel->second.items, std::back_inserter(rows), is_current);
        if (const auto fresh = registered_.find(name); fresh != registered_.end())
            std::ranges::copy_if(fresh->second, std::back_inserter(rows), is_current);
        std::ranges::sort(rows, began_before);
        return rows;
    }

    // Whether the store may hold more waits for the name than were loaded.
    bool may_have_more_waits(const std::string& name) const {
        const auto channel = loaded_.waits.find(name);
        return channel == loaded_.waits.end() || channel->second.more;
    }

    // Whether that part was read, even if nothing was found.
    bool has_inbox(const InstanceId& id, const std::string& name) const {
        return loaded_.inboxes.contains({id, name});
    }
    bool has_whole_inbox(const InstanceId& id) const { return loaded_.whole_inboxes.contains(id); }
    bool has_broadcasts(const std::string& name) const { return loaded_.broadcasts.contains(name); }
    bool has_waits(const std::string& name) const { return loaded_.waits.contains(name); }
    bool has_event(const EventId& id) const { return loaded_.events.contains(id); }

    KnownEvent known(const EventId& id) const;
    std::size_t inbox_size(const InstanceId& target) const;
    std::size_t channel_size(const std::string& name) const;
    // Every event queued for an instance whose whole inbox was read.
    std::vector<Event> inbox(const InstanceId& target) const;

    void queue(Event event);
    // The event ends a wait: removes it from the queue unless it is kept, and records its fate (I2,
    // I3).
    void deliver(const Event& event, const InstanceId& to, std::uint64_t index, Moment now);
    // Removes the event from the queue and records another fate.
    void end(const Event& event, EventFate fate, Moment now);
    // Moves the event to the dead events.
    void bury(Event event, Status target_status, Moment now);
    void unbury(const EventId& id);
    // A targeted event becomes a broadcast: its target ended.
    void release(Event event);
    // The target is cleared: discards the events queued for it. The store discards those in the
    // tables, read or not (I3).
    void clear_inbox(const InstanceId& target, Moment now);
    // A wait begins in this round.
    void register_wait(const Instance& instance);

    const MailChanges& changes() const { return changes_; }
    std::size_t writes() const { return writes_; }

private:
    std::expected<std::optional<Event>, LoadMore> oldest_targeted(const Instance& instance,
                                                                  const Waiting& waiting,
                                                                  Moment now) const;
    std::expected<std::optional<Event>, LoadMore> oldest_broadcast(const Instance& instance,
                                                                   const Waiting& waiting,
                                                                   Moment now) const;
    bool may_take(const Event& event, const Instance& instance, const Waiting& waiting,
                  Moment now) const;
    // An event that was taken may come back within the round: dead, then replayed.
    bool is_taken(const EventId& id) const {
        return changes_.taken.contains(id) && !changes_.queued.contains(id);
    }
    void remove(const Event& event);
    // Every change that makes an event known.
    void note(const EventId& id);

    LoadedMail loaded_;
    std::set<EventId> stored_;  // loaded queued events; others are not in the table
    MailChanges changes_;
    // Events that the round queued, in order of arrival.
    std::map<std::pair<InstanceId, std::string>, std::vector<Event>> fresh_inboxes_;
    std::map<std::string, std::vector<Event>> fresh_broadcasts_;
    std::map<std::string, std::vector<WaitRow>> registered_;
    std::size_t writes_ = 0;
};

}  // namespace holdfast
