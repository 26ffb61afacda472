#include "store/memory/mail.h"

#include <algorithm>
#include <limits>

namespace holdfast::memory {
namespace {

WaitRow wait_row(const Instance& instance) {
    return {instance.id, instance.waiting->token, instance.waiting->began_at,
            instance.waiting->operation};
}

// The oldest `most` of them, and whether there are more.
template <class T, class Older>
Loading<T> oldest(std::vector<T> all, std::size_t most, Older older) {
    std::ranges::sort(all, older);
    Loading<T> loading;
    loading.more = all.size() > most;
    if (loading.more) all.resize(most);
    loading.items = std::move(all);
    return loading;
}

constexpr auto arrived_before = [](const Event& a, const Event& b) {
    return arrival_of(a) < arrival_of(b);
};

template <class Wanted>
std::vector<Event> events_where(const Tables& tables, Wanted wanted) {
    std::vector<Event> events;
    for (const auto& [id, event] : tables.pending)
        if (wanted(event)) events.push_back(event);
    return events;
}

template <class Wanted>
std::vector<WaitRow> waits_where(const Tables& tables, Wanted wanted) {
    std::vector<WaitRow> rows;
    for (const auto& [id, row] : tables.instances)
        if (is_registered(row.instance) && wanted(row.instance.waiting->wait))
            rows.push_back(wait_row(row.instance));
    return rows;
}

void load_with_definition(const Tables& tables, const InstanceId& id, Loaded& loaded) {
    const auto found = tables.instances.find(id);
    if (found == tables.instances.end()) return;
    loaded.instances.emplace(*found);
    const auto definition = tables.definitions.find(found->second.instance.definition);
    if (definition != tables.definitions.end()) loaded.definitions.insert(*definition);
}

void load_channel(const Tables& tables, const std::string& name, const ReadSet::Channel& channel,
                  Loaded& loaded) {
    auto queued = events_where(tables, [&](const Event& e) { return !e.target && e.name == name; });
    if (channel.size)
        loaded.mail.channel_sizes[name] = std::ranges::count_if(
            queued, [&](const Event& event) { return !is_expired(event, loaded.now); });
    for (const Event& event : queued) {
        if (event.keep == Keep::no) continue;
        if (const auto fates = tables.fates.find(event.id); fates != tables.fates.end())
            for (const FateRow& row : fates->second)
                if (row.instance) loaded.mail.deliveries.emplace(event.id, *row.instance);
    }
    if (channel.broadcasts > 0)
        loaded.mail.broadcasts[name] =
            oldest(std::move(queued), channel.broadcasts, arrived_before);
    if (!channel.exclusive()) return;
    auto rows = waits_where(tables, [&](const Wait& wait) {
        return std::ranges::find(wait.names, name) != wait.names.end();
    });
    const std::size_t most =
        channel.all_waits ? std::numeric_limits<std::size_t>::max() : channel.waits;
    loaded.mail.waits[name] = oldest(std::move(rows), most, began_before);
    for (const WaitRow& row : loaded.mail.waits[name].items)
        load_with_definition(tables, row.instance, loaded);
}

// A kept event stays queued after its delivery to the target.
bool was_delivered(const Tables& tables, const EventId& event, const InstanceId& to) {
    const auto fates = tables.fates.find(event);
    return fates != tables.fates.end() &&
           std::ranges::any_of(fates->second,
                               [&](const FateRow& row) { return row.instance == to; });
}

void load_inboxes(const Tables& tables, const ReadSet& reads, Loaded& loaded) {
    for (const auto& [key, most] : reads.inboxes()) {
        const auto& [id, name] = key;
        auto all = events_where(tables, [&](const Event& e) {
            return e.target == id && e.name == name && !was_delivered(tables, e.id, id);
        });
        loaded.mail.inboxes[key] = oldest(std::move(all), most, arrived_before);
    }
    for (const InstanceId& id : reads.inbox_sizes())
        loaded.mail.inbox_sizes[id] = events_where(tables, [&](const Event& e) {
                                          return e.target == id && !is_expired(e, loaded.now);
                                      }).size();
    for (const InstanceId& id : reads.whole_inboxes())
        loaded.mail.whole_inboxes[id] =
            events_where(tables, [&](const Event& e) { return e.target == id; });
}

// A clear discards the events queued for the instance; their ids stay known (I3).
void discard_inbox(Tables& tables, const InstanceId& target) {
    const auto queued = events_where(tables, [&](const Event& e) { return e.target == target; });
    for (const Event& event : queued) {
        tables.fates[event.id].push_back({.event = event.id,
                                          .name = event.name,
                                          .fate = EventFate::discarded,
                                          .at = tables.latest});
        tables.pending.erase(event.id);
    }
}

void clear_journal(Tables& tables, const InstanceId& id) {
    const auto is_its = [&](const auto& item) { return item.first.first == id; };
    std::erase_if(tables.steps, is_its);
    std::erase_if(tables.winners, is_its);
}

}  // namespace

KnownEvent known_event(const Tables& tables, const EventId& id) {
    KnownEvent known;
    if (const auto found = tables.pending.find(id); found != tables.pending.end())
        known.queued = found->second;
    if (const auto found = tables.dead.find(id); found != tables.dead.end())
        known.dead = found->second;
    if (const auto found = tables.fates.find(id); found != tables.fates.end())
        known.fates = found->second;
    return known;
}

void load_mail(const Tables& tables, const ReadSet& reads, Loaded& loaded) {
    load_inboxes(tables, reads, loaded);
    for (const auto& [name, channel] : reads.channels())
        load_channel(tables, name, channel, loaded);
    for (const EventId& id : reads.events()) loaded.mail.events[id] = known_event(tables, id);
    for (const auto& key : reads.steps()) {
        if (const auto found = tables.steps.find(key); found != tables.steps.end())
            loaded.steps.insert(*found);
        if (const auto found = tables.winners.find(key); found != tables.winners.end())
            loaded.winners.insert(*found);
    }
    for (const InstanceId& id : reads.completions()) {
        auto& waiters = loaded.completions[id].items;
        waiters = waits_where(tables, [&](const Wait& wait) {
            return std::ranges::find(wait.workflows, id) != wait.workflows.end();
        });
        std::ranges::sort(waiters, began_before);
        for (const WaitRow& row : waiters) load_with_definition(tables, row.instance, loaded);
    }
    for (const InstanceId& parent : reads.parents()) {
        auto& children = loaded.children[parent].items;
        for (const auto& [id, row] : tables.instances)
            if (row.instance.parent == parent) children.push_back(id);
        for (const InstanceId& child : children) load_with_definition(tables, child, loaded);
    }
}

void apply_mail(Tables& tables, const Changes& changes) {
    const MailChanges& mail = *changes.mail;
    for (const FateRow& row : mail.fates) tables.fates[row.event].push_back(row);
    for (const EventId& id : mail.unburied) tables.dead.erase(id);
    for (const auto& [id, dead] : mail.buried) tables.dead.emplace(id, dead);
    for (const EventId& id : mail.taken) tables.pending.erase(id);
    for (const auto& [id, event] : mail.released) tables.pending[id] = event;
    for (const InstanceChange* change : changes.instances)
        if (change->cleared && change->before) {
            discard_inbox(tables, change->before->id);
            clear_journal(tables, change->before->id);
        }
    for (const auto& [id, event] : mail.queued) tables.pending[id] = event;
    for (const InstanceId& id : *changes.cleared_journals) clear_journal(tables, id);
    for (const Step* step : changes.steps)
        tables.steps.emplace(std::pair{step->instance, step->index}, *step);
    for (const Winner* winner : changes.winners)
        tables.winners.emplace(std::pair{winner->instance, winner->index}, *winner);
}

}  // namespace holdfast::memory
