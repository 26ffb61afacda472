#include <algorithm>
#include <set>

#include "store/postgres/write/statement_queue.h"

namespace holdfast::postgres {
namespace {

// Stored instances that the round cleared, even if their id was started again.
std::set<InstanceId> cleared(const Changes& changes) {
    std::set<InstanceId> ids;
    for (const InstanceChange* change : changes.instances)
        if (change->cleared && change->before) ids.insert(change->before->id);
    return ids;
}

Parameters event_columns(const std::vector<const Event*>& rows) {
    Parameters columns;
    columns.array(rows, &Event::id).array(rows, &Event::name).array(rows, &Event::target);
    columns.array(rows, [](const Event* event) -> const auto& { return event->value.text(); });
    columns.array(rows, [](const Event* event) { return name_of(event->on_target_ended); });
    columns.array(rows, [](const Event* event) { return event->keep == Keep::yes; });
    columns.array(rows, &Event::accepted_at).array(rows, &Event::expires_at);
    columns.array(rows, &Event::operation);
    return columns;
}

constexpr auto key_of = [](const auto& pair) -> const auto& { return pair.first; };

void queue_pending(StatementQueue& queue, const Changes& changes) {
    const MailChanges& mail = *changes.mail;
    queue.write("delete_pending_events", mail.taken.size(), Parameters().array(mail.taken));
    queue.write("release_pending_events", mail.released.size(),
                Parameters().array(mail.released, key_of));
    const std::set<InstanceId> gone = cleared(changes);
    queue.write("discard_inboxes", gone.size(), Parameters().array(gone));
    std::vector<const Event*> queued;
    for (const auto& [id, event] : mail.queued) queued.push_back(&event);
    queue.write("insert_pending_events", queued.size(), event_columns(queued));
}

void queue_fates(StatementQueue& queue, const MailChanges& mail) {
    const auto instance_of = [](const FateRow* row) {
        return row->instance.value_or(InstanceId{});
    };
    std::vector<const FateRow*> rows;
    for (const FateRow& row : mail.fates) rows.push_back(&row);
    std::ranges::sort(rows, {},
                      [&](const FateRow* row) { return std::pair{row->event, instance_of(row)}; });
    Parameters columns;
    columns.array(rows, &FateRow::event).array(rows, instance_of).array(rows, &FateRow::name);
    columns.array(rows, [](const FateRow* row) { return name_of(row->fate); });
    columns.array(rows, &FateRow::index).array(rows, &FateRow::at);
    queue.write("insert_fates", rows.size(), std::move(columns));
}

void queue_dead(StatementQueue& queue, const MailChanges& mail) {
    queue.write("delete_dead_events", mail.unburied.size(), Parameters().array(mail.unburied));
    std::vector<const Event*> events;
    for (const auto& [id, dead] : mail.buried) events.push_back(&dead.event);
    Parameters columns = event_columns(events);
    columns.array(mail.buried, [](const auto& item) { return name_of(item.second.target_status); });
    columns.array(mail.buried, [](const auto& item) { return item.second.ended_at; });
    queue.write("insert_dead_events", events.size(), std::move(columns));
}

void queue_steps(StatementQueue& queue, const std::vector<const Step*>& rows) {
    Parameters columns;
    columns.array(rows, &Step::instance).array(rows, &Step::index).array(rows, &Step::name);
    columns.array(rows, &Step::input_hash);
    columns.array(rows, [](const Step* step) -> std::string_view {
        return step->result == StepResult::error ? "error" : "value";
    });
    columns.array(rows, [](const Step* step) -> const auto& { return step->value.text(); });
    columns.array(rows, &Step::at);
    queue.write("insert_steps", rows.size(), std::move(columns));
}

void queue_winners(StatementQueue& queue, const std::vector<const Winner*>& rows) {
    Parameters columns;
    columns.array(rows, &Winner::instance).array(rows, &Winner::index);
    columns.array(rows, [](const Winner* winner) { return name_of(winner->type); });
    columns.array(rows, &Winner::name);
    queue.write("insert_winners", rows.size(), std::move(columns));
}

}  // namespace

void queue_journal(StatementQueue& queue, const Changes& changes) {
    std::set<InstanceId> emptied = cleared(changes);
    emptied.insert(changes.cleared_journals->begin(), changes.cleared_journals->end());
    queue.write("delete_steps", emptied.size(), Parameters().array(emptied));
    queue_steps(queue, changes.steps);
    queue.write("delete_winners", emptied.size(), Parameters().array(emptied));
    queue_winners(queue, changes.winners);
}

void queue_accepted(StatementQueue& queue, const MailChanges& mail) {
    const auto& ids = mail.accepted;
    queue.guard("lock_event_ids", ids.size(), Parameters().array(ids));
    queue.guard("check_event_ids", ids.size(), Parameters().array(ids));
}

void queue_mail(StatementQueue& queue, const Changes& changes) {
    queue_pending(queue, changes);
    queue_fates(queue, *changes.mail);
    queue_dead(queue, *changes.mail);
}

}  // namespace holdfast::postgres
