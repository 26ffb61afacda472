// The SQLite file on disk: one process owns it under all its names, and it must stay in its place.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"

namespace holdfast::sqlite {

// Names a file whatever it is called.
struct FileId {
    dev_t device = 0;
    ino_t inode = 0;

    bool operator==(const FileId&) const = default;
};

struct FileState {
    FileId id;
    std::uint64_t bytes = 0;
};

// By stat, never by open: closing a descriptor of the file would drop the locks that SQLite holds
// on it. Absent: there is no such file.
std::optional<FileState> look_at(const std::string& path);

// Locks the file itself, so that a hard link, a symbolic link or a deleted lock file lets nobody
// in. Destroy it after SQLite has closed the file.
class DatabaseFile {
public:
    // Creates the file if there is none. in_use: another process has it, or this one has it
    // already.
    static Result<DatabaseFile> lock(const std::string& path);
    DatabaseFile(DatabaseFile&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)),
          path_(std::move(other.path_)),
          id_(other.id_),
          wal_path_(std::move(other.wal_path_)),
          wal_(other.wal_) {}
    ~DatabaseFile();

    const std::string& path() const { return path_; }
    // From now on the file's WAL must stay in its place too.
    Result<void> follow_wal(const std::string& wal_path);
    // unavailable: the file or its WAL was deleted, moved or replaced. Commits would be lost.
    Result<void> check_place() const;

private:
    DatabaseFile(int descriptor, std::string path, FileId id)
        : descriptor_(descriptor), path_(std::move(path)), id_(id) {}

    int descriptor_;
    std::string path_;
    FileId id_;
    std::string wal_path_;
    std::optional<FileId> wal_;  // absent until it is followed
};

}  // namespace holdfast::sqlite
