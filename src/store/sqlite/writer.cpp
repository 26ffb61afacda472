#include "store/sqlite/writer.h"

#include "base/log.h"
#include "store/sqlite/rows/load.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/write.h"

namespace holdfast::sqlite {

void stop_on_io_error(const Error& error) {
    const auto* code = error.context.if_contains("sqliteCode");
    if (!code || (code->to_number<int>() & 0xff) != SQLITE_IOERR) return;
    log::error("store.io_error", {{"message", error.message}, {"action", "stop and recover"}});
    std::abort();
}

Result<void> load_positions(WriteSide& side) {
    return for_each_row((*side.database)["read_stream_bounds"].bind(), [&](Statement& row) {
        side.position = static_cast<std::uint64_t>(row.integer());
        (void)row.integer();  // what retention has deleted
        side.unplaced = row.integer();
    });
}

Result<std::variant<Committed, Unknown>> SqliteWriter::commit(const Round& round,
                                                              const Decide& decide) {
    const std::lock_guard lock(side_.mutex);
    Database& database = *side_.database;
    if (options_.most_pages)
        HF_CHECK(
            database.execute("pragma max_page_count = " + std::to_string(options_.most_pages())));
    if (auto begun = database["begin_round"].bind().run(); !begun)
        return std::unexpected(begun.error());
    Attempt attempt;
    auto rows = run(round, decide, attempt);
    if (rows && *rows > 0) {
        if (auto done = sqlite::commit(side_); !done) rows = std::unexpected(done.error());
    }
    if (!rows || *rows == 0) (void)database["rollback_round"].bind().run();
    if (!rows) {
        side_.queue_sizes.forget_all();  // changed as the rows were written
        stop_on_io_error(rows.error());
        return std::unexpected(rows.error());
    }
    if (*rows == 0) return Committed{};
    if (options_.lose_commit && options_.lose_commit()) {
        side_.forget();
        return Unknown{};
    }
    for (const auto& definition : *attempt.view->changes().definitions)
        side_.definitions.add(definition);
    side_.residents.keep(round.reads, attempt.view->changes(),
                         [&](const InstanceId& id) { return attempt.sequences.at(id); });
    return Committed{*rows};
}

Result<std::size_t> SqliteWriter::run(const Round& round, const Decide& decide, Attempt& attempt) {
    const Moment now = side_.clock.now(*options_.clock);
    auto loaded = load(side_, round.reads, now, attempt.sequences);
    if (!loaded) return std::unexpected(loaded.error());
    View& view = attempt.view.emplace(round.reads, *std::move(loaded));
    decide(view);
    const Changes& changes = view.changes();
    if (changes.empty()) return 0;
    const bool new_paths = !changes.definitions->empty();
    auto rows = write(side_, options_, round, now, changes, attempt.sequences);
    if (rows && new_paths) {
        auto paths = load_index_paths(*side_.database);
        if (!paths) return std::unexpected(paths.error());
        side_.index_paths = *std::move(paths);
    }
    return rows;
}

Result<CommitStatus> SqliteWriter::commit_status(const RoundId& round) {
    const std::lock_guard lock(side_.mutex);
    Database& database = *side_.database;
    HF_CHECK(side_.file->check_place());
    std::optional<CommitStatus> known;
    HF_CHECK(for_each_row(database["read_fate"].bind(round), [&](Statement& row) {
        known = row.view() == "committed" ? CommitStatus::committed : CommitStatus::never;
    }));
    if (known) return *known;
    // Only this process commits to the file: it bars the round by itself.
    side_.barred.insert(round);
    const Moment now = side_.clock.now(*options_.clock);
    if (auto settled = database["settle_round"].bind(--side_.unplaced, round, now).run();
        !settled) {
        stop_on_io_error(settled.error());
        return std::unexpected(settled.error());
    }
    return CommitStatus::never;
}

}  // namespace holdfast::sqlite
