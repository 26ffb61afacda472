#include "store/mailbox.h"

#include <algorithm>

#include "base/assert.h"
#include "base/defect.h"

namespace holdfast {
namespace {

using Found = std::expected<std::optional<Event>, LoadMore>;

// The oldest event that `fits` in a loaded and a fresh list, both in order of arrival. Events that
// were not loaded are younger than all loaded ones, but may be older than fresh ones.
template <class Fits>
Found first(const Loading<Event>* loaded, const std::vector<Event>* fresh, Fits fits) {
    std::optional<Event> oldest;
    if (loaded) {
        const auto found = std::ranges::find_if(loaded->items, fits);
        if (found != loaded->items.end()) oldest = *found;
        if (!oldest && loaded->more) return std::unexpected(LoadMore{});
    }
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

Mailbox::Mailbox(LoadedMail loaded) : loaded_(std::move(loaded)) {
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

Found Mailbox::oldest_targeted(const Instance& instance, const Waiting& waiting, Moment now) const {
    std::optional<Event> oldest;
    for (const std::string& name : waiting.wait.names) {
        const std::pair key{instance.id, name};
        auto found =
            first(find_in(loaded_.inboxes, key), find_in(fresh_inboxes_, key),
                  [&](const Event& event) { return may_take(event, instance, waiting, now); });
        if (!found) return found;
        keep_older(oldest, *std::move(found));
    }
    return oldest;
}

Found Mailbox::oldest_broadcast(const Instance& instance, const Waiting& waiting,
                                Moment now) const {
    std::optional<Event> oldest;
    for (const std::string& name : waiting.wait.names) {
        auto found =
            first(find_in(loaded_.broadcasts, name), find_in(fresh_broadcasts_, name),
                  [&](const Event& event) { return may_take(event, instance, waiting, now); });
        if (!found) return found;
        keep_older(oldest, *std::move(found));
    }
    return oldest;
}

Found Mailbox::find(const Instance& instance, const Waiting& waiting, Moment now) const {
    auto targeted = oldest_targeted(instance, waiting, now);
    if (!targeted || *targeted) return targeted;
    return oldest_broadcast(instance, waiting, now);
}

KnownEvent Mailbox::known(const EventId& id) const {
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
    const auto* loaded = find_in(loaded_.inbox_sizes, target);
    std::size_t size = loaded ? *loaded : 0;
    for (const auto& [key, events] : fresh_inboxes_)
        if (key.first == target) size += count_live(events);
    return size;
}

std::size_t Mailbox::channel_size(const std::string& name) const {
    const auto* loaded = find_in(loaded_.channel_sizes, name);
    const auto* fresh = find_in(fresh_broadcasts_, name);
    return (loaded ? *loaded : 0) + (fresh ? count_live(*fresh) : 0);
}

std::vector<Event> Mailbox::inbox(const InstanceId& target) const {
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

void Mailbox::queue(Event event) {
    auto& list =
        event.target ? fresh_inboxes_[{*event.target, event.name}] : fresh_broadcasts_[event.name];
    insert_in_order(list, event);
    note(event.id);
    changes_.queued.emplace(event.id, std::move(event));
    ++writes_;
}

void Mailbox::note(const EventId& id) {
    const KnownEvent* loaded = find_in(loaded_.events, id);
    if (loaded && loaded->empty()) changes_.accepted.insert(id);
}

// Events queued in this round never reach the table, and those delivered on arrival were never
// queued. Events released in this round are in the table, still under their target.
void Mailbox::remove(const Event& event) {
    const bool was_queued = changes_.queued.erase(event.id) > 0;
    const bool was_released = changes_.released.erase(event.id) > 0;
    if (was_queued || was_released) {
        auto& fresh = event.target ? fresh_inboxes_[{*event.target, event.name}]
                                   : fresh_broadcasts_[event.name];
        std::erase_if(fresh, [&](const Event& one) { return one.id == event.id; });
        if (was_released) changes_.taken.insert(event.id);
        return;
    }
    if (!stored_.contains(event.id) || !changes_.taken.insert(event.id).second) return;
    const auto shrink = [](auto& sizes, const auto& key) {
        if (const auto size = sizes.find(key); size != sizes.end() && size->second > 0)
            --size->second;
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
        loaded_.deliveries.emplace(event.id, to);
    changes_.fates.push_back({.event = event.id,
                              .name = event.name,
                              .fate = EventFate::delivered,
                              .instance = to,
                              .index = index,
                              .at = now});
    note(event.id);
    ++writes_;
}

void Mailbox::end(const Event& event, EventFate fate, Moment now) {
    remove(event);
    changes_.fates.push_back({.event = event.id, .name = event.name, .fate = fate, .at = now});
    note(event.id);
    ++writes_;
}

void Mailbox::bury(Event event, Status target_status, Moment now) {
    remove(event);
    const EventId id = event.id;
    changes_.buried.emplace(id, DeadEvent{std::move(event), target_status, now});
    ++writes_;
}

void Mailbox::unbury(const EventId& id) {
    if (changes_.buried.erase(id) == 0) changes_.unburied.insert(id);
    ++writes_;
}

void Mailbox::release(Event event) {
    const bool fresh = changes_.queued.contains(event.id);
    remove(event);
    changes_.taken.erase(event.id);
    event.target.reset();
    insert_in_order(fresh_broadcasts_[event.name], event);
    auto& list = fresh ? changes_.queued : changes_.released;
    const EventId id = event.id;
    list.emplace(id, std::move(event));
    ++writes_;
}

void Mailbox::clear_inbox(const InstanceId& target, Moment now) {
    std::vector<Event> fresh;
    for (const auto& [id, event] : changes_.queued)
        if (event.target == target) fresh.push_back(event);
    for (const Event& event : fresh) end(event, EventFate::discarded, now);

    for (auto& [key, loading] : loaded_.inboxes)
        if (key.first == target) loading = {};
    if (const auto whole = loaded_.whole_inboxes.find(target); whole != loaded_.whole_inboxes.end())
        whole->second.clear();
    if (const auto size = loaded_.inbox_sizes.find(target); size != loaded_.inbox_sizes.end())
        size->second = 0;
    for (auto& [id, known] : loaded_.events) {
        if (!known.queued || known.queued->target != target || is_taken(id)) continue;
        known.fates.push_back(
            {.event = id, .name = known.queued->name, .fate = EventFate::discarded, .at = now});
        known.queued.reset();
    }
}

void Mailbox::register_wait(const Instance& instance) {
    HF_ASSERT(is_registered(instance), "a registered wait belongs to a suspended instance");
    for (const std::string& name : instance.waiting->wait.names)
        registered_[name].push_back({instance.id, instance.waiting->token,
                                     instance.waiting->began_at, instance.waiting->operation});
    ++writes_;
}

}  // namespace holdfast
