// What shows that a file was written, without reading it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast {

struct FileStamp {
    std::int64_t changed = 0;  // nanoseconds
    std::int64_t size = 0;
    std::uint64_t inode = 0;
    mode_t mode = 0;

    bool operator==(const FileStamp&) const = default;
};

// Take it before the file is read: a change in between is seen the next time. Absent: the file
// cannot be looked at.
std::optional<FileStamp> stamp_of(const std::string& path);

}  // namespace holdfast
