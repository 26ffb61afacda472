#include "store/postgres/read/read_signals.h"

#include "store/postgres/load/decode_mail.h"
#include "store/postgres/load/decode_signals.h"
#include "store/sql.h"

namespace holdfast::postgres {

Reply<std::optional<DeadLetter>> dead_letter(Connection& connection, const SignalId& id) {
    connection.queue("load_dead_letters", Parameters().array(std::vector{id}));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    if (results->front().size() == 0) return std::nullopt;
    Row row = results->front()[0];
    return dead_letter_row(row);
}

Reply<DeadLetterPage> dead_letters(Connection& connection, const DeadLetterQuery& query) {
    std::optional<std::string_view> reason;
    if (query.reason) reason = name_of(*query.reason);
    Parameters parameters;
    parameters.add(query.after).add(reason).add(query.instance);
    parameters.add(std::uint64_t{query.limit + 1}).add(query.tenant);
    connection.queue_once(sql::text_of(sql::postgres_statements(), "read_dead_letters"),
                          parameters);
    auto results = connection.exchange(query.budget);
    if (!results) return std::unexpected(results.error());
    DeadLetterPage page;
    const std::size_t size = results->front().page_size(query.limit);
    for (Row row : results->front()) {
        if (page.items.size() == size) {
            if (size > 0) page.next = page.items.back().signal.id;
            break;
        }
        page.items.push_back(dead_letter_row(row));
    }
    return page;
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
