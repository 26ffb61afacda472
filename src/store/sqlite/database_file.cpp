#include "store/sqlite/database_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace holdfast::sqlite {
namespace {

// Behind every byte that SQLite can store or lock.
constexpr off_t lock_byte = off_t{1} << 60;

FileId id_of(const struct stat& found) { return {found.st_dev, found.st_ino}; }

// Whether this process has the file open through another descriptor. Unknown counts as open.
bool is_open_elsewhere(const FileId& file, int except) {
    std::error_code failed;
    std::filesystem::directory_iterator descriptors("/proc/self/fd", failed);
    if (failed) return true;
    for (const auto& entry : descriptors) {
        if (entry.path().filename() == std::to_string(except)) continue;
        if (const auto found = look_at(entry.path().string()); found && found->id == file)
            return true;
    }
    return false;
}

// A lock of the open file description: unlike SQLite's own locks it also holds against other
// descriptors of this process, and closing one of them does not drop it.
bool take_lock(int descriptor) {
    struct flock range{};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = lock_byte;
    range.l_len = 1;
    return ::fcntl(descriptor, F_OFD_SETLK, &range) == 0;
}

}  // namespace

std::optional<FileState> look_at(const std::string& path) {
    struct stat found{};
    if (::stat(path.c_str(), &found) != 0) return std::nullopt;
    return FileState{id_of(found), static_cast<std::uint64_t>(found.st_size)};
}

Result<DatabaseFile> DatabaseFile::lock(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return fail(ErrorCode::unavailable,
                    "cannot create " + path + ": check that the folder exists and is writable");
    struct stat found{};
    ::fstat(descriptor, &found);
    DatabaseFile file(descriptor, path, id_of(found));
    if (take_lock(descriptor)) return file;
    // Another store of this process has the file: closing this descriptor would drop the locks that
    // SQLite holds for that store, so it stays open.
    if (is_open_elsewhere(file.id_, descriptor)) file.descriptor_ = -1;
    return fail(ErrorCode::in_use, "another holdfast process uses " + path +
                                       ", maybe under another name: stop it, or start this one on "
                                       "another file");
}

DatabaseFile::~DatabaseFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> DatabaseFile::follow_wal(const std::string& wal_path) {
    const auto found = look_at(wal_path);
    if (!found) return fail(ErrorCode::unavailable, wal_path + " was deleted during the start");
    wal_path_ = wal_path;
    wal_ = found->id;
    return {};
}

Result<void> DatabaseFile::check_place() const {
    const auto is_at = [](const FileId& id, const std::string& path) {
        const auto found = look_at(path);
        return found && found->id == id;
    };
    const std::string* gone = nullptr;
    if (!is_at(id_, path_))
        gone = &path_;
    else if (wal_ && !is_at(*wal_, wal_path_))
        gone = &wal_path_;
    if (!gone) return {};
    return fail(ErrorCode::unavailable,
                *gone +
                    " was deleted, moved or replaced while this process used it: nothing more "
                    "is committed");
}

}  // namespace holdfast::sqlite
