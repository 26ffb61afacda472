#include "store/postgres/load/load_mail.h"

#include <algorithm>

#include "store/postgres/connection/channel_columns.h"
#include "store/postgres/load/decode_mail.h"

namespace holdfast::postgres {
namespace {

using Channels = std::map<ChannelKey, ReadSet::Channel>;

template <class Wanted>
Channels channels_where(const ReadSet& reads, Wanted wanted) {
    Channels found;
    for (const auto& channel : reads.channels())
        if (wanted(channel.second)) found.insert(channel);
    return found;
}

bool is_exclusive(const ReadSet::Channel& channel) { return channel.exclusive(); }

std::uint64_t most_waits(const ReadSet::Channel& channel) {
    return channel.all_waits ? std::max(most_receivers, channel.waits) : channel.waits;
}

template <class T>
void cut(Loading<T>& loading, std::size_t most) {
    if (loading.items.size() <= most) return;
    loading.items.resize(most);
    loading.more = true;
}

QueueSize queue_size(Row& row) {
    QueueSize size;
    size.events = row.int8();
    size.bytes = row.int8();
    return size;
}

}  // namespace

bool MailLoad::wants_waiters() const {
    return !reads_.completions().empty() || !reads_.parents().empty() ||
           std::ranges::any_of(reads_.channels(),
                               [](const auto& item) { return item.second.exclusive(); });
}

void MailLoad::add_waiters(Parameters& parameters) const {
    const Channels channels = channels_where(reads_, is_exclusive);
    add_channels(parameters, channels, key_of);
    parameters.array(channels, [](const auto& item) { return most_waits(item.second); });
    parameters.array(reads_.completions()).array(reads_.parents());
    parameters.add(std::uint64_t{most_receivers});
}

void MailLoad::query(Trip& trip) {
    query_waits(trip);
    query_completions(trip);
    query_children(trip);
    query_keys(trip);
    query_lists(trip, "load_inboxes", reads_.inboxes(), loaded_.mail.inboxes);
    query_ending_inboxes(trip);
    query_lists(trip, "load_releases", reads_.releases(), loaded_.mail.releases);
    query_sizes(trip);
    query_broadcasts(trip);
    query_events(trip);
    query_receipts(trip);
    query_journal(trip);
    query_values(trip);
}

void MailLoad::query_waits(Trip& trip) {
    const Channels channels = channels_where(reads_, is_exclusive);
    if (channels.empty()) return;
    Parameters parameters;
    add_channels(parameters, channels, key_of);
    parameters.array(channels, [](const auto& item) { return most_waits(item.second) + 1; });
    trip.query("load_waits", parameters, [this, channels](const Rows& rows) -> Reply<void> {
        std::map<ChannelKey, std::vector<WaitRow>> found;
        for (Row row : rows) {
            auto& list = found[channel_of(row)];
            list.push_back(wait_row(row));
        }
        for (const auto& [key, channel] : channels)
            loaded_.mail.waits[key] = oldest_locked(std::move(found[key]), channel);
        return {};
    });
}

void MailLoad::query_completions(Trip& trip) {
    if (reads_.completions().empty()) return;
    for (const InstanceId& id : reads_.completions()) loaded_.completions[id];
    trip.query_rows("load_completion_waits",
                    Parameters().array(reads_.completions()).add(std::uint64_t{most_receivers + 1}),
                    [this](Row& row) {
                        auto& waiters = loaded_.completions[row.id<InstanceId>()];
                        const WaitRow wait = wait_row(row);
                        if (is_locked_(wait.instance) && waiters.items.size() < most_receivers)
                            waiters.items.push_back(wait);
                        else
                            waiters.more = true;
                    });
}

void MailLoad::query_children(Trip& trip) {
    if (reads_.parents().empty()) return;
    for (const InstanceId& id : reads_.parents()) loaded_.children[id];
    const Parameters parents =
        std::move(Parameters().array(reads_.parents()).add(std::uint64_t{most_receivers + 1}));
    trip.query_rows("load_children_of", parents, [this](Row& row) {
        auto& children = loaded_.children[row.id<InstanceId>()];
        const auto child = row.id<InstanceId>();
        if (is_locked_(child) && children.items.size() < most_receivers)
            children.items.push_back(child);
        else
            children.more = true;
    });
}

void MailLoad::query_keys(Trip& trip) {
    if (reads_.keys().empty()) return;
    for (const BusinessKeyRef& key : reads_.keys()) loaded_.under_keys[key];
    Parameters parameters;
    parameters.array(reads_.keys(), &BusinessKeyRef::tenant);
    parameters.array(reads_.keys(), &BusinessKeyRef::definition);
    parameters.array(reads_.keys(), &BusinessKeyRef::key);
    parameters.add(std::uint64_t{most_under_key});
    trip.query_rows("load_under_key", parameters, [this](Row& row) {
        BusinessKeyRef key{.tenant = row.text(), .definition = {}, .key = {}};
        key.definition = row.text();
        key.key = row.text();
        loaded_.under_keys[key].push_back(row.id<InstanceId>());
    });
}

void MailLoad::query_lists(Trip& trip, std::string_view statement, const Lists& lists,
                           LoadedLists& loaded) {
    if (lists.empty()) return;
    Parameters parameters;
    parameters.array(lists, [](const auto& list) { return list.first.first; });
    parameters.array(lists, [](const auto& list) { return list.first.second.name; });
    parameters.array(lists, [](const auto& list) { return list.first.second.correlation; });
    parameters.array(lists, [](const auto& list) { return std::uint64_t{list.second + 1}; });
    trip.query(statement, parameters, [&lists, &loaded](const Rows& rows) -> Reply<void> {
        for (const auto& [key, most] : lists) loaded[key];
        for (Row row : rows) {
            Event event = event_row(row);
            loaded[{*event.target, event.key()}].items.push_back(std::move(event));
        }
        for (const auto& [key, most] : lists) cut(loaded[key], most);
        return {};
    });
}

void MailLoad::query_ending_inboxes(Trip& trip) {
    if (reads_.ending_inboxes().empty()) return;
    for (const InstanceId& id : reads_.ending_inboxes()) loaded_.mail.ending_inboxes[id];
    trip.query_rows("load_ending_inboxes", Parameters().array(reads_.ending_inboxes()),
                    [this](Row& row) {
                        EndingInbox& inbox = loaded_.mail.ending_inboxes[row.id<InstanceId>()];
                        EventKey key{row.text()};
                        key.correlation = row.text();
                        inbox.filled = true;
                        if (row.boolean()) inbox.broadcasts.insert(std::move(key));
                    });
}

void MailLoad::query_sizes(Trip& trip) {
    if (!reads_.inbox_sizes().empty())
        trip.query_rows("count_inboxes", Parameters().array(reads_.inbox_sizes()),
                        [this](Row& row) {
                            const auto id = row.id<InstanceId>();
                            loaded_.mail.inbox_sizes[id] = queue_size(row);
                        });
    const Channels counted =
        channels_where(reads_, [](const ReadSet::Channel& channel) { return channel.size; });
    if (counted.empty()) return;
    Parameters parameters;
    add_channels(parameters, counted, key_of);
    trip.query_rows("count_broadcasts", parameters, [this](Row& row) {
        const ChannelKey key = channel_of(row);
        loaded_.mail.channel_sizes[key] = queue_size(row);
    });
}

void MailLoad::query_broadcasts(Trip& trip) {
    const Channels channels = channels_where(
        reads_, [](const ReadSet::Channel& channel) { return channel.broadcasts > 0; });
    if (channels.empty()) return;
    Parameters parameters;
    add_channels(parameters, channels, key_of);
    parameters.array(channels,
                     [](const auto& item) { return std::uint64_t{item.second.broadcasts + 1}; });
    parameters.array(reads_.takers());
    trip.query("load_broadcasts", parameters, [this, channels](const Rows& rows) -> Reply<void> {
        auto& loaded = loaded_.mail.broadcasts;
        for (const auto& [key, channel] : channels) loaded[key];
        for (Row row : rows) take_broadcast(row);
        for (const auto& [key, channel] : channels) cut(loaded[key], channel.broadcasts);
        return {};
    });
}

void MailLoad::query_events(Trip& trip) {
    if (reads_.events().empty()) return;
    for (const EventId& id : reads_.events()) loaded_.mail.events[id];
    const Parameters parameters = std::move(Parameters().array(reads_.events()));
    trip.query_rows("load_known_events", parameters,
                    [this](Row& row) { add_known_event(row, loaded_.mail.events[event_of(row)]); });
    trip.query_rows("load_fates", parameters, [this](Row& row) {
        FateRow fate = fate_row(row);
        loaded_.mail.events[fate.event].fates.push_back(std::move(fate));
    });
}

void MailLoad::query_receipts(Trip& trip) {
    const auto& receipts = reads_.receipts();
    if (receipts.empty()) return;
    Parameters parameters;
    parameters.array(receipts, key_of);
    parameters.array(receipts, [](const auto& receipt) { return receipt.second; });
    trip.query_rows("load_receipts", parameters, [this](Row& row) {
        const auto id = row.id<EventId>();
        loaded_.mail.deliveries.emplace(id, row.id<InstanceId>());
    });
}

void MailLoad::query_journal(Trip& trip) {
    const auto& steps = reads_.steps();
    if (steps.empty()) return;
    Parameters parameters;
    parameters.array(steps, key_of);
    parameters.array(steps, [](const auto& step) { return step.second; });
    trip.query_rows("load_journal", parameters, [this](Row& row) {
        JournalEntry entry = journal_row(row);
        const std::pair key{entry.step.instance, entry.step.index};
        if (entry.winner) loaded_.winners.emplace(key, *std::move(entry.winner));
        loaded_.steps.emplace(key, std::move(entry.step));
    });
}

void MailLoad::query_values(Trip& trip) {
    if (reads_.values().empty()) return;
    trip.query_rows("load_values", Parameters().array(reads_.values()), [this](Row& row) {
        const Digest digest = row.digest();
        loaded_.values.emplace(digest, Document::trusted(row.text(), digest));
    });
}

// Stops at the first wait that is not locked: a younger wait must not get the event before it.
Loading<WaitRow> MailLoad::oldest_locked(std::vector<WaitRow> rows,
                                         const ReadSet::Channel& channel) const {
    Loading<WaitRow> waits;
    const std::size_t most = most_waits(channel);
    const auto end = std::ranges::find_if(
        rows, [this](const WaitRow& row) { return !is_locked_(row.instance); });
    waits.items.assign(std::make_move_iterator(rows.begin()), std::make_move_iterator(end));
    waits.more = end != rows.end();
    cut(waits, most);
    return waits;
}

void MailLoad::take_broadcast(Row& row) {
    Event event = event_row(row);
    if (event.keep == Keep::yes)
        for (const Uuid& had : row.uuids())
            loaded_.mail.deliveries.emplace(event.id, InstanceId{had});
    loaded_.mail.broadcasts[event.channel()].items.push_back(std::move(event));
}

}  // namespace holdfast::postgres
