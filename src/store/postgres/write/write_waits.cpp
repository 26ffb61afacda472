#include <map>
#include <set>
#include <tuple>

#include "store/postgres/write/statement_queue.h"

namespace holdfast::postgres {
namespace {

// One row of waits or completion_waits, in the order of its key.
template <class Awaited>
struct Registration {
    Awaited awaited;
    Moment began_at;
    OperationId operation;
    InstanceId instance;
    TokenId token;

    auto operator<=>(const Registration&) const = default;
};

template <class Awaited>
struct RegistrationDiff {
    std::set<Registration<Awaited>> deleted;
    std::set<Registration<Awaited>> inserted;
};

struct Timer {
    TokenId token;
    Moment due;
};

struct WaitDiff {
    RegistrationDiff<std::string> waits;
    RegistrationDiff<InstanceId> completions;
    std::set<InstanceId> stopped;
    std::map<InstanceId, Timer> armed;
};

template <class Awaited>
void add(std::set<Registration<Awaited>>& rows, const std::vector<Awaited>& awaited,
         const InstanceId& id, const Waiting& waiting) {
    for (const Awaited& one : awaited)
        rows.insert({one, waiting.began_at, waiting.operation, id, waiting.token});
}

const Waiting* registered(const std::optional<Instance>& instance) {
    return instance && is_registered(*instance) ? &*instance->waiting : nullptr;
}

void add_change(WaitDiff& diff, const InstanceChange& change) {
    const Waiting* before = registered(change.before);
    const Waiting* after = registered(change.after);
    if (before && after && *before == *after) return;
    const InstanceId& id = change.after ? change.after->id : change.before->id;
    if (before) {
        add(diff.waits.deleted, before->wait.names, id, *before);
        add(diff.completions.deleted, before->wait.workflows, id, *before);
    }
    if (after) {
        add(diff.waits.inserted, after->wait.names, id, *after);
        add(diff.completions.inserted, after->wait.workflows, id, *after);
    }
    if (after && after->wait.until)
        diff.armed.emplace(id, Timer{after->token, *after->wait.until});
    else if (before && before->wait.until)
        diff.stopped.insert(id);
}

// An unchanged registration is not rewritten.
template <class Awaited>
void drop_common(RegistrationDiff<Awaited>& diff) {
    std::erase_if(diff.deleted, [&](const auto& row) { return diff.inserted.erase(row) > 0; });
}

template <class Awaited>
Parameters key_columns(const std::set<Registration<Awaited>>& rows) {
    using Row = Registration<Awaited>;
    Parameters columns;
    columns.array(rows, &Row::awaited).array(rows, &Row::began_at);
    columns.array(rows, &Row::operation).array(rows, &Row::instance);
    return columns;
}

template <class Awaited>
void queue_registrations(StatementQueue& queue, const RegistrationDiff<Awaited>& diff,
                         std::string_view remove, std::string_view insert) {
    queue.write(remove, diff.deleted.size(), key_columns(diff.deleted));
    Parameters columns = key_columns(diff.inserted);
    columns.array(diff.inserted, &Registration<Awaited>::token);
    queue.write(insert, diff.inserted.size(), std::move(columns));
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
    queue.write("delete_timers", diff.stopped.size(), Parameters().array(diff.stopped));
    Parameters columns;
    columns.array(diff.armed, [](const auto& timer) { return timer.first; });
    columns.array(diff.armed, [](const auto& timer) { return timer.second.token; });
    columns.array(diff.armed, [](const auto& timer) { return timer.second.due; });
    queue.write("put_timers", diff.armed.size(), std::move(columns));
}

}  // namespace holdfast::postgres
