#include "store/postgres/load/load_mail.h"

#include <algorithm>

#include "store/postgres/load/decode_mail.h"

namespace holdfast::postgres {
namespace {

using Channels = std::map<std::string, ReadSet::Channel>;

template <class Wanted>
Channels channels_where(const ReadSet& reads, Wanted wanted) {
    Channels found;
    for (const auto& channel : reads.channels())
        if (wanted(channel.second)) found.insert(channel);
    return found;
}

bool is_exclusive(const ReadSet::Channel& channel) { return channel.exclusive(); }

// Absent: no limit.
std::optional<std::uint64_t> most_waits(const ReadSet::Channel& channel) {
    if (channel.all_waits) return std::nullopt;
    return channel.waits;
}
std::optional<std::uint64_t> one_more(std::optional<std::uint64_t> most) {
    if (most) ++*most;
    return most;
}

template <class T>
void cut(Loading<T>& loading, std::size_t most) {
    if (loading.items.size() <= most) return;
    loading.items.resize(most);
    loading.more = true;
}

}  // namespace

bool MailLoad::wants_waiters() const {
    return !reads_.completions().empty() || !reads_.parents().empty() ||
           std::ranges::any_of(reads_.channels(),
                               [](const auto& item) { return item.second.exclusive(); });
}

void MailLoad::add_waiters(Parameters& parameters) const {
    const Channels channels = channels_where(reads_, is_exclusive);
    parameters.array(channels, key_of);
    parameters.array(channels, [](const auto& item) { return most_waits(item.second); });
    parameters.array(reads_.completions()).array(reads_.parents());
}

void MailLoad::query(Trip& trip) {
    query_waits(trip);
    query_completions(trip);
    query_children(trip);
    query_inboxes(trip);
    query_whole_inboxes(trip);
    query_sizes(trip);
    query_broadcasts(trip);
    query_events(trip);
    query_journal(trip);
}

void MailLoad::query_waits(Trip& trip) {
    const Channels channels = channels_where(reads_, is_exclusive);
    if (channels.empty()) return;
    Parameters parameters;
    parameters.array(channels, key_of);
    parameters.array(channels, [](const auto& item) { return one_more(most_waits(item.second)); });
    trip.query("load_waits", parameters, [this, channels](const Rows& rows) -> Reply<void> {
        std::map<std::string, std::vector<WaitRow>> found;
        for (Row row : rows) {
            auto& list = found[row.text()];
            list.push_back(wait_row(row));
        }
        for (const auto& [name, channel] : channels)
            loaded_.mail.waits[name] = oldest_locked(std::move(found[name]), channel);
        return {};
    });
}

void MailLoad::query_completions(Trip& trip) {
    if (reads_.completions().empty()) return;
    for (const InstanceId& id : reads_.completions()) loaded_.completions[id];
    trip.query_rows("load_completion_waits", Parameters().array(reads_.completions()),
                    [this](Row& row) {
                        auto& waiters = loaded_.completions[row.id<InstanceId>()];
                        const WaitRow wait = wait_row(row);
                        if (is_locked_(wait.instance))
                            waiters.items.push_back(wait);
                        else
                            waiters.more = true;
                    });
}

void MailLoad::query_children(Trip& trip) {
    if (reads_.parents().empty()) return;
    for (const InstanceId& id : reads_.parents()) loaded_.children[id];
    trip.query_rows("load_children_of", Parameters().array(reads_.parents()), [this](Row& row) {
        auto& children = loaded_.children[row.id<InstanceId>()];
        const auto child = row.id<InstanceId>();
        if (is_locked_(child))
            children.items.push_back(child);
        else
            children.more = true;
    });
}

void MailLoad::query_inboxes(Trip& trip) {
    const auto& inboxes = reads_.inboxes();
    if (inboxes.empty()) return;
    Parameters parameters;
    parameters.array(inboxes, [](const auto& inbox) { return inbox.first.first; });
    parameters.array(inboxes, [](const auto& inbox) { return inbox.first.second; });
    parameters.array(inboxes, [](const auto& inbox) { return std::uint64_t{inbox.second + 1}; });
    trip.query("load_inboxes", parameters, [this](const Rows& rows) -> Reply<void> {
        auto& loaded = loaded_.mail.inboxes;
        for (const auto& [key, most] : reads_.inboxes()) loaded[key];
        for (Row row : rows) {
            Event event = event_row(row);
            loaded[{*event.target, event.name}].items.push_back(std::move(event));
        }
        for (const auto& [key, most] : reads_.inboxes()) cut(loaded[key], most);
        return {};
    });
}

void MailLoad::query_whole_inboxes(Trip& trip) {
    if (reads_.whole_inboxes().empty()) return;
    for (const InstanceId& id : reads_.whole_inboxes()) loaded_.mail.whole_inboxes[id];
    trip.query_rows("load_whole_inboxes", Parameters().array(reads_.whole_inboxes()),
                    [this](Row& row) {
                        Event event = event_row(row);
                        loaded_.mail.whole_inboxes[*event.target].push_back(std::move(event));
                    });
}

void MailLoad::query_sizes(Trip& trip) {
    if (!reads_.inbox_sizes().empty())
        trip.query_rows("count_inboxes", Parameters().array(reads_.inbox_sizes()),
                        [this](Row& row) {
                            const auto id = row.id<InstanceId>();
                            loaded_.mail.inbox_sizes[id] = row.int8();
                        });
    const Channels counted =
        channels_where(reads_, [](const ReadSet::Channel& channel) { return channel.size; });
    if (counted.empty()) return;
    trip.query_rows("count_broadcasts", Parameters().array(counted, key_of), [this](Row& row) {
        std::string name = row.text();
        loaded_.mail.channel_sizes[std::move(name)] = row.int8();
    });
}

void MailLoad::query_broadcasts(Trip& trip) {
    const Channels channels = channels_where(
        reads_, [](const ReadSet::Channel& channel) { return channel.broadcasts > 0; });
    if (channels.empty()) return;
    Parameters parameters;
    parameters.array(channels, key_of);
    parameters.array(channels,
                     [](const auto& item) { return std::uint64_t{item.second.broadcasts + 1}; });
    parameters.array(reads_.instances(), key_of);
    trip.query("load_broadcasts", parameters, [this, channels](const Rows& rows) -> Reply<void> {
        auto& loaded = loaded_.mail.broadcasts;
        for (const auto& [name, channel] : channels) loaded[name];
        for (Row row : rows) take_broadcast(row);
        for (const auto& [name, channel] : channels) cut(loaded[name], channel.broadcasts);
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

// Stops at the first wait that is not locked: a younger wait must not get the event before it.
Loading<WaitRow> MailLoad::oldest_locked(std::vector<WaitRow> rows,
                                         const ReadSet::Channel& channel) const {
    Loading<WaitRow> waits;
    const std::size_t most = most_waits(channel).value_or(rows.size());
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
    loaded_.mail.broadcasts[event.name].items.push_back(std::move(event));
}

}  // namespace holdfast::postgres
