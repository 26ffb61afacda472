#include "store/postgres/write/writer.h"

#include <algorithm>

#include "store/postgres/load/load.h"
#include "store/postgres/write/write.h"

namespace holdfast::postgres {
namespace {

using std::chrono::milliseconds;

constexpr int most_attempts = 8;
constexpr int most_losses = 1;
constexpr int most_collisions = 2;
constexpr milliseconds longest_pause{250};

// Exponential backoff with jitter between rounds that conflict on the same rows.
milliseconds pause_before(int attempt, const RoundId& round) {
    const int doubled = 1 << std::min(attempt, 7);
    const int jitter = round.value.bytes[15] ^ (37 * attempt & 0xff);
    return milliseconds(doubled + doubled * jitter / 256);
}

bool is_retryable(FailureKind kind) {
    return kind == FailureKind::moved || kind == FailureKind::contended ||
           kind == FailureKind::collided;
}

}  // namespace

PostgresWriter::PostgresWriter(Address address, const StoreOptions& options,
                               DefinitionCache& definitions, std::shared_ptr<Doubts> doubts)
    : address_(std::move(address)),
      options_(options),
      definitions_(definitions),
      doubts_(std::move(doubts)) {}

Reply<void> PostgresWriter::connect() {
    // Not idle: lost, or inside a transaction that a throwing `decide` left open.
    if (connection_ && connection_->is_idle()) return {};
    // The next connection may reach another server that lacks some rows.
    if (connection_) {
        channels_.clear();
        definitions_.clear();
        residents_.forget_all();
        clock_.forget();
    }
    connection_.reset();
    auto opened = Connection::open(address_, Role::writer);
    if (!opened) return std::unexpected(opened.error());
    connection_ = *std::move(opened);
    return {};
}

Result<std::variant<Committed, Unknown>> PostgresWriter::commit(const Round& round,
                                                                const Decide& decide) {
    if (auto recalled = attempt_recalled(round, decide)) {
        if (*recalled) return **recalled;
        return std::unexpected(to_error(recalled->error()));
    }
    Failure last;
    int losses = 0;
    int collisions = 0;
    ChannelLock channel_lock = ChannelLock::as_read;
    for (int number = 0; number < most_attempts; ++number) {
        auto outcome = attempt(round, decide, channel_lock);
        if (outcome) return *outcome;
        last = outcome.error();
        roll_back();
        forget(round);
        const bool collided = last.kind == FailureKind::collided;
        if (last.kind == FailureKind::moved || collided) channel_lock = ChannelLock::exclusive;
        if (last.kind == FailureKind::lost && losses++ < most_losses) continue;
        if (collided && collisions++ == most_collisions) return std::unexpected(to_error(last));
        if (!is_retryable(last.kind)) return std::unexpected(to_error(last));
        pause(pause_before(number, round.id));
    }
    return fail(ErrorCode::unavailable,
                "gave up after " + std::to_string(most_attempts) +
                    " conflicts with other rounds on the same rows; last: " + last.message);
}

// A guard that fails says that some of it has changed; only these instances are loaded then.
std::optional<PostgresWriter::Attempt> PostgresWriter::attempt_recalled(const Round& round,
                                                                        const Decide& decide) {
    doubts_->settle(residents_);
    if (!connection_ || !connection_->is_idle()) return std::nullopt;
    const auto now = clock_.at(std::chrono::steady_clock::now(), options_.clock->now());
    auto recalled =
        now ? recall(round.reads, residents_, definitions_, *now) : std::optional<Recalled>();
    if (!recalled || !knows(recalled->expected.quiet)) return std::nullopt;
    View view(round.reads, std::move(recalled->loaded));
    decide(view);
    if (view.changes().empty() || !is_guarded(round.reads, view.changes())) return std::nullopt;
    Attempt written = write(round, view.changes(), &recalled->expected);
    if (written) return written;
    roll_back();
    doubt(round);
    const FailureKind kind = written.error().kind;
    if (kind == FailureKind::unreplicated || kind == FailureKind::unknown) return written;
    return std::nullopt;
}

// A new channel is inserted by a round that loads.
bool PostgresWriter::knows(const std::set<ChannelKey>& channels) const {
    return std::ranges::all_of(channels,
                               [&](const ChannelKey& key) { return channels_.contains(key); });
}

void PostgresWriter::forget(const Round& round) {
    for (const auto& [id, need] : round.reads.instances()) residents_.forget(id);
}

void PostgresWriter::doubt(const Round& round) {
    for (const auto& [id, need] : round.reads.instances()) residents_.doubt(id);
    for (const auto& [key, channel] : round.reads.channels()) channels_.forget(key);
    clock_.forget();
}

PostgresWriter::Attempt PostgresWriter::attempt(const Round& round, const Decide& decide,
                                                ChannelLock channel_lock) {
    if (auto done = connect(); !done) return std::unexpected(done.error());
    auto loaded = load(*connection_, round.reads, {definitions_, channels_, channel_lock});
    if (!loaded) return std::unexpected(loaded.error());
    View view(round.reads, *std::move(loaded));
    decide(view);
    const Changes& changes = view.changes();
    if (changes.empty()) {
        roll_back();
        return Committed{};
    }
    Attempt written = write(round, changes);
    if (!written) return written;
    for (const InstanceId& id : round.reads.continuations())
        residents_.learn(id, view.signals().loaded_continuation(id));
    return written;
}

PostgresWriter::Attempt PostgresWriter::write(const Round& round, const Changes& changes,
                                              const Expected* expected) {
    const auto statements = encode(round.id, changes, expected);
    const auto sent = std::chrono::steady_clock::now();
    if (expected) connection_->queue("begin_round");
    const std::size_t rows = queue(*connection_, statements, options_.fault);
    if (!connection_->takes_more()) {
        connection_->drop();
        return std::unexpected(
            Failure{FailureKind::lost, "", "the connection was lost before COMMIT"});
    }
    connection_->queue("commit_round");
    auto results = connection_->exchange();
    if (!results) {
        // COMMIT was sent: the server may or may not have executed it.
        if (results.error().kind == FailureKind::lost) return unknown();
        return std::unexpected(results.error());
    }
    if (results->back().tag() != "COMMIT")
        return std::unexpected(
            Failure{FailureKind::unavailable, "", "the server did not commit the transaction"});
    channels_.commit_round();
    if (options_.lose_commit && options_.lose_commit()) {
        connection_->drop();
        return unknown();
    }
    const std::size_t place =
        place_of_round(statements) + (expected ? 1 : 0);  // behind begin_round
    clock_.note(sent, (*results)[place][0].moment(), std::chrono::steady_clock::now(), changes.now);
    for (const auto& definition : *changes.definitions) definitions_.add(definition);
    residents_.keep(round.reads, changes, [](const InstanceId&) { return std::int64_t{0}; });
    return Committed{rows};
}

Unknown PostgresWriter::unknown() {
    residents_.forget_all();
    return {};
}

void PostgresWriter::roll_back() {
    if (!connection_ || connection_->is_lost() || connection_->is_idle()) return;
    connection_->queue("rollback_round");
    if (!connection_->exchange()) connection_->drop();
}

Result<CommitStatus> PostgresWriter::commit_status(const RoundId& round) {
    const Deadline deadline = std::chrono::steady_clock::now() + options_.call_timeout;
    for (int number = 0;; ++number) {
        auto settled = settle(round);
        if (settled) return *settled;
        const FailureKind kind = settled.error().kind;
        const milliseconds wait = std::min(10 * pause_before(number, round), longest_pause);
        const bool hopeless = kind == FailureKind::refused || kind == FailureKind::broken;
        if (hopeless || std::chrono::steady_clock::now() + wait > deadline)
            return std::unexpected(to_error(settled.error()));
        pause(wait);
    }
}

Reply<CommitStatus> PostgresWriter::settle(const RoundId& round) {
    if (auto done = connect(); !done) return std::unexpected(done.error());
    connection_->queue("settle_round", Parameters().add(round));
    connection_->queue("read_fate", Parameters().add(round));
    auto results = connection_->exchange();
    if (!results) return std::unexpected(results.error());
    return results->back()[0].text() == "committed" ? CommitStatus::committed : CommitStatus::never;
}

}  // namespace holdfast::postgres
