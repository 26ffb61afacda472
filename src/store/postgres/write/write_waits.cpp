#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "model/codec/codec.h"
#include "store/postgres/connection/channel_columns.h"
#include "store/postgres/write/statement_queue.h"
#include "store/wait_changes.h"

namespace holdfast::postgres {
namespace {

// One row of waits or completion_waits, in the order of its key.
template <class Awaited>
struct Registration {
    Awaited awaited;
    Moment began_at;
    OperationId operation;
    TokenId token;
    InstanceId instance;

    auto operator<=>(const Registration&) const = default;
};

template <class Awaited>
struct RegistrationDiff {
    std::set<Registration<Awaited>> deleted;
    std::set<Registration<Awaited>> inserted;
};

using WaitKey = std::pair<InstanceId, TokenId>;

struct WaitDiff {
    RegistrationDiff<ChannelKey> waits;
    RegistrationDiff<InstanceId> completions;
    std::set<WaitKey> stopped;  // timers
    std::map<WaitKey, Moment> armed;
    std::set<WaitKey> deleted;
    std::map<WaitKey, std::string> inserted;
};

template <class Awaited>
void add(std::set<Registration<Awaited>>& rows, Awaited awaited, const InstanceId& id,
         const Waiting& waiting) {
    rows.insert({std::move(awaited), waiting.began_at, waiting.operation, waiting.token, id});
}

void add_all(std::set<Registration<ChannelKey>>& waits,
             std::set<Registration<InstanceId>>& completions, const Instance& of,
             const Waiting& waiting) {
    for (const EventKey& key : waiting.wait.names | std::views::filter(is_looked_up))
        add(waits, ChannelKey{of.tenant, key}, of.id, waiting);
    for (const InstanceId& awaited : waiting.wait.workflows)
        add(completions, awaited, of.id, waiting);
}

void add_change(WaitDiff& diff, const InstanceChange& change) {
    const InstanceId& id = change.after ? change.after->id : change.before->id;
    const WaitChanges changes =
        wait_changes(change.before ? &*change.before : nullptr,
                     change.after ? &*change.after : nullptr, WaitsInRow::one);
    for (const Waiting* old : changes.unregistered) {
        add_all(diff.waits.deleted, diff.completions.deleted, *change.before, *old);
        if (old->wait.until) diff.stopped.emplace(id, old->token);
    }
    for (const Waiting* fresh : changes.registered) {
        add_all(diff.waits.inserted, diff.completions.inserted, *change.after, *fresh);
        if (!fresh->wait.until) continue;
        diff.stopped.erase({id, fresh->token});
        diff.armed.emplace(WaitKey{id, fresh->token}, *fresh->wait.until);
    }
    for (const Waiting* old : changes.deleted) diff.deleted.emplace(id, old->token);
    for (const Waiting* fresh : changes.inserted)
        diff.inserted.emplace(WaitKey{id, fresh->token}, waiting_text(*fresh));
}

// An unchanged registration is not rewritten.
template <class Awaited>
void drop_common(RegistrationDiff<Awaited>& diff) {
    std::erase_if(diff.deleted, [&](const auto& row) { return diff.inserted.erase(row) > 0; });
}

void add_awaited(Parameters& columns, const std::set<Registration<ChannelKey>>& rows) {
    add_channels(columns, rows, &Registration<ChannelKey>::awaited);
}
void add_awaited(Parameters& columns, const std::set<Registration<InstanceId>>& rows) {
    columns.array(rows, &Registration<InstanceId>::awaited);
}

template <class Awaited>
Parameters key_columns(const std::set<Registration<Awaited>>& rows) {
    using Row = Registration<Awaited>;
    Parameters columns;
    add_awaited(columns, rows);
    columns.array(rows, &Row::began_at);
    columns.array(rows, &Row::operation).array(rows, &Row::token);
    return columns;
}

template <class Awaited>
void queue_registrations(StatementQueue& queue, const RegistrationDiff<Awaited>& diff,
                         std::string_view remove, std::string_view insert) {
    queue.write(remove, diff.deleted.size(), key_columns(diff.deleted));
    Parameters columns = key_columns(diff.inserted);
    columns.array(diff.inserted, &Registration<Awaited>::instance);
    queue.write(insert, diff.inserted.size(), std::move(columns));
}

Parameters wait_keys(const std::set<WaitKey>& keys) {
    Parameters columns;
    columns.array(keys, [](const WaitKey& key) { return key.first; });
    columns.array(keys, [](const WaitKey& key) { return key.second; });
    return columns;
}

template <class Value>
Parameters keyed_values(const std::map<WaitKey, Value>& rows) {
    Parameters columns;
    columns.array(rows, [](const auto& row) { return row.first.first; });
    columns.array(rows, [](const auto& row) { return row.first.second; });
    columns.array(rows, [](const auto& row) { return row.second; });
    return columns;
}

}  // namespace

void queue_waits(StatementQueue& queue, const Changes& changes) {
    WaitDiff diff;
    for (const InstanceChange* change : changes.instances) add_change(diff, *change);
    drop_common(diff.waits);
    drop_common(diff.completions);
    queue_registrations(queue, diff.waits, "delete_waits", "insert_waits");
    queue_registrations(queue, diff.completions, "delete_completion_waits",
                        "insert_completion_waits");
    queue.write("delete_timers", diff.stopped.size(), wait_keys(diff.stopped));
    queue.write("put_timers", diff.armed.size(), keyed_values(diff.armed));
    queue.write("delete_parallel_waits", diff.deleted.size(), wait_keys(diff.deleted));
    queue.write("insert_parallel_waits", diff.inserted.size(), keyed_values(diff.inserted));
}

}  // namespace holdfast::postgres
