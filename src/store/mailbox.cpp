#include "store/mailbox.h"

#include <algorithm>

#include "base/assert.h"

namespace holdfast {
namespace {

// The oldest event that `fits` in a loaded and a fresh list, both in order of arrival. Events that
// were not loaded are younger than all loaded ones, but may be older than fresh ones: `more`
// throws.
template <class Fits, class More>
std::optional<Event> first(const Loading<Event>& loaded, const std::vector<Event>* fresh, Fits fits,
                           More more) {
    std::optional<Event> oldest;
    const auto found = std::ranges::find_if(loaded.items, fits);
    if (found != loaded.items.end()) oldest = *found;
    if (!oldest && loaded.more) more();
    if (fresh) {
        const auto younger = std::ranges::find_if(*fresh, fits);
        if (younger != fresh->end() && (!oldest || arrival_of(*younger) < arrival_of(*oldest)))
            oldest = *younger;
    }
    return oldest;
}

QueueSize size_of(const Event& event) { return {1, event.value.text().size()}; }

QueueSize operator+(const QueueSize& a, const QueueSize& b) {
    return {a.events + b.events, a.bytes + b.bytes};
}

QueueSize operator-(const QueueSize& a, const QueueSize& b) {
    return {a.events - std::min(a.events, b.events), a.bytes - std::min(a.bytes, b.bytes)};
}

// How much of them counts in the queue. One that expires on arrival does not.
QueueSize live_size(const std::vector<Event>& fresh) {
    QueueSize size;
    for (const Event& event : fresh)
        if (!is_expired(event, event.accepted_at)) size = size + size_of(event);
    return size;
}

void insert_in_order(std::vector<Event>& events, Event event) {
    const auto place = std::ranges::upper_bound(events, arrival_of(event), {}, arrival_of);
    events.insert(place, std::move(event));
}

// Visits what is listed for one instance, by key.
template <class Map, class Visit>
void for_each_of(const Map& map, const InstanceId& id, Visit visit) {
    for (auto at = map.lower_bound({id, EventKey{}}); at != map.end() && at->first.first == id;
         ++at)
        visit(at->first.second, at->second);
}

template <class Map, class Key>
auto* find_in(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
}

void keep_older(std::optional<Event>& oldest, std::optional<Event> other) {
    if (!other) return;
    if (!oldest || arrival_of(*other) < arrival_of(*oldest)) oldest = std::move(other);
}

}  // namespace

bool MailChanges::empty() const {
    return queued.empty() && released.empty() && taken.empty() && fates.empty() && buried.empty() &&
           unburied.empty() && ended_inboxes.empty();
}

Mailbox::Mailbox(const ReadSet& reads, LoadedMail loaded, UndoLog& undo)
    : reads_(reads), undo_(undo), loaded_(std::move(loaded)) {
    const auto add = [this](const std::vector<Event>& events) {
        for (const Event& event : events) stored_.insert(event.id);
    };
    for (const auto& [key, loading] : loaded_.inboxes) add(loading.items);
    for (const auto& [key, loading] : loaded_.releases) add(loading.items);
    for (const auto& [channel, loading] : loaded_.broadcasts) add(loading.items);
    for (const auto& [id, known] : loaded_.events)
        if (known.queued) stored_.insert(id);
}

bool Mailbox::may_take(const Event& event, const Instance& instance, const Waiting& waiting,
                       Moment now) const {
    if (is_taken(event.id) || is_held(event, now) || is_expired(event, now)) return false;
    if (loaded_.deliveries.contains({event.id, instance.id})) return false;
    switch (waiting.wait.since) {
        case Since::any: return true;
        case Since::created: return event.accepted_at >= instance.created_at;
        case Since::wait: return arrival_of(event) > Arrival{waiting.began_at, waiting.operation};
    }
    return true;
}

std::optional<Event> Mailbox::oldest_targeted(const Instance& instance, const Waiting& waiting,
                                              Moment now) const {
    std::optional<Event> oldest;
    for (const EventKey& name : waiting.wait.names) {
        const std::pair key{instance.id, name};
        keep_older(oldest,
                   first(
                       loaded_.inboxes.at(key), find_in(fresh_inboxes_, key),
                       [&](const Event& event) { return may_take(event, instance, waiting, now); },
                       [&] {
                           LoadMore more{.wider = true};
                           more.also.inbox(instance.id, name);
                           throw more;
                       }));
    }
    return oldest;
}

std::optional<Event> Mailbox::oldest_broadcast(const Instance& instance, const Waiting& waiting,
                                               Moment now) const {
    std::optional<Event> oldest;
    for (const EventKey& name : waiting.wait.names) {
        if (is_engine_name(name.name)) continue;
        const ChannelKey channel{instance.tenant, name};
        keep_older(oldest,
                   first(
                       loaded_.broadcasts.at(channel), find_in(fresh_broadcasts_, channel),
                       [&](const Event& event) { return may_take(event, instance, waiting, now); },
                       [&] {
                           LoadMore more{.wider = true};
                           more.also.broadcasts(channel);
                           throw more;
                       }));
    }
    return oldest;
}

std::optional<Event> Mailbox::find(const Instance& instance, const Waiting& waiting,
                                   Moment now) const {
    expect_read(instance, waiting.wait);
    for (const EventKey& name : waiting.wait.names) expect_unchanged({instance.tenant, name});
    if (auto targeted = oldest_targeted(instance, waiting, now)) return targeted;
    return oldest_broadcast(instance, waiting, now);
}

void Mailbox::expect_read(const Instance& instance, const Wait& wait) const {
    LoadMore more;
    bool missing = false;
    for (const EventKey& name : wait.names) {
        const ChannelKey channel{instance.tenant, name};
        const bool is_broadcast = !is_engine_name(name.name);
        if (loaded_.inboxes.contains({instance.id, name}) &&
            (!is_broadcast || loaded_.broadcasts.contains(channel)))
            continue;
        more.also.inbox(instance.id, name);
        if (is_broadcast) more.also.broadcasts(channel);
        missing = true;
    }
    if (missing) throw more;
}

const Loading<WaitRow>& Mailbox::loaded_waits(const ChannelKey& channel) const {
    if (const auto* found = find_in(loaded_.waits, channel)) return *found;
    LoadMore more;
    more.also.waits(channel);
    more.also.channel_size(channel);  // required with the waits of a channel
    throw more;
}

std::vector<WaitRow> Mailbox::oldest_waits(
    const ChannelKey& channel, std::size_t most,
    const std::function<bool(const WaitRow&)>& is_current) const {
    const Loading<WaitRow>& loaded = loaded_waits(channel);
    std::vector<WaitRow> rows;
    std::ranges::copy_if(loaded.items, std::back_inserter(rows), is_current);
    if (rows.size() < most && loaded.more) throw_more_waits(channel);
    if (const auto* fresh = find_in(registered_, channel))
        std::ranges::copy_if(*fresh, std::back_inserter(rows), is_current);
    std::ranges::sort(rows, began_before);
    // One that was registered again in this round is listed twice.
    const auto again = std::ranges::unique(rows, {}, &WaitRow::token);
    rows.erase(again.begin(), again.end());
    if (rows.size() > most) rows.resize(most);
    return rows;
}

void Mailbox::throw_more_waits(const ChannelKey& channel) {
    LoadMore more{.wider = true};
    more.also.waits(channel);
    throw more;
}

void Mailbox::throw_all_waits(const ChannelKey& channel) {
    LoadMore more;
    more.also.all_waits(channel);
    throw more;
}

KnownEvent Mailbox::known(const EventId& id) const {
    if (!reads_.events().contains(id)) {
        LoadMore more;
        more.also.event(id);
        throw more;
    }
    KnownEvent known;
    if (const KnownEvent* loaded = find_in(loaded_.events, id)) known = *loaded;
    if (const auto queued = changes_.queued.find(id); queued != changes_.queued.end())
        known.queued = queued->second;
    if (const auto released = changes_.released.find(id); released != changes_.released.end())
        known.queued = released->second;
    if (is_taken(id)) known.queued.reset();
    if (changes_.unburied.contains(id)) known.dead.reset();
    if (const auto buried = changes_.buried.find(id); buried != changes_.buried.end())
        known.dead = buried->second;
    for (const FateRow& row : changes_.fates)
        if (row.event == id) known.fates.push_back(row);
    return known;
}

bool Mailbox::has_reached(const EventId& id, const InstanceId& instance) const {
    if (!reads_.receipts().contains({id, instance})) {
        LoadMore more;
        more.also.receipt(id, instance);
        throw more;
    }
    return loaded_.deliveries.contains({id, instance});
}

QueueSize Mailbox::inbox_size(const InstanceId& target) const {
    if (!reads_.inbox_sizes().contains(target)) {
        LoadMore more;
        more.also.inbox_size(target);
        throw more;
    }
    const auto* loaded = find_in(loaded_.inbox_sizes, target);
    QueueSize size = loaded ? *loaded : QueueSize{};
    for_each_of(fresh_inboxes_, target,
                [&](const EventKey&, const auto& events) { size = size + live_size(events); });
    return size;
}

QueueSize Mailbox::channel_size(const ChannelKey& channel) const {
    expect_unchanged(channel);
    const auto* read = find_in(reads_.channels(), channel);
    if (!read || !read->size) {
        LoadMore more;
        more.also.channel_size(channel);
        throw more;
    }
    const auto* loaded = find_in(loaded_.channel_sizes, channel);
    const auto* fresh = find_in(fresh_broadcasts_, channel);
    return (loaded ? *loaded : QueueSize{}) + (fresh ? live_size(*fresh) : QueueSize{});
}

void Mailbox::expect_unchanged(const ChannelKey& channel) const {
    if (!released_to_.contains(channel)) return;
    LoadMore more;
    more.also.broadcasts(channel);
    throw more;
}

const EndingInbox& Mailbox::ending(const InstanceId& target) const {
    if (const auto* found = find_in(loaded_.ending_inboxes, target)) return *found;
    LoadMore more;
    more.also.ending_inbox(target);
    throw more;
}

std::vector<EventKey> Mailbox::keys_to_release(const InstanceId& target) const {
    std::set<EventKey> keys = ending(target).broadcasts;
    for_each_of(fresh_inboxes_, target, [&](const EventKey& key, const auto& fresh) {
        if (!fresh.empty()) keys.insert(key);
    });
    return {keys.begin(), keys.end()};
}

std::optional<Event> Mailbox::next_release(const InstanceId& target, const EventKey& key,
                                           Moment now) const {
    static const Loading<Event> none;
    const Loading<Event>* loaded = &none;
    LoadMore more;
    more.also.releases(target, key);
    if (ending(target).broadcasts.contains(key))
        loaded = find_in(loaded_.releases, std::pair{target, key});
    if (!loaded) throw more;
    return first(
        *loaded, find_in(fresh_inboxes_, std::pair{target, key}),
        [&](const Event& event) {
            return event.on_target_ended == OnTargetEnded::broadcast && !is_taken(event.id) &&
                   !changes_.released.contains(event.id) && !is_expired(event, now) &&
                   !is_held(event, now);
        },
        [&] {
            more.wider = true;
            throw more;
        });
}

std::vector<Event>& Mailbox::fresh_list(const Event& event) {
    return event.target ? fresh_inboxes_[{*event.target, event.key()}]
                        : fresh_broadcasts_[event.channel()];
}

void Mailbox::add_fresh(const Event& event) {
    auto& list = fresh_list(event);
    insert_in_order(list, event);
    undo_.add([&list, id = event.id] {
        std::erase_if(list, [&](const Event& one) { return one.id == id; });
    });
}

void Mailbox::queue(Event event) {
    add_fresh(event);
    const EventId id = event.id;
    note(id);
    undo_.emplace(changes_.queued, id, std::move(event));
}

void Mailbox::note(const EventId& id) {
    const KnownEvent* loaded = find_in(loaded_.events, id);
    if (loaded && loaded->empty()) undo_.emplace(changes_.accepted, id);
}

// Events queued in this round never reach the table, and those delivered on arrival were never
// queued. Events released in this round are in the table, still under their target.
void Mailbox::remove(const Event& event) {
    const bool was_queued = undo_.erase(changes_.queued, event.id);
    const bool was_released = undo_.erase(changes_.released, event.id);
    if (was_queued || was_released) {
        std::erase_if(undo_.change(fresh_list(event)),
                      [&](const Event& one) { return one.id == event.id; });
        if (was_released) undo_.emplace(changes_.taken, event.id);
        return;
    }
    if (!stored_.contains(event.id) || !undo_.emplace(changes_.taken, event.id).second) return;
    const auto shrink = [&](auto& sizes, const auto& key) {
        if (const auto size = sizes.find(key); size != sizes.end())
            undo_.change(size->second) = size->second - size_of(event);
    };
    if (event.target)
        shrink(loaded_.inbox_sizes, *event.target);
    else
        shrink(loaded_.channel_sizes, event.channel());
}

void Mailbox::deliver(const Event& event, const InstanceId& to, std::uint64_t index, Moment now) {
    if (event.keep == Keep::no) remove(event);
    note(event.id);
    // It may end several waits of one instance, which has one fate row for it.
    if (!undo_.emplace(loaded_.deliveries, event.id, to).second) return;
    undo_.append(changes_.fates, FateRow{.event = event.id,
                                         .name = event.name,
                                         .fate = EventFate::delivered,
                                         .instance = to,
                                         .index = index,
                                         .at = now,
                                         .tenant = event.tenant});
}

void Mailbox::end(const Event& event, EventFate fate, Moment now) {
    remove(event);
    undo_.append(changes_.fates, FateRow{.event = event.id,
                                         .name = event.name,
                                         .fate = fate,
                                         .at = now,
                                         .tenant = event.tenant});
    note(event.id);
}

void Mailbox::bury(Event event, Status target_status, Moment now) {
    remove(event);
    const EventId id = event.id;
    event.hold = Hold::none;
    undo_.emplace(changes_.buried, id, DeadEvent{std::move(event), target_status, now});
}

void Mailbox::unbury(DeadEvent dead) {
    const EventId id = dead.event.id;
    if (!undo_.erase(changes_.buried, id)) undo_.emplace(changes_.unburied, id, std::move(dead));
}

void Mailbox::release(Event event) {
    const bool fresh = changes_.queued.contains(event.id);
    remove(event);
    undo_.erase(changes_.taken, event.id);
    event.target.reset();
    add_fresh(event);
    auto& list = fresh ? changes_.queued : changes_.released;
    const EventId id = event.id;
    undo_.emplace(list, id, std::move(event));
}

void Mailbox::settle(const Event& event, Status status, Moment now) {
    if (is_expired(event, now)) return end(event, EventFate::expired, now);
    switch (event.on_target_ended) {
        case OnTargetEnded::discard: return end(event, EventFate::discarded, now);
        case OnTargetEnded::dead_letter: return bury(event, status, now);
        case OnTargetEnded::broadcast: return release(event);
    }
}

void Mailbox::end_inbox(const Instance& target, Status status, Moment now) {
    const EndingInbox inbox = ending(target.id);
    // One by one: those that operations of this round know.
    std::vector<Event> known;
    for_each_of(fresh_inboxes_, target.id, [&](const EventKey&, const auto& events) {
        known.insert(known.end(), events.begin(), events.end());
    });
    if (inbox.filled)
        for (const auto& [id, one] : loaded_.events)
            if (one.queued && one.queued->target == target.id && !is_taken(id))
                known.push_back(*one.queued);
    std::ranges::sort(known, {}, arrival_of);
    for (const Event& event : known) settle(event, status, now);
    if (!inbox.filled) return;
    undo_.assign(changes_.ended_inboxes, target.id, MailChanges::EndedInbox{status, now});
    for (auto& [key, loading] : loaded_.inboxes)
        if (key.first == target.id) undo_.change(loading) = {};
    for (const EventKey& key : inbox.broadcasts)
        undo_.emplace(released_to_, ChannelKey{target.tenant, key});
}

void Mailbox::clear_inbox(const InstanceId& target, Moment now) {
    std::vector<Event> fresh;
    for (const auto& [id, event] : changes_.queued)
        if (event.target == target) fresh.push_back(event);
    for (const Event& event : fresh) end(event, EventFate::discarded, now);

    for (auto& [key, loading] : loaded_.inboxes)
        if (key.first == target) undo_.change(loading) = {};
    if (const auto ending = loaded_.ending_inboxes.find(target);
        ending != loaded_.ending_inboxes.end())
        undo_.change(ending->second) = {};
    if (const auto size = loaded_.inbox_sizes.find(target); size != loaded_.inbox_sizes.end())
        undo_.change(size->second) = {};
    for (auto& [id, known] : loaded_.events) {
        if (!known.queued || known.queued->target != target || is_taken(id)) continue;
        undo_.change(known).fates.push_back({.event = id,
                                             .name = known.queued->name,
                                             .fate = EventFate::discarded,
                                             .at = now,
                                             .tenant = known.queued->tenant});
        known.queued.reset();
    }
}

void Mailbox::register_wait(const Instance& instance, const Waiting& waiting) {
    for (const EventKey& name : waiting.wait.names)
        undo_.append(registered_[{instance.tenant, name}], row_of(instance.id, waiting));
}

}  // namespace holdfast
