#include "store/sqlite/rows/mail_rows.h"

#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/rows.h"
#include "store/tables/mail_tables.h"
#include "store/tables/record_tables.h"

namespace holdfast::sqlite {
namespace {

Step read_step(Statement& row, const InstanceId& id, std::uint64_t index) {
    auto step = read_row<tables::Steps>(row);
    if (auto shared = read_row<tables::SharedValue>(row)) step.value = *std::move(shared);
    step.instance = id;
    step.index = index;
    return step;
}

Winner read_winner(Statement& row, const InstanceId& id, std::uint64_t index) {
    auto winner = read_row<tables::Winners>(row);
    winner.instance = id;
    winner.index = index;
    return winner;
}

}  // namespace

Event read_event(Statement& row) { return read_row<tables::Events>(row); }

WaitRow read_wait_row(Statement& row) {
    WaitRow wait;
    wait.instance = row.id<InstanceId>();
    wait.token = row.id<TokenId>();
    wait.began_at = row.moment();
    wait.operation = row.id<OperationId>();
    return wait;
}

DeadEvent read_dead_event(Statement& row) { return read_row<tables::DeadEvents>(row); }

Result<KnownEvent> load_known_event(Database& database, const EventId& id) {
    KnownEvent known;
    HF_CHECK(for_each_row(database["load_pending_event"].bind(id),
                          [&](Statement& row) { known.queued = read_event(row); }));
    HF_CHECK(for_each_row(database["load_dead_event"].bind(id),
                          [&](Statement& row) { known.dead = read_dead_event(row); }));
    HF_CHECK(for_each_row(database["load_fates"].bind(id), [&](Statement& row) {
        known.fates.push_back(read_row<tables::EventFates>(row));
    }));
    return known;
}

Result<std::optional<JournalEntry>> load_journal_entry(Database& database, const InstanceId& id,
                                                       std::uint64_t index) {
    std::optional<JournalEntry> entry;
    HF_CHECK(for_each_row(database["load_step"].bind(id, index), [&](Statement& row) {
        entry = JournalEntry{read_step(row, id, index), std::nullopt};
    }));
    if (!entry) return entry;
    HF_CHECK(for_each_row(database["load_winner"].bind(id, index),
                          [&](Statement& row) { entry->winner = read_winner(row, id, index); }));
    return entry;
}

Result<std::vector<JournalEntry>> load_journal_from(Database& database, const InstanceId& id,
                                                    std::uint64_t index, std::size_t limit) {
    std::vector<JournalEntry> entries;
    Statement& statement = database["read_journal_from"].bind(id, index, std::uint64_t{limit});
    HF_CHECK(for_each_row(statement, [&](Statement& row) {
        const auto at = static_cast<std::uint64_t>(row.integer());
        JournalEntry& entry = entries.emplace_back(read_step(row, id, at), std::nullopt);
        if (!row.is_null()) entry.winner = read_winner(row, id, at);
    }));
    return entries;
}

Result<PendingPage> read_pending(Database& database, const EventQuery& query) {
    PendingPage page;
    HF_TRY(const bool more,
           read_page<Event>(database["read_pending_events"].bind(
                                query.after.value_or(EventId{}), query.name, query.target,
                                std::uint64_t{query.limit + 1}, query.tenant),
                            query.limit, query.budget.bytes, page.items, read_event));
    if (more && !page.items.empty()) page.next = page.items.back().id;
    return page;
}

Result<DeadPage> read_dead(Database& database, const EventQuery& query) {
    DeadPage page;
    HF_TRY(const bool more,
           read_page<DeadEvent>(database["read_dead_events"].bind(
                                    query.after.value_or(EventId{}), query.name, query.target,
                                    std::uint64_t{query.limit + 1}, query.tenant),
                                query.limit, query.budget.bytes, page.items, read_dead_event));
    if (more && !page.items.empty()) page.next = page.items.back().event.id;
    return page;
}

Result<DueTimers> read_due_timers(Database& database, std::size_t limit, Moment now) {
    DueTimers timers{.now = now};
    HF_CHECK(for_each_row(database["read_due_timers"].bind(std::uint64_t{limit + 1}),
                          [&](Statement& row) {
                              DueTimer timer{.instance = row.id<InstanceId>()};
                              timer.token = row.id<TokenId>();
                              timer.due = row.moment();
                              if (timer.due <= now && timers.due.size() < limit)
                                  timers.due.push_back(timer);
                              else if (!timers.next)
                                  timers.next = timer.due;
                          }));
    return timers;
}

}  // namespace holdfast::sqlite
