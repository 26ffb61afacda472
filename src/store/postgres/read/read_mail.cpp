#include "store/postgres/read/read_mail.h"

#include "store/postgres/load/decode_mail.h"
#include "store/sql.h"

namespace holdfast::postgres {
namespace {

// Reads one page; an extra row means that there are more.
template <class Page, class Read, class IdOf>
Reply<Page> page_of(Connection& connection, std::string_view statement, const EventQuery& query,
                    Read read, IdOf id_of) {
    Parameters parameters;
    parameters.add(query.after).add(query.name).add(query.target);
    parameters.add(std::uint64_t{query.limit + 1}).add(query.tenant);
    connection.queue_once(sql::text_of(sql::postgres_statements(), statement), parameters);
    auto results = connection.exchange(query.budget);
    if (!results) return std::unexpected(results.error());
    Page page;
    const std::size_t size = results->front().page_size(query.limit);
    for (Row row : results->front()) {
        if (page.items.size() == size) {
            if (size > 0) page.next = id_of(page.items.back());
            break;
        }
        page.items.push_back(read(row));
    }
    return page;
}

}  // namespace

Reply<KnownEvent> known_event(Connection& connection, const EventId& id) {
    const Parameters parameters = std::move(Parameters().array(std::vector{id}));
    connection.queue("begin_read");
    connection.queue("load_known_events", parameters);
    connection.queue("load_fates", parameters);
    connection.queue("end_read");
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    KnownEvent known;
    for (Row row : (*results)[1]) add_known_event(row, known);
    for (Row row : (*results)[2]) known.fates.push_back(fate_row(row));
    return known;
}

Reply<PendingPage> pending_events(Connection& connection, const EventQuery& query) {
    return page_of<PendingPage>(connection, "read_pending_events", query, event_row,
                                [](const Event& event) { return event.id; });
}

Reply<DeadPage> dead_events(Connection& connection, const EventQuery& query) {
    return page_of<DeadPage>(connection, "read_dead_events", query, dead_event_row,
                             [](const DeadEvent& dead) { return dead.event.id; });
}

Reply<std::optional<JournalEntry>> journal_entry(Connection& connection, const InstanceId& id,
                                                 std::uint64_t index) {
    Parameters parameters;
    parameters.array(std::vector{id}).array(std::vector{index});
    connection.queue("load_journal", parameters);
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    if (results->front().size() == 0) return std::nullopt;
    Row row = results->front()[0];
    return journal_row(row);
}

Reply<DueTimers> due_timers(Connection& connection, std::size_t limit) {
    connection.queue("read_due_timers", Parameters().add(std::uint64_t{limit + 1}));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    DueTimers timers;
    for (Row row : results->front()) {
        timers.now = row.moment();
        const auto instance = row.optional(&Row::id<InstanceId>);
        if (!instance) break;  // no timers: the row has only the clock
        const auto token = row.id<TokenId>();
        const Moment due = row.moment();
        if (due <= timers.now && timers.due.size() < limit)
            timers.due.push_back({*instance, token, due});
        else if (!timers.next)
            timers.next = due;
    }
    return timers;
}

}  // namespace holdfast::postgres
