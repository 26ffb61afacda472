#include "store/sqlite/rows/signal_rows.h"

#include <boost/json.hpp>

#include "store/sqlite/rows/rows.h"

namespace holdfast::sqlite {
namespace {

// The common first columns of all signal tables. An unknown type is not an error here: decoding the
// envelope will fail, and the signal becomes a dead letter.
SignalRow read_head(Statement& row) {
    SignalRow signal{.id = row.id<SignalId>()};
    signal.instance = row.id<InstanceId>();
    signal.type = parse_signal_type(row.view()).value_or(SignalType::external_signal);
    signal.program = row.optional(text_of);
    signal.enqueued_at = row.moment();
    return signal;
}

void read_counts(Statement& row, SignalRow& signal) {
    signal.epoch = static_cast<std::uint64_t>(row.integer());
    signal.attempts = static_cast<std::uint32_t>(row.integer());
    signal.envelope = row.bytes();
}

ScheduledSignal read_scheduled(Statement& row) {
    ScheduledSignal scheduled{.signal = read_head(row)};
    scheduled.due_at = scheduled.signal.visible_at = row.moment();
    scheduled.signal.envelope = row.bytes();
    return scheduled;
}

Result<void> read_queued(Statement& statement, KnownSignal& known) {
    return for_each_row(statement, [&](Statement& row) {
        known.queued = read_signal(row);
        known.lease_valid = row.flag();
    });
}

}  // namespace

SignalRow read_signal(Statement& row) {
    SignalRow signal = read_head(row);
    signal.visible_at = row.moment();
    signal.leased_by = row.optional([](Statement& column) { return column.id<NodeId>(); });
    read_counts(row, signal);
    return signal;
}

DeadLetter read_dead_letter(Statement& row) {
    DeadLetter letter{.signal = read_head(row)};
    read_counts(row, letter.signal);
    const auto reason = parse_dead_letter_reason(row.view());
    if (!reason) row.mark_corrupt("dead_letters", "reason");
    letter.reason = reason.value_or(DeadLetterReason::undecodable);
    letter.detail = row.text();
    letter.node = row.text();
    letter.at = row.moment();
    return letter;
}

NodeRow read_node(Statement& row) {
    NodeRow node{.id = row.id<NodeId>()};
    node.name = row.text();
    node.started_at = row.moment();
    node.beat_at = row.moment();
    node.lease_until = row.moment();
    node.kind = parse_holder_kind(row.view()).value_or(HolderKind::node);
    const boost::json::value programs = boost::json::parse(row.view());
    for (const boost::json::value& program : programs.as_array())
        node.programs.emplace_back(program.as_string());
    return node;
}

HostLock read_host_lock(Statement& row) {
    HostLock lock{.name = row.text()};
    lock.owner = row.text();
    lock.until = row.moment();
    lock.term = static_cast<std::uint64_t>(row.integer());
    return lock;
}

Result<KnownSignal> load_known_signal(Database& database, const SignalId& id, Moment now) {
    KnownSignal known;
    HF_CHECK(read_queued(database["load_signal"].bind(id, now), known));
    HF_CHECK(for_each_row(database["load_scheduled"].bind(id),
                          [&](Statement& row) { known.scheduled = read_scheduled(row); }));
    HF_TRY(known.dead, load_dead_letter(database, id));
    HF_CHECK(for_each_row(database["load_processed"].bind(id),
                          [&](Statement&) { known.processed = true; }));
    return known;
}

Result<KnownSignal> load_continuation(Database& database, const InstanceId& id, Moment now) {
    KnownSignal known;
    HF_CHECK(read_queued(database["load_continuation"].bind(id, now), known));
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
           read_page<DeadLetter>(
               database["read_dead_letters"].bind(query.after.value_or(SignalId{}), reason,
                                                  query.instance, std::uint64_t{query.limit + 1}),
               query.limit, query.budget.bytes, page.items, read_dead_letter));
    if (more && !page.items.empty()) page.next = page.items.back().signal.id;
    return page;
}

}  // namespace holdfast::sqlite
