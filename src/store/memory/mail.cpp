#include "store/memory/mail.h"

#include <algorithm>

namespace holdfast::memory {
namespace {

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
        for (const Waiting& waiting : registered_waits(row.instance))
            if (wanted(row.instance, waiting.wait)) rows.push_back(row_of(id, waiting));
    return rows;
}

std::vector<WaitRow> waits_on(const Tables& tables, const ChannelKey& channel) {
    return waits_where(tables, [&](const Instance& instance, const Wait& wait) {
        return instance.tenant == channel.tenant &&
               std::ranges::find(wait.names, channel.event) != wait.names.end();
    });
}

void load_with_definition(const Tables& tables, const InstanceId& id, Loaded& loaded) {
    const auto found = tables.instances.find(id);
    if (found == tables.instances.end()) return;
    loaded.instances.emplace(*found);
    const Instance& instance = found->second.instance;
    load_definition(tables, {instance.tenant, instance.definition}, loaded);
}

QueueSize live_size(const std::vector<Event>& events, Moment now) {
    QueueSize size;
    for (const Event& event : events) {
        if (is_expired(event, now)) continue;
        ++size.events;
        size.bytes += event.value.text().size();
    }
    return size;
}

void load_channel(const Tables& tables, const ChannelKey& key, const ReadSet::Channel& channel,
                  Loaded& loaded) {
    auto queued =
        events_where(tables, [&](const Event& e) { return !e.target && e.channel() == key; });
    if (channel.size) loaded.mail.channel_sizes[key] = live_size(queued, loaded.now);
    for (const Event& event : queued) {
        if (event.keep == Keep::no) continue;
        if (const auto fates = tables.fates.find(event.id); fates != tables.fates.end())
            for (const FateRow& row : fates->second)
                if (row.instance) loaded.mail.deliveries.emplace(event.id, *row.instance);
    }
    std::erase_if(queued, [&](const Event& event) { return is_held(event, loaded.now); });
    if (channel.broadcasts > 0)
        loaded.mail.broadcasts[key] = oldest(std::move(queued), channel.broadcasts, arrived_before);
    if (!channel.exclusive()) return;
    auto rows = waits_on(tables, key);
    const std::size_t most =
        channel.all_waits ? std::max(most_receivers, channel.waits) : channel.waits;
    loaded.mail.waits[key] = oldest(std::move(rows), most, began_before);
    for (const WaitRow& row : loaded.mail.waits[key].items)
        load_with_definition(tables, row.instance, loaded);
}

// A kept event stays queued after its delivery to the target.
bool was_delivered(const Tables& tables, const EventId& event, const InstanceId& to) {
    const auto fates = tables.fates.find(event);
    return fates != tables.fates.end() &&
           std::ranges::any_of(fates->second,
                               [&](const FateRow& row) { return row.instance == to; });
}

void load_ending(const Tables& tables, const ReadSet& reads, Loaded& loaded) {
    for (const InstanceId& id : reads.ending_inboxes()) {
        EndingInbox& inbox = loaded.mail.ending_inboxes[id];
        for (const auto& [event_id, event] : tables.pending) {
            if (event.target != id) continue;
            inbox.filled = true;
            if (event.on_target_ended == OnTargetEnded::broadcast)
                inbox.broadcasts.insert(event.key());
        }
    }
    for (const auto& [key, most] : reads.releases()) {
        auto all = events_where(tables, [&](const Event& e) {
            return e.target == key.first && e.key() == key.second && !is_held(e, loaded.now) &&
                   e.on_target_ended == OnTargetEnded::broadcast && !is_expired(e, loaded.now);
        });
        loaded.mail.releases[key] = oldest(std::move(all), most, arrived_before);
    }
}

void load_inboxes(const Tables& tables, const ReadSet& reads, Loaded& loaded) {
    for (const auto& [key, most] : reads.inboxes()) {
        const auto& [id, event_key] = key;
        auto all = events_where(tables, [&](const Event& e) {
            return e.target == id && e.key() == event_key && !is_held(e, loaded.now) &&
                   !was_delivered(tables, e.id, id);
        });
        loaded.mail.inboxes[key] = oldest(std::move(all), most, arrived_before);
    }
    for (const InstanceId& id : reads.inbox_sizes())
        loaded.mail.inbox_sizes[id] = live_size(
            events_where(tables, [&](const Event& e) { return e.target == id; }), loaded.now);
    load_ending(tables, reads, loaded);
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

// What is left of the queue of an instance that ended.
void end_inbox(Tables& tables, const InstanceId& target, const MailChanges::EndedInbox& ended) {
    const auto queued = events_where(tables, [&](const Event& e) { return e.target == target; });
    for (const Event& event : queued) {
        const bool expired = is_expired(event, ended.at);
        if (!expired && event.on_target_ended == OnTargetEnded::broadcast) {
            tables.pending.at(event.id).target.reset();
            continue;
        }
        tables.pending.erase(event.id);
        if (!expired && event.on_target_ended == OnTargetEnded::dead_letter) {
            Event dead = event;
            dead.hold = Hold::none;
            tables.dead.emplace(event.id, DeadEvent{std::move(dead), ended.status, ended.at});
            continue;
        }
        tables.fates[event.id].push_back(
            {.event = event.id,
             .name = event.name,
             .fate = expired ? EventFate::expired : EventFate::discarded,
             .at = ended.at,
             .tenant = event.tenant});
    }
}

void clear_journal(Tables& tables, const InstanceId& id) {
    const auto is_its = [&](const auto& item) { return item.first.first == id; };
    std::erase_if(tables.steps, is_its);
    std::erase_if(tables.winners, is_its);
}

}  // namespace

std::uint64_t waits_before(const Tables& tables, const CountWaitsBefore& query) {
    const WaitRow one{{}, query.token, query.began_at, query.operation};
    const auto rows = waits_on(tables, query.channel);
    return static_cast<std::uint64_t>(
        std::ranges::count_if(rows, [&](const WaitRow& row) { return began_before(row, one); }));
}

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
    for (const auto& [key, channel] : reads.channels()) load_channel(tables, key, channel, loaded);
    for (const EventId& id : reads.events()) loaded.mail.events[id] = known_event(tables, id);
    for (const auto& [id, by] : reads.receipts())
        if (was_delivered(tables, id, by)) loaded.mail.deliveries.emplace(id, by);
    for (const auto& key : reads.steps()) {
        if (const auto found = tables.steps.find(key); found != tables.steps.end())
            loaded.steps.insert(*found);
        if (const auto found = tables.winners.find(key); found != tables.winners.end())
            loaded.winners.insert(*found);
    }
    for (const Digest& digest : reads.values())
        if (const auto found = tables.values.find(digest); found != tables.values.end())
            loaded.values.emplace(digest, found->second.value);
    for (const InstanceId& id : reads.completions()) {
        auto& waiters = loaded.completions[id];
        waiters = oldest(waits_where(tables,
                                     [&](const Instance&, const Wait& wait) {
                                         return std::ranges::find(wait.workflows, id) !=
                                                wait.workflows.end();
                                     }),
                         most_receivers, began_before);
        for (const WaitRow& row : waiters.items) load_with_definition(tables, row.instance, loaded);
    }
    for (const BusinessKeyRef& key : reads.keys()) {
        auto& ids = loaded.under_keys[key];
        for (auto row = tables.instances.rbegin();
             row != tables.instances.rend() && ids.size() < most_under_key; ++row) {
            const Instance& instance = row->second.instance;
            if (instance.tenant == key.tenant && instance.definition.key == key.definition &&
                instance.business.key == key.key)
                ids.push_back(row->first);
        }
    }
    for (const InstanceId& parent : reads.parents()) {
        std::vector<InstanceId> ids;
        for (const auto& [id, row] : tables.instances)
            if (row.instance.parent == parent && is_open(row.instance.status)) ids.push_back(id);
        auto& children = loaded.children[parent];
        children = oldest(std::move(ids), most_receivers, std::less<>());
        for (const InstanceId& child : children.items) load_with_definition(tables, child, loaded);
    }
}

void apply_mail(Tables& tables, const Changes& changes) {
    const MailChanges& mail = *changes.mail;
    for (const FateRow& row : mail.fates) tables.fates[row.event].push_back(row);
    for (const auto& [id, dead] : mail.unburied) tables.dead.erase(id);
    for (const auto& [id, dead] : mail.buried) tables.dead.emplace(id, dead);
    for (const EventId& id : mail.taken) tables.pending.erase(id);
    for (const auto& [id, event] : mail.released) tables.pending[id] = event;
    for (const auto& [id, ended] : mail.ended_inboxes) end_inbox(tables, id, ended);
    for (const InstanceChange* change : changes.instances)
        if (change->cleared && change->before) {
            discard_inbox(tables, change->before->id);
            clear_journal(tables, change->before->id);
        }
    for (const auto& [id, event] : mail.queued) tables.pending[id] = event;
    for (const InstanceId& id : *changes.cleared_journals) clear_journal(tables, id);
    for (const auto& [digest, value] : changes.values)
        tables.values.insert_or_assign(digest, Tables::SharedValue{*value, changes.now});
    for (const Step* step : changes.steps)
        tables.steps.emplace(std::pair{step->instance, step->index}, *step);
    for (const Winner* winner : changes.winners)
        tables.winners.emplace(std::pair{winner->instance, winner->index}, *winner);
}

}  // namespace holdfast::memory
