#include "store/sqlite/rows/mail_rows.h"

#include "store/sqlite/rows/rows.h"

namespace holdfast::sqlite {
namespace {

Document value_of(std::string text) {
    const Digest checksum = sha256(text);
    return Document::trusted(std::move(text), checksum);
}

InstanceId instance_of(Statement& row) { return row.id<InstanceId>(); }

FateRow read_fate_row(Statement& row, const EventId& event) {
    FateRow fate{.event = event};
    const auto instance = row.id<InstanceId>();
    if (instance != InstanceId{}) fate.instance = instance;
    fate.name = row.text();
    fate.fate = parse_event_fate(row.view()).value_or(EventFate::delivered);
    fate.index = static_cast<std::uint64_t>(row.integer());
    fate.at = row.moment();
    return fate;
}

Step read_step(Statement& row, const InstanceId& id, std::uint64_t index) {
    Step step{.instance = id, .index = index};
    step.name = row.text();
    step.input_hash = row.optional([](Statement& column) { return column.digest(); });
    step.result = row.view() == "error" ? StepResult::error : StepResult::value;
    step.value = value_of(row.text());
    step.at = row.moment();
    return step;
}

}  // namespace

Event read_event(Statement& row) {
    Event event;
    event.id = row.id<EventId>();
    event.name = row.text();
    event.target = row.optional(instance_of);
    event.value = value_of(row.text());
    event.on_target_ended = parse_on_target_ended(row.view()).value_or(OnTargetEnded::discard);
    event.keep = row.flag() ? Keep::yes : Keep::no;
    event.accepted_at = row.moment();
    event.expires_at = row.optional(moment_of);
    event.operation = row.id<OperationId>();
    return event;
}

WaitRow read_wait_row(Statement& row) {
    WaitRow wait;
    wait.instance = row.id<InstanceId>();
    wait.token = row.id<TokenId>();
    wait.began_at = row.moment();
    wait.operation = row.id<OperationId>();
    return wait;
}

DeadEvent read_dead_event(Statement& row) {
    DeadEvent dead{.event = read_event(row)};
    dead.target_status = parse_status(row.view()).value_or(Status::failed);
    dead.ended_at = row.moment();
    return dead;
}

Result<KnownEvent> load_known_event(Database& database, const EventId& id) {
    KnownEvent known;
    HF_CHECK(for_each_row(database["load_pending_event"].bind(id),
                          [&](Statement& row) { known.queued = read_event(row); }));
    HF_CHECK(for_each_row(database["load_dead_event"].bind(id),
                          [&](Statement& row) { known.dead = read_dead_event(row); }));
    HF_CHECK(for_each_row(database["load_fates"].bind(id),
                          [&](Statement& row) { known.fates.push_back(read_fate_row(row, id)); }));
    return known;
}

Result<std::optional<JournalEntry>> load_journal_entry(Database& database, const InstanceId& id,
                                                       std::uint64_t index) {
    std::optional<JournalEntry> entry;
    HF_CHECK(for_each_row(database["load_step"].bind(id, index), [&](Statement& row) {
        entry = JournalEntry{read_step(row, id, index), std::nullopt};
    }));
    if (!entry) return entry;
    HF_CHECK(for_each_row(database["load_winner"].bind(id, index), [&](Statement& row) {
        Winner winner{.instance = id, .index = index};
        winner.type = parse_winner_type(row.view()).value_or(WinnerType::event);
        winner.name = row.text();
        entry->winner = std::move(winner);
    }));
    return entry;
}

Result<std::vector<JournalEntry>> load_journal_from(Database& database, const InstanceId& id,
                                                    std::uint64_t index, std::size_t limit) {
    std::vector<JournalEntry> entries;
    Statement& statement = database["read_journal_from"].bind(id, index, std::uint64_t{limit});
    HF_CHECK(for_each_row(statement, [&](Statement& row) {
        const auto at = static_cast<std::uint64_t>(row.integer());
        JournalEntry& entry = entries.emplace_back(read_step(row, id, at), std::nullopt);
        const auto type =
            row.optional([](Statement& column) { return parse_winner_type(column.view()); });
        if (!type) return;
        entry.winner = Winner{id, at, type->value_or(WinnerType::event), row.text()};
    }));
    return entries;
}

namespace {

template <class Page>
void cut(Page& page, std::size_t limit, EventId (*id_of)(const Page&)) {
    if (page.items.size() <= limit) return;
    page.items.pop_back();
    page.next = id_of(page);
}

}  // namespace

Result<PendingPage> read_pending(Database& database, const EventQuery& query) {
    PendingPage page;
    HF_CHECK(for_each_row(
        database["read_pending_events"].bind(query.after.value_or(EventId{}), query.name,
                                             query.target, std::uint64_t{query.limit + 1}),
        [&](Statement& row) { page.items.push_back(read_event(row)); }));
    cut(page, query.limit, +[](const PendingPage& one) { return one.items.back().id; });
    return page;
}

Result<DeadPage> read_dead(Database& database, const EventQuery& query) {
    DeadPage page;
    HF_CHECK(for_each_row(
        database["read_dead_events"].bind(query.after.value_or(EventId{}), query.name, query.target,
                                          std::uint64_t{query.limit + 1}),
        [&](Statement& row) { page.items.push_back(read_dead_event(row)); }));
    cut(page, query.limit, +[](const DeadPage& one) { return one.items.back().event.id; });
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
