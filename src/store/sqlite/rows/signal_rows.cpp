#include "store/sqlite/rows/signal_rows.h"

#include <cstring>

#include "model/job.h"
#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/rows.h"
#include "store/tables/signal_tables.h"

namespace holdfast::sqlite {
namespace {

Result<void> read_queued(Statement& statement, KnownSignal& known) {
    return for_each_row(statement, [&](Statement& row) {
        known.queued = read_row<tables::SignalQueue>(row);
        known.lease_valid = row.flag();
    });
}

}  // namespace

ContinuationIds::ContinuationIds(const InstanceId& instance) {
    bytes_.fill(static_cast<char>(0xff));
    std::memcpy(bytes_.data(), instance.value.bytes.data(), shared);
}

bool ContinuationIds::contains(const SignalId& id) const {
    return std::memcmp(bytes_.data(), id.value.bytes.data(), shared) == 0;
}

bool read_claimed(Statement& row, SignalRow& signal) {
    tables::Decode decode(row);
    tables::SignalQueue::columns(decode, signal);
    return decode.unknown().empty();
}

DeadLetter read_dead_letter(Statement& row) {
    return tables::completed(read_row<tables::DeadLetters>(row));
}

Result<KnownSignal> load_known_signal(Database& database, const SignalId& id, Moment now) {
    KnownSignal known;
    HF_CHECK(read_queued(database["load_signal"].bind(id, now), known));
    HF_CHECK(for_each_row(database["load_scheduled"].bind(id), [&](Statement& row) {
        known.scheduled = tables::completed(read_row<tables::ScheduleQueue>(row));
    }));
    HF_TRY(known.dead, load_dead_letter(database, id));
    HF_CHECK(for_each_row(database["load_processed"].bind(id),
                          [&](Statement& row) { known.processed = row.id<InstanceId>(); }));
    return known;
}

Result<KnownSignal> load_continuation(Database& database, const InstanceId& id, Moment now) {
    KnownSignal known;
    const ContinuationIds ids(id);
    HF_CHECK(
        read_queued(database["load_continuation"].bind(id, ids.first(), ids.end(), now), known));
    return known;
}

Result<std::optional<DeadLetter>> load_dead_letter(Database& database, const SignalId& id) {
    std::optional<DeadLetter> letter;
    HF_CHECK(for_each_row(database["load_dead_letter"].bind(id),
                          [&](Statement& row) { letter = read_dead_letter(row); }));
    return letter;
}

Result<DeadLetterPage> read_dead_letters(Database& database, const DeadLetterQuery& query) {
    DeadLetterPage page;
    const auto reason = query.reason ? std::optional(name_of(*query.reason)) : std::nullopt;
    HF_TRY(const bool more,
           read_page<DeadLetter>(database["read_dead_letters"].bind(
                                     query.after.value_or(SignalId{}), reason, query.instance,
                                     std::uint64_t{query.limit + 1}, query.tenant),
                                 query.limit, query.budget.bytes, page.items, read_dead_letter));
    if (more && !page.items.empty()) page.next = page.items.back().signal.id;
    return page;
}

Result<JobPage> read_jobs(Database& database, const JobQuery& query) {
    JobPage page;
    std::optional<std::string> program;
    if (query.type) program = program_of_jobs(*query.type);
    HF_TRY(const bool more,
           read_page<SignalRow>(database["read_jobs"].bind(
                                    query.after.value_or(SignalId{}), program, query.definition,
                                    query.instance, std::uint64_t{query.limit + 1}, query.tenant),
                                query.limit, query.budget.bytes, page.items,
                                [](Statement& row) { return read_row<tables::SignalQueue>(row); }));
    if (more && !page.items.empty()) page.next = page.items.back().id;
    return page;
}

Result<IncidentPage> read_incidents(Database& database, const IncidentQuery& query) {
    IncidentPage page;
    HF_TRY(const bool more,
           read_page<Incident>(database["read_incidents"].bind(
                                   query.after.value_or(InstanceId{}), query.code, query.definition,
                                   query.instance, std::uint64_t{query.limit + 1}, query.tenant),
                               query.limit, query.budget.bytes, page.items,
                               [](Statement& row) { return read_row<tables::Incidents>(row); }));
    if (more && !page.items.empty()) page.next = page.items.back().instance;
    return page;
}

}  // namespace holdfast::sqlite
