#include "store/mailbox.h"

#include <algorithm>

#include "base/assert.h"
#include "base/defect.h"

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
        const auto found = std::ranges::find_if(*fresh, fits);
        if (found != fresh->end() && (!oldest || arrival_of(*found) < arrival_of(*oldest)))
            oldest = *found;
    }
    return oldest;
}

// How many of them count in the queue. One that expires on arrival does not.
std::size_t count_live(const std::vector<Event>& fresh) {
    return static_cast<std::size_t>(std::ranges::count_if(
        fresh, [](const Event& event) { return !is_expired(event, event.accepted_at); }));
}

void insert_in_order(std::vector<Event>& events, Event event) {
    const auto place = std::ranges::upper_bound(events, arrival_of(event), {}, arrival_of);
    events.insert(place, std::move(event));
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
           unburied.empty();
}

Mailbox::Mailbox(const ReadSet& reads, LoadedMail loaded, UndoLog& undo)
    : reads_(reads), undo_(undo), loaded_(std::move(loaded)) {
    const auto add = [this](const std::vector<Event>& events) {
        for (const Event& event : events) stored_.insert(event.id);
    };
    for (const auto& [key, loading] : loaded_.inboxes) add(loading.items);
    for (const auto& [target, events] : loaded_.whole_inboxes) add(events);
    for (const auto& [name, loading] : loaded_.broadcasts) add(loading.items);
    for (const auto& [id, known] : loaded_.events)
        if (known.queued) stored_.insert(id);
}

bool Mailbox::may_take(const Event& event, const Instance& instance, const Waiting& waiting,
                       Moment now) const {
    if (is_taken(event.id)) return false;
    if (is_expired(event, now) && !defect("expired_is_delivered")) return false;
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
    for (const std::string& name : waiting.wait.names) {
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
    for (const std::string& name : waiting.wait.names)
        keep_older(oldest,
                   first(
                       loaded_.broadcasts.at(name), find_in(fresh_broadcasts_, name),
                       [&](const Event& event) { return may_take(event, instance, waiting, now); },
                       [&] {
                           LoadMore more{.wider = true};
                           more.also.broadcasts(name);
                           throw more;
                       }));
    return oldest;
}

std::optional<Event> Mailbox::find(const Instance& instance, const Waiting& waiting,
                                   Moment now) const {
    expect_read(instance.id, waiting.wait);
    if (auto targeted = oldest_targeted(instance, waiting, now)) return targeted;
    return oldest_broadcast(instance, waiting, now);
}

void Mailbox::expect_read(const InstanceId& id, const Wait& wait) const {
    LoadMore more;
    bool missing = false;
    for (const std::string& name : wait.names) {
        if (loaded_.inboxes.contains({id, name}) && loaded_.broadcasts.contains(name)) continue;
        more.also.inbox(id, name);
        more.also.broadcasts(name);
        missing = true;
    }
    if (missing) throw more;
}

const Loading<WaitRow>& Mailbox::loaded_waits(const std::string& name) const {
    if (const auto* found = find_in(loaded_.waits, name)) return *found;
    LoadMore more;
    more.also.waits(name);
    more.also.channel_size(name);  // required with the waits of a channel
    throw more;
}

void Mailbox::throw_more_waits(const std::string& name) {
    LoadMore more{.wider = true};
    more.also.waits(name);
    throw more;
}

void Mailbox::throw_all_waits(const std::string& name) {
    LoadMore more;
    more.also.all_waits(name);
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

std::size_t Mailbox::inbox_size(const InstanceId& target) const {
    if (!reads_.inbox_sizes().contains(target)) {
        LoadMore more;
        more.also.inbox_size(target);
        throw more;
    }
    const auto* loaded = find_in(loaded_.inbox_sizes, target);
    std::size_t size = loaded ? *loaded : 0;
    for (const auto& [key, events] : fresh_inboxes_)
        if (key.first == target) size += count_live(events);
    return size;
}

std::size_t Mailbox::channel_size(const std::string& name) const {
    const auto* read = find_in(reads_.channels(), name);
    if (!read || !read->size) {
        LoadMore more;
        more.also.channel_size(name);
        throw more;
    }
    const auto* loaded = find_in(loaded_.channel_sizes, name);
    const auto* fresh = find_in(fresh_broadcasts_, name);
    return (loaded ? *loaded : 0) + (fresh ? count_live(*fresh) : 0);
}

std::vector<Event> Mailbox::inbox(const InstanceId& target) const {
    if (!loaded_.whole_inboxes.contains(target)) {
        LoadMore more;
        more.also.whole_inbox(target);
        throw more;
    }
    std::vector<Event> events;
    const auto add = [&](const Event& event) {
        if (!is_taken(event.id) && !changes_.released.contains(event.id)) events.push_back(event);
    };
    if (const auto* loaded = find_in(loaded_.whole_inboxes, target))
        std::ranges::for_each(*loaded, add);
    for (const auto& [key, fresh] : fresh_inboxes_)
        if (key.first == target) std::ranges::for_each(fresh, add);
    std::ranges::sort(events, {}, arrival_of);
    return events;
}

std::vector<Event>& Mailbox::fresh_list(const Event& event) {
    return event.target ? fresh_inboxes_[{*event.target, event.name}]
                        : fresh_broadcasts_[event.name];
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
    const auto shrink = [this](auto& sizes, const auto& key) {
        if (const auto size = sizes.find(key); size != sizes.end() && size->second > 0)
            --undo_.change(size->second);
    };
    if (event.target)
        shrink(loaded_.inbox_sizes, *event.target);
    else
        shrink(loaded_.channel_sizes, event.name);
}

void Mailbox::deliver(const Event& event, const InstanceId& to, std::uint64_t index, Moment now) {
    if (event.keep == Keep::no)
        remove(event);
    else
        undo_.emplace(loaded_.deliveries, event.id, to);
    undo_.append(changes_.fates, FateRow{.event = event.id,
                                         .name = event.name,
                                         .fate = EventFate::delivered,
                                         .instance = to,
                                         .index = index,
                                         .at = now});
    note(event.id);
}

void Mailbox::end(const Event& event, EventFate fate, Moment now) {
    remove(event);
    undo_.append(changes_.fates,
                 FateRow{.event = event.id, .name = event.name, .fate = fate, .at = now});
    note(event.id);
}

void Mailbox::bury(Event event, Status target_status, Moment now) {
    remove(event);
    const EventId id = event.id;
    undo_.emplace(changes_.buried, id, DeadEvent{std::move(event), target_status, now});
}

void Mailbox::unbury(const EventId& id) {
    if (!undo_.erase(changes_.buried, id)) undo_.emplace(changes_.unburied, id);
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

void Mailbox::clear_inbox(const InstanceId& target, Moment now) {
    std::vector<Event> fresh;
    for (const auto& [id, event] : changes_.queued)
        if (event.target == target) fresh.push_back(event);
    for (const Event& event : fresh) end(event, EventFate::discarded, now);

    for (auto& [key, loading] : loaded_.inboxes)
        if (key.first == target) undo_.change(loading) = {};
    if (const auto whole = loaded_.whole_inboxes.find(target); whole != loaded_.whole_inboxes.end())
        undo_.change(whole->second).clear();
    if (const auto size = loaded_.inbox_sizes.find(target); size != loaded_.inbox_sizes.end())
        undo_.change(size->second) = 0;
    for (auto& [id, known] : loaded_.events) {
        if (!known.queued || known.queued->target != target || is_taken(id)) continue;
        undo_.change(known).fates.push_back(
            {.event = id, .name = known.queued->name, .fate = EventFate::discarded, .at = now});
        known.queued.reset();
    }
}

void Mailbox::register_wait(const Instance& instance) {
    HF_ASSERT(is_registered(instance), "a registered wait belongs to a suspended instance");
    for (const std::string& name : instance.waiting->wait.names)
        undo_.append(registered_[name],
                     WaitRow{instance.id, instance.waiting->token, instance.waiting->began_at,
                             instance.waiting->operation});
}

}  // namespace holdfast
