#include <algorithm>
#include <set>

#include "store/postgres/connection/columns.h"
#include "store/postgres/write/statement_queue.h"
#include "store/tables/signal_tables.h"

namespace holdfast::postgres {
namespace {

void queue_removed(StatementQueue& queue, const Changes& changes, const EndedLeases& ended) {
    std::set<InstanceId> cleared;
    for (const InstanceChange* change : changes.instances)
        if (change->cleared && change->before) cleared.insert(change->before->id);
    const SignalChanges& signals = *changes.signals;
    std::vector<SignalId> consumed;
    std::ranges::set_difference(signals.consumed, ended.jobs, std::back_inserter(consumed));
    queue.write("delete_signals", consumed.size(), Parameters().array(consumed));
    queue.write("delete_signals_of", cleared.size(), Parameters().array(cleared));
    const ContinuationChanges& continuations = changes.continuations;
    std::vector<InstanceId> deleted = continuations.deleted;
    std::erase_if(deleted, [&](const InstanceId& id) { return ended.continuations.contains(id); });
    queue.write("delete_continuations", deleted.size(), Parameters().array(deleted));
    queue.write("restart_attempts", continuations.progressed.size(),
                Parameters().array(continuations.progressed));
}

// Signals and continuations share a table: one statement, ordered by id.
void queue_inserted(StatementQueue& queue, const Changes& changes) {
    std::vector<const SignalRow*> rows;
    for (const SignalRow& row : changes.continuations.inserted) rows.push_back(&row);
    for (const auto& [id, row] : changes.signals->enqueued) rows.push_back(&row);
    std::ranges::sort(rows, {}, &SignalRow::id);
    Parameters columns;
    add_columns<tables::SignalQueue>(columns, rows, row_at);
    queue.write("insert_signals", rows.size(), std::move(columns));
}

void queue_scheduled(StatementQueue& queue, const SignalChanges& signals) {
    Parameters columns;
    add_columns<tables::ScheduleQueue>(columns, signals.scheduled, value_of);
    queue.write("insert_scheduled_signals", signals.scheduled.size(), std::move(columns));
}

void queue_processed(StatementQueue& queue, const SignalChanges& signals) {
    std::vector<const ProcessedSignal*> rows;
    for (const ProcessedSignal& row : signals.processed) rows.push_back(&row);
    std::ranges::sort(
        rows, {}, [](const ProcessedSignal* row) { return std::pair{row->instance, row->signal}; });
    Parameters columns;
    columns.array(rows, &ProcessedSignal::instance).array(rows, &ProcessedSignal::signal);
    columns.array(rows, &ProcessedSignal::at);
    queue.write("insert_processed_signals", rows.size(), std::move(columns));
}

void queue_dead_letters(StatementQueue& queue, const SignalChanges& signals) {
    queue.write("delete_dead_letters", signals.unburied.size(),
                Parameters().array(signals.unburied, key_of));
    Parameters columns;
    add_columns<tables::DeadLetters>(columns, signals.buried, value_of);
    queue.write("insert_dead_letters", signals.buried.size(), std::move(columns));
}

// Each has one kind of receivers: the columns of the others are null.
struct FanOutColumns {
    explicit FanOutColumns(const SignalChanges::FanOut& fan_out) {
        if (const auto* awaiting = std::get_if<SignalChanges::Awaiting>(&fan_out.to))
            channel = awaiting->channel;
        if (const auto* end = std::get_if<SignalChanges::AwaitingEnd>(&fan_out.to))
            awaited = end->instance;
        if (const auto* children = std::get_if<SignalChanges::ChildrenOf>(&fan_out.to))
            parent = children->instance;
    }
    template <class Part>
    std::optional<std::string> of_channel(Part part) const {
        return channel ? std::optional(part(*channel)) : std::nullopt;
    }

    std::optional<ChannelKey> channel;
    std::optional<InstanceId> awaited;
    std::optional<InstanceId> parent;
};

void queue_fan_outs(StatementQueue& queue, const SignalChanges& signals) {
    using FanOut = SignalChanges::FanOut;
    const auto& rows = signals.fan_outs;
    const std::vector<FanOutColumns> to(rows.begin(), rows.end());
    const auto add_channel = [&](Parameters& columns, auto part) {
        columns.array(to, [part](const FanOutColumns& one) { return one.of_channel(part); });
    };
    Parameters columns;
    add_channel(columns, [](const ChannelKey& key) { return key.tenant; });
    add_channel(columns, [](const ChannelKey& key) { return key.event.name; });
    add_channel(columns, [](const ChannelKey& key) { return key.event.correlation; });
    columns.array(to, &FanOutColumns::awaited).array(to, &FanOutColumns::parent);
    columns.array(rows, [](const FanOut& row) { return name_of(row.type); });
    columns.array(rows, [](const FanOut& row) { return row.envelope.before_id; });
    columns.array(rows, [](const FanOut& row) { return row.envelope.before_token; });
    columns.array(rows, [](const FanOut& row) { return row.envelope.before_instance; });
    columns.array(rows, [](const FanOut& row) { return row.envelope.rest; });
    columns.array(rows, &FanOut::operation).array(rows, &FanOut::at);
    queue.write("fan_out_signals", rows.size(), std::move(columns));
}

}  // namespace

void queue_signals(StatementQueue& queue, const Changes& changes, const EndedLeases& ended) {
    queue_removed(queue, changes, ended);
    queue_inserted(queue, changes);
    queue_scheduled(queue, *changes.signals);
    queue_processed(queue, *changes.signals);
    queue_dead_letters(queue, *changes.signals);
    queue_fan_outs(queue, *changes.signals);
    const auto& moved = changes.signals->moved;
    Parameters last;
    last.array(moved, [](const auto& item) { return item.first; });
    last.array(moved, [](const auto& item) { return item.second; });
    queue.write("set_last_signals", moved.size(), std::move(last));
}

}  // namespace holdfast::postgres
