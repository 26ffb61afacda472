#include "store/postgres/read/read_signals.h"

#include "model/job.h"
#include "store/postgres/connection/columns.h"
#include "store/postgres/load/decode_mail.h"
#include "store/postgres/load/decode_signals.h"
#include "store/sql.h"
#include "store/tables/signal_tables.h"

namespace holdfast::postgres {

Reply<std::optional<DeadLetter>> dead_letter(Connection& connection, const SignalId& id) {
    connection.queue("load_dead_letters", Parameters().array(std::vector{id}));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    if (results->front().size() == 0) return std::nullopt;
    Row row = results->front()[0];
    return dead_letter_row(row);
}

namespace {

template <class Page, class Query, class ReadOne, class Id>
Reply<Page> page_of(Connection& connection, std::string_view statement,
                    const Parameters& parameters, const Query& query, ReadOne read_one, Id id) {
    connection.queue_once(sql::text_of(sql::postgres_statements(), statement), parameters);
    auto results = connection.exchange(query.budget);
    if (!results) return std::unexpected(results.error());
    Page page;
    const std::size_t size = results->front().page_size(query.limit);
    for (Row row : results->front()) {
        if (page.items.size() == size) {
            if (size > 0) page.next = std::invoke(id, page.items.back());
            break;
        }
        page.items.push_back(read_one(row));
    }
    return page;
}

}  // namespace

Reply<DeadLetterPage> dead_letters(Connection& connection, const DeadLetterQuery& query) {
    std::optional<std::string_view> reason;
    if (query.reason) reason = name_of(*query.reason);
    Parameters parameters;
    parameters.add(query.after).add(reason).add(query.instance);
    parameters.add(std::uint64_t{query.limit + 1}).add(query.tenant);
    return page_of<DeadLetterPage>(
        connection, "read_dead_letters", parameters, query,
        [](Row& row) { return dead_letter_row(row); },
        [](const DeadLetter& letter) { return letter.signal.id; });
}

Reply<JobPage> jobs(Connection& connection, const JobQuery& query) {
    std::optional<std::string> program;
    if (query.type) program = program_of_jobs(*query.type);
    Parameters parameters;
    parameters.add(query.after).add(program).add(query.definition).add(query.instance);
    parameters.add(std::uint64_t{query.limit + 1}).add(query.tenant);
    return page_of<JobPage>(connection, "read_jobs", parameters, query, signal_row, &SignalRow::id);
}

Reply<IncidentPage> incidents(Connection& connection, const IncidentQuery& query) {
    Parameters parameters;
    parameters.add(query.after).add(query.code).add(query.definition).add(query.instance);
    parameters.add(std::uint64_t{query.limit + 1}).add(query.tenant);
    return page_of<IncidentPage>(
        connection, "read_incidents", parameters, query,
        [](Row& row) { return read_row<tables::Incidents>(row); }, &Incident::instance);
}

Reply<std::vector<std::vector<JournalEntry>>> journals(Connection& connection,
                                                       std::span<const JournalPart> parts) {
    Parameters columns;
    columns.array(parts, &JournalPart::instance).array(parts, &JournalPart::from);
    columns.array(parts, [](const JournalPart& part) { return std::uint64_t{part.limit}; });
    connection.queue("read_journals", columns);
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    std::vector<std::vector<JournalEntry>> journals(parts.size());
    for (Row row : results->front()) {
        const auto position = static_cast<std::size_t>(row.int8());
        journals.at(position - 1).push_back(journal_row(row));
    }
    return journals;
}

}  // namespace holdfast::postgres
