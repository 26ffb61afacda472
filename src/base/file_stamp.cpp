#include "base/file_stamp.h"

#include <sys/stat.h>

namespace holdfast {

std::optional<FileStamp> stamp_of(const std::string& path) {
    constexpr std::int64_t nanoseconds = 1'000'000'000;
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return FileStamp{.changed = status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec,
                     .size = status.st_size,
                     .inode = status.st_ino,
                     .mode = status.st_mode};
}

}  // namespace holdfast
