#include "store/sqlite/rows/load_mail.h"

#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/mail_rows.h"
#include "store/sqlite/rows/rows.h"
#include "store/tables/mail_tables.h"

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
    Loader(WriteSide& side, const ReadSet& reads, Loaded& loaded, const LoadRelated& load_related)
        : residents_(side.residents),
          queue_sizes_(side.queue_sizes),
          database_(*side.database),
          takers_(reads.takers()),
          loaded_(loaded),
          load_related_(load_related) {}

    Result<void> inbox(const std::pair<InstanceId, EventKey>& key, std::size_t most) {
        if (has_no_inbox(key.first)) {
            loaded_.mail.inboxes[key];
            return {};
        }
        Statement& events =
            database_["load_inboxes"].bind(key.first, key.second.name, key.second.correlation,
                                           loaded_.now, std::uint64_t{most + 1});
        HF_TRY(loaded_.mail.inboxes[key], load_list<Event>(events, most, read_event));
        return {};
    }

    Result<void> inbox_size(const InstanceId& id) {
        if (has_no_inbox(id)) {
            loaded_.mail.inbox_sizes[id] = {};
            return {};
        }
        HF_TRY(loaded_.mail.inbox_sizes[id], size_of(id, [&]() -> Statement& {
                   return database_["count_inboxes"].bind(id, loaded_.now);
               }));
        return {};
    }

    Result<void> ending_inbox(const InstanceId& id) {
        EndingInbox& inbox = loaded_.mail.ending_inboxes[id];
        if (has_no_inbox(id)) return {};
        return for_each_row(database_["load_ending_inboxes"].bind(id), [&](Statement& row) {
            EventKey key{row.text()};
            key.correlation = row.text();
            inbox.filled = true;
            if (row.flag()) inbox.broadcasts.insert(std::move(key));
        });
    }

    Result<void> releases(const std::pair<InstanceId, EventKey>& key, std::size_t most) {
        Statement& events =
            database_["load_releases"].bind(key.first, key.second.name, key.second.correlation,
                                            loaded_.now, std::uint64_t{most + 1});
        HF_TRY(loaded_.mail.releases[key],
               load_list<Event>(events, most, read_row<tables::Events>));
        return {};
    }

    Result<void> channel(const ChannelKey& key, const ReadSet::Channel& channel) {
        HF_CHECK(broadcasts(key, channel.broadcasts));
        if (channel.size) HF_CHECK(channel_size(key));
        if (!channel.exclusive()) return {};
        const std::size_t most =
            channel.all_waits ? std::max(most_receivers, channel.waits) : channel.waits;
        Statement& rows = database_["load_waits"].bind(
            key.tenant, key.event.name, key.event.correlation, std::uint64_t{most + 1});
        HF_TRY(auto waits, load_list<WaitRow>(rows, most, read_wait_row));
        for (const WaitRow& row : waits.items) HF_CHECK(load_related_(row.instance));
        loaded_.mail.waits[key] = std::move(waits);
        return {};
    }

    Result<void> event(const EventId& id) {
        HF_TRY(loaded_.mail.events[id], load_known_event(database_, id));
        return {};
    }

    Result<void> receipt(const EventId& id, const InstanceId& by) {
        return for_each_row(database_["load_receipts"].bind(id, by),
                            [&](Statement&) { loaded_.mail.deliveries.emplace(id, by); });
    }

    Result<void> step(const std::pair<InstanceId, std::uint64_t>& key) {
        const Resident* known = residents_.find(key.first);
        if (known && known->knows_step(key.second)) {
            if (key.second < known->instance.index) keep(*known->newest);
            return {};
        }
        HF_TRY(auto entry, load_journal_entry(database_, key.first, key.second));
        if (entry) keep(*std::move(entry));
        return {};
    }

    Result<void> value(const Digest& digest) {
        return for_each_row(database_["load_values"].bind(digest), [&](Statement& row) {
            loaded_.values.emplace(digest, Document::trusted(row.text(), digest));
        });
    }

    Result<void> completion(const InstanceId& id) {
        if (const Resident* known = residents_.find(id); known && known->no_waiters) {
            loaded_.completions[id];
            return {};
        }
        Statement& rows =
            database_["load_completion_waits"].bind(id, std::uint64_t{most_receivers + 1});
        HF_TRY(auto waiters, load_list<WaitRow>(rows, most_receivers, read_wait_row));
        for (const WaitRow& row : waiters.items) HF_CHECK(load_related_(row.instance));
        loaded_.completions[id] = std::move(waiters);
        return {};
    }

    Result<void> children(const InstanceId& parent) {
        Statement& rows =
            database_["load_children_of"].bind(parent, std::uint64_t{most_receivers + 1});
        HF_TRY(auto ids, load_list<InstanceId>(rows, most_receivers, [](Statement& row) {
                   return row.id<InstanceId>();
               }));
        for (const InstanceId& child : ids.items) HF_CHECK(load_related_(child));
        loaded_.children[parent] = std::move(ids);
        return {};
    }

    Result<void> under_key(const BusinessKeyRef& key) {
        auto& ids = loaded_.under_keys[key];
        return for_each_row(database_["load_under_key"].bind(key.tenant, key.definition, key.key,
                                                             std::uint64_t{most_under_key}),
                            [&](Statement& row) { ids.push_back(row.id<InstanceId>()); });
    }

private:
    bool has_no_inbox(const InstanceId& id) const {
        const Resident* known = residents_.find(id);
        return known && known->no_inbox;
    }

    void keep(JournalEntry entry) {
        const std::pair key{entry.step.instance, entry.step.index};
        if (entry.winner) loaded_.winners.emplace(key, *std::move(entry.winner));
        loaded_.steps.emplace(key, std::move(entry.step));
    }

    Result<void> broadcasts(const ChannelKey& key, std::size_t most) {
        if (most == 0) return {};
        Statement& events =
            database_["load_broadcasts"].bind(key.tenant, key.event.name, key.event.correlation,
                                              loaded_.now, std::uint64_t{most + 1});
        HF_TRY(auto queued, load_list<Event>(events, most, read_event));
        for (const Event& event : queued.items) {
            if (event.keep == Keep::no) continue;
            for (const InstanceId& taker : takers_) HF_CHECK(receipt(event.id, taker));
        }
        loaded_.mail.broadcasts[key] = std::move(queued);
        return {};
    }

    Result<void> channel_size(const ChannelKey& key) {
        HF_TRY(loaded_.mail.channel_sizes[key], size_of(key, [&]() -> Statement& {
                   return database_["count_broadcasts"].bind(key.tenant, key.event.name,
                                                             key.event.correlation, loaded_.now);
               }));
        return {};
    }

    template <class Count>
    Result<QueueSize> size_of(const Queue& queue, Count count) {
        if (const auto known = queue_sizes_.find(queue)) return *known;
        QueueSize size;
        std::int64_t expiring = 0;
        HF_CHECK(for_each_row(count(), [&](Statement& row) {
            size.events = static_cast<std::size_t>(row.integer());
            size.bytes = static_cast<std::size_t>(row.integer());
            expiring = row.integer();
        }));
        if (expiring == 0) queue_sizes_.keep(queue, size);
        return size;
    }

    const Residents& residents_;
    QueueSizes& queue_sizes_;
    Database& database_;
    const std::set<InstanceId> takers_;
    Loaded& loaded_;
    const LoadRelated& load_related_;
};

}  // namespace

Result<void> load_mail(WriteSide& side, const ReadSet& reads, Loaded& loaded,
                       const LoadRelated& load_related) {
    Loader loader(side, reads, loaded, load_related);
    for (const auto& [key, most] : reads.inboxes()) HF_CHECK(loader.inbox(key, most));
    for (const InstanceId& id : reads.inbox_sizes()) HF_CHECK(loader.inbox_size(id));
    for (const InstanceId& id : reads.ending_inboxes()) HF_CHECK(loader.ending_inbox(id));
    for (const auto& [key, most] : reads.releases()) HF_CHECK(loader.releases(key, most));
    for (const auto& [key, channel] : reads.channels()) HF_CHECK(loader.channel(key, channel));
    for (const EventId& id : reads.events()) HF_CHECK(loader.event(id));
    for (const auto& [id, by] : reads.receipts()) HF_CHECK(loader.receipt(id, by));
    for (const auto& key : reads.steps()) HF_CHECK(loader.step(key));
    for (const Digest& digest : reads.values()) HF_CHECK(loader.value(digest));
    for (const InstanceId& id : reads.completions()) HF_CHECK(loader.completion(id));
    for (const InstanceId& parent : reads.parents()) HF_CHECK(loader.children(parent));
    for (const BusinessKeyRef& key : reads.keys()) HF_CHECK(loader.under_key(key));
    return {};
}

}  // namespace holdfast::sqlite
