#include "store/sqlite/rows/load_mail.h"

#include "store/sqlite/rows/mail_rows.h"
#include "store/sqlite/rows/rows.h"

namespace holdfast::sqlite {
namespace {

// All rows of a bound statement; an extra row means that there are more.
template <class T, class Read>
Result<Loading<T>> load_list(Statement& statement, std::size_t most, Read read) {
    Loading<T> loading;
    HF_CHECK(for_each_row(statement, [&](Statement& row) { loading.items.push_back(read(row)); }));
    loading.more = loading.items.size() > most;
    if (loading.more) loading.items.resize(most);
    return loading;
}

class Loader {
public:
    Loader(Database& database, Loaded& loaded, const LoadRelated& load_related)
        : database_(database), loaded_(loaded), load_related_(load_related) {}

    Result<void> inbox(const std::pair<InstanceId, std::string>& key, std::size_t most) {
        Statement& events = database_["load_inboxes"].bind(key.first, key.second, loaded_.now,
                                                           std::uint64_t{most + 1});
        HF_TRY(loaded_.mail.inboxes[key], load_list<Event>(events, most, read_event));
        return {};
    }

    Result<void> inbox_size(const InstanceId& id) {
        return for_each_row(database_["count_inboxes"].bind(id, loaded_.now), [&](Statement& row) {
            loaded_.mail.inbox_sizes[id] = static_cast<std::size_t>(row.integer());
        });
    }

    Result<void> whole_inbox(const InstanceId& id) {
        auto& events = loaded_.mail.whole_inboxes[id];
        return for_each_row(database_["load_whole_inboxes"].bind(id),
                            [&](Statement& row) { events.push_back(read_event(row)); });
    }

    Result<void> channel(const std::string& name, const ReadSet::Channel& channel) {
        HF_CHECK(broadcasts(name, channel.broadcasts));
        if (channel.size) HF_CHECK(channel_size(name));
        if (!channel.exclusive()) return {};
        const std::size_t most = channel.all_waits ? 1'000'000 : channel.waits;
        Statement& rows = database_["load_waits"].bind(name, std::uint64_t{most + 1});
        HF_TRY(auto waits, load_list<WaitRow>(rows, most, read_wait_row));
        for (const WaitRow& row : waits.items) HF_CHECK(load_related_(row.instance));
        loaded_.mail.waits[name] = std::move(waits);
        return {};
    }

    Result<void> event(const EventId& id) {
        HF_TRY(loaded_.mail.events[id], load_known_event(database_, id));
        return {};
    }

    Result<void> step(const std::pair<InstanceId, std::uint64_t>& key) {
        HF_TRY(auto entry, load_journal_entry(database_, key.first, key.second));
        if (!entry) return {};
        if (entry->winner) loaded_.winners.emplace(key, *std::move(entry->winner));
        loaded_.steps.emplace(key, std::move(entry->step));
        return {};
    }

    Result<void> completion(const InstanceId& id) {
        auto& waiters = loaded_.completions[id].items;
        HF_CHECK(for_each_row(database_["load_completion_waits"].bind(id),
                              [&](Statement& row) { waiters.push_back(read_wait_row(row)); }));
        for (const WaitRow& row : waiters) HF_CHECK(load_related_(row.instance));
        return {};
    }

    Result<void> children(const InstanceId& parent) {
        auto& ids = loaded_.children[parent].items;
        HF_CHECK(for_each_row(database_["load_children_of"].bind(parent),
                              [&](Statement& row) { ids.push_back(row.id<InstanceId>()); }));
        for (const InstanceId& child : ids) HF_CHECK(load_related_(child));
        return {};
    }

private:
    Result<void> broadcasts(const std::string& name, std::size_t most) {
        if (most == 0) return {};
        Statement& events =
            database_["load_broadcasts"].bind(name, loaded_.now, std::uint64_t{most + 1});
        HF_TRY(auto queued, load_list<Event>(events, most, read_event));
        for (const Event& event : queued.items) {
            if (event.keep == Keep::no) continue;
            HF_CHECK(for_each_row(database_["load_fates"].bind(event.id), [&](Statement& row) {
                loaded_.mail.deliveries.emplace(event.id, row.id<InstanceId>());
            }));
        }
        loaded_.mail.broadcasts[name] = std::move(queued);
        return {};
    }

    Result<void> channel_size(const std::string& name) {
        Statement& count = database_["count_broadcasts"].bind(name, loaded_.now);
        return for_each_row(count, [&](Statement& row) {
            loaded_.mail.channel_sizes[name] = static_cast<std::size_t>(row.integer());
        });
    }

    Database& database_;
    Loaded& loaded_;
    const LoadRelated& load_related_;
};

}  // namespace

Result<void> load_mail(Database& database, const ReadSet& reads, Loaded& loaded,
                       const LoadRelated& load_related) {
    Loader loader(database, loaded, load_related);
    for (const auto& [key, most] : reads.inboxes()) HF_CHECK(loader.inbox(key, most));
    for (const InstanceId& id : reads.inbox_sizes()) HF_CHECK(loader.inbox_size(id));
    for (const InstanceId& id : reads.whole_inboxes()) HF_CHECK(loader.whole_inbox(id));
    for (const auto& [name, channel] : reads.channels()) HF_CHECK(loader.channel(name, channel));
    for (const EventId& id : reads.events()) HF_CHECK(loader.event(id));
    for (const auto& key : reads.steps()) HF_CHECK(loader.step(key));
    for (const InstanceId& id : reads.completions()) HF_CHECK(loader.completion(id));
    for (const InstanceId& parent : reads.parents()) HF_CHECK(loader.children(parent));
    return {};
}

}  // namespace holdfast::sqlite
