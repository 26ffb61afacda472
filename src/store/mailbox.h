// Queued events and registered waits as one round sees them: the loaded ones, and the changes of
// the round's operations.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/event.h"
#include "model/instance.h"
#include "store/read_set.h"
#include "store/undo_log.h"

namespace holdfast {

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
    // `reads` and `undo` outlive the mailbox.
    Mailbox(const ReadSet& reads, LoadedMail loaded, UndoLog& undo);

    // The event that a wait of this instance may take now: the oldest targeted event of any of its
    // names, else the oldest broadcast (001.3).
    std::optional<Event> find(const Instance& instance, const Waiting& waiting, Moment now) const;
    // The oldest current wait for the name; `is_current` knows what the round did to the instance.
    template <class IsCurrent>
    std::optional<WaitRow> oldest_wait(const std::string& name, IsCurrent is_current) const {
        const Loading<WaitRow>& loaded = loaded_waits(name);
        std::optional<WaitRow> oldest;
        const auto found = std::ranges::find_if(loaded.items, is_current);
        if (found != loaded.items.end()) oldest = *found;
        if (!oldest && loaded.more) throw_more_waits(name);
        // A wait that was registered again in this round may be older than the loaded ones.
        if (const auto fresh = registered_.find(name); fresh != registered_.end())
            for (const WaitRow& row : fresh->second)
                if (is_current(row) && (!oldest || began_before(row, *oldest))) oldest = row;
        return oldest;
    }
    // Every current wait for the name, oldest first.
    template <class IsCurrent>
    std::vector<WaitRow> all_waits(const std::string& name, IsCurrent is_current) const {
        const Loading<WaitRow>& loaded = loaded_waits(name);
        if (loaded.more) throw_all_waits(name);
        std::vector<WaitRow> rows;
        std::ranges::copy_if(loaded.items, std::back_inserter(rows), is_current);
        if (const auto fresh = registered_.find(name); fresh != registered_.end())
            std::ranges::copy_if(fresh->second, std::back_inserter(rows), is_current);
        std::ranges::sort(rows, began_before);
        return rows;
    }

    KnownEvent known(const EventId& id) const;
    std::size_t inbox_size(const InstanceId& target) const;
    std::size_t channel_size(const std::string& name) const;
    // Every event queued for an instance.
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

private:
    const Loading<WaitRow>& loaded_waits(const std::string& name) const;
    [[noreturn]] static void throw_more_waits(const std::string& name);
    [[noreturn]] static void throw_all_waits(const std::string& name);
    void expect_read(const InstanceId& id, const Wait& wait) const;
    std::optional<Event> oldest_targeted(const Instance& instance, const Waiting& waiting,
                                         Moment now) const;
    std::optional<Event> oldest_broadcast(const Instance& instance, const Waiting& waiting,
                                          Moment now) const;
    bool may_take(const Event& event, const Instance& instance, const Waiting& waiting,
                  Moment now) const;
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
    std::map<std::pair<InstanceId, std::string>, std::vector<Event>> fresh_inboxes_;
    std::map<std::string, std::vector<Event>> fresh_broadcasts_;
    std::map<std::string, std::vector<WaitRow>> registered_;
};

}  // namespace holdfast
