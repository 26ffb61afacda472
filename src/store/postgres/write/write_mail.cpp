#include <algorithm>
#include <set>

#include "store/postgres/connection/columns.h"
#include "store/postgres/write/statement_queue.h"
#include "store/tables/mail_tables.h"

namespace holdfast::postgres {
namespace {

// Stored instances that the round cleared, even if their id was started again.
std::set<InstanceId> cleared(const Changes& changes) {
    std::set<InstanceId> ids;
    for (const InstanceChange* change : changes.instances)
        if (change->cleared && change->before) ids.insert(change->before->id);
    return ids;
}

constexpr auto key_of = [](const auto& pair) -> const auto& { return pair.first; };

void queue_pending(StatementQueue& queue, const Changes& changes) {
    const MailChanges& mail = *changes.mail;
    queue.write("delete_pending_events", mail.taken.size(), Parameters().array(mail.taken));
    queue.write("release_pending_events", mail.released.size(),
                Parameters().array(mail.released, key_of));
    Parameters ended;
    ended.array(mail.ended_inboxes, key_of);
    ended.array(mail.ended_inboxes, [](const auto& item) { return name_of(item.second.status); });
    ended.array(mail.ended_inboxes, [](const auto& item) { return item.second.at; });
    queue.write("end_inboxes", mail.ended_inboxes.size(), std::move(ended));
    const std::set<InstanceId> gone = cleared(changes);
    queue.write("discard_inboxes", gone.size(), Parameters().array(gone));
    Parameters columns;
    columns.array(mail.queued,
                  [](const auto& item) { return std::uint64_t{item.second.value.text().size()}; });
    add_columns<tables::Events>(columns, mail.queued, value_of);
    queue.write("insert_pending_events", mail.queued.size(), std::move(columns));
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
    add_columns<tables::EventFates>(columns, rows, row_at);
    queue.write("insert_fates", rows.size(), std::move(columns));
}

void queue_dead(StatementQueue& queue, const MailChanges& mail) {
    queue.write("delete_dead_events", mail.unburied.size(),
                Parameters().array(mail.unburied, key_of));
    Parameters columns;
    add_columns<tables::DeadEvents>(columns, mail.buried, value_of);
    queue.write("insert_dead_events", mail.buried.size(), std::move(columns));
}

void queue_values(StatementQueue& queue, const Changes& changes) {
    const auto& values = changes.values;
    Parameters columns;
    columns.array(values, key_of);
    columns.array(values, [](const auto& item) -> const auto& { return item.second->text(); });
    columns.array(values, [&](const auto&) { return changes.now; });
    queue.write("put_values", values.size(), std::move(columns));
}

void queue_steps(StatementQueue& queue, const std::vector<const Step*>& rows) {
    Parameters columns;
    columns.array(rows, &Step::instance).array(rows, &Step::index);
    columns.array(rows, [](const Step* step) { return shared_digest(*step); });
    add_columns<tables::Steps>(columns, rows, row_at);
    queue.write("insert_steps", rows.size(), std::move(columns));
}

void queue_winners(StatementQueue& queue, const std::vector<const Winner*>& rows) {
    Parameters columns;
    columns.array(rows, &Winner::instance).array(rows, &Winner::index);
    add_columns<tables::Winners>(columns, rows, row_at);
    queue.write("insert_winners", rows.size(), std::move(columns));
}

}  // namespace

void queue_journal(StatementQueue& queue, const Changes& changes) {
    std::set<InstanceId> emptied = cleared(changes);
    emptied.insert(changes.cleared_journals->begin(), changes.cleared_journals->end());
    queue.write("delete_steps", emptied.size(), Parameters().array(emptied));
    queue_values(queue, changes);
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
