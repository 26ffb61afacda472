#include "store/sqlite/wal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/log.h"

namespace holdfast::sqlite {
namespace {

constexpr std::uint64_t bytes_of_kib = 1'024;
// A WAL has this size from the start, so that one that is shorter was cut. It is a little more than
// the frames between two checkpoints take; what is not written yet takes no space on the disk.
constexpr std::uint64_t whole_wal_kib = 8'048;
constexpr std::size_t checkpoint_pages = 2'000;
// After a checkpoint that a reader held up.
constexpr std::size_t retry_pages = 100;

// Large values fill the WAL with a few commits, each page of them once: moved in smaller parts they
// take no longer together, and nobody waits for 8 MiB of them. Many small rows write their pages
// again with the next commits: moved early they would be moved more often.
constexpr std::size_t large_commit = 64;
constexpr std::size_t counted_more = 3;  // times

// Called after each commit, with the pages in the WAL.
int note_pages(void* context, sqlite3* database, const char*, int pages) {
    WriteSide& side = *static_cast<WriteSide*>(context);
    const auto all = static_cast<std::size_t>(pages);
    const std::size_t added = all - (all < side.wal_pages ? 0 : side.wal_pages);  // it began again
    const auto rows = static_cast<std::uint64_t>(sqlite3_total_changes64(database));
    if (added > large_commit && added > rows - side.rows)
        side.checkpoint_at -= std::min(side.checkpoint_at, counted_more * added);
    side.wal_pages = all;
    side.rows = rows;
    return SQLITE_OK;
}

// The mark is the file's user_version, a number that SQLite keeps for applications:
//   positive: the file is not complete without its WAL, which has at least so many KiB;
//   negative: with its WAL, if there is one, it is complete; a WAL has at least so many KiB;
//   zero: it was closed.
Result<void> put_wal_mark(Database& database, std::int64_t mark) {
    return database.execute("pragma user_version = " + std::to_string(mark) + ";");
}

Result<void> extend(const std::string& wal_path) {
    const int descriptor = ::open(wal_path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return fail(ErrorCode::unavailable, "cannot open " + wal_path);
    const auto found = look_at(wal_path);
    const off_t whole = whole_wal_kib * bytes_of_kib;
    const bool is_short = found && found->bytes < static_cast<std::uint64_t>(whole);
    const bool done =
        (!is_short || ::ftruncate(descriptor, whole) == 0) && ::fsync(descriptor) == 0;
    ::close(descriptor);
    if (!done) return fail(ErrorCode::unavailable, "cannot extend " + wal_path);
    return {};
}

// Moves the WAL's pages into the file. The mark that says "needs its WAL" reaches the file with
// them; the one that says "complete" follows in the WAL only. So any other program that moves the
// rest, as sqlite3 does when it closes the file, leaves a file that needs no WAL.
Result<bool> move_pages(WriteSide& side) {
    Database& database = *side.database;
    const auto wal = look_at(side.wal_path);
    const auto kib = static_cast<std::int64_t>(wal ? wal->bytes / bytes_of_kib : 0);
    // A full disk has no room for the mark, but a checkpoint makes room.
    const auto marked = put_wal_mark(database, kib);
    int pages = 0;
    int moved = 0;
    const int code = sqlite3_wal_checkpoint_v2(database.handle(), "main", SQLITE_CHECKPOINT_PASSIVE,
                                               &pages, &moved);
    if (code != SQLITE_OK) return std::unexpected(error_of(database.handle(), code));
    if (!marked) return std::unexpected(marked.error());
    HF_CHECK(put_wal_mark(database, -kib));
    return pages == moved;
}

void checkpoint(WriteSide& side) {
    const auto all = move_pages(side);
    if (!all) {
        stop_on_io_error(all.error());
        log::warn("store.checkpoint_failed",
                  {{"message", all.error().message}, {"next", "tried again after some commits"}});
    }
    side.checkpoint_at = side.wal_pages + (all && *all ? checkpoint_pages : retry_pages);
}

}  // namespace

Result<void> check_wal(Database& database, const std::string& wal_path,
                       const std::optional<FileState>& wal) {
    HF_TRY(const std::int64_t mark, database.query_integer("pragma user_version"));
    const std::uint64_t needed = static_cast<std::uint64_t>(std::abs(mark)) * bytes_of_kib;
    const std::uint64_t bytes = wal ? wal->bytes : 0;
    // Another program that closed the file removes the WAL once the file is complete.
    const bool is_complete = mark <= 0 && bytes == 0;
    if (is_complete || bytes >= needed) return {};
    const std::string path = sqlite3_db_filename(database.handle(), "main");
    return fail(
        ErrorCode::corrupt,
        path + " was not closed, and its newest changes are in " + wal_path + ", which is " +
            (bytes == 0 ? "missing or empty" : "cut: it has " + std::to_string(bytes) + " bytes") +
            " instead of at least " + std::to_string(needed) +
            " bytes. Put that file back; if the database was moved or linked, start it under its "
            "old name. If the changes are lost for good, restore a backup, or accept the loss: "
            "sqlite3 '" +
            path + "' 'pragma user_version = 0; pragma integrity_check;'");
}

Result<void> keep_wal(WriteSide& side, const std::string& wal_path) {
    HF_CHECK(put_wal_mark(*side.database, 0));  // the first write creates the WAL
    HF_CHECK(extend(wal_path));
    HF_CHECK(side.file->follow_wal(wal_path));
    HF_CHECK(side.file->check_place());
    side.wal_path = wal_path;
    sqlite3_wal_hook(side.database->handle(), note_pages, &side);
    HF_CHECK(move_pages(side));
    side.checkpoint_at = side.wal_pages + checkpoint_pages;
    return {};
}

void release_wal(WriteSide& side) {
    const std::lock_guard lock(side.mutex);
    if (side.wal_path.empty() || !side.file->check_place()) return;
    // If it fails the next start finds the WAL, as after a kill.
    (void)put_wal_mark(*side.database, 0);
}

Result<void> commit(WriteSide& side) {
    if (auto placed = side.file->check_place(); !placed) {
        if (!std::exchange(side.is_lost, true)) {
            log::error("store.file_lost",
                       {{"message", placed.error().message}, {"action", "stop"}});
            if (side.lost) side.lost();
        }
        return placed;
    }
    HF_CHECK((*side.database)["commit_round"].bind().run());
    if (side.wal_pages >= side.checkpoint_at) checkpoint(side);
    return {};
}

}  // namespace holdfast::sqlite
