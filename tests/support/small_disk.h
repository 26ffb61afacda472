// A file system of a few megabytes that a test can fill.
#pragma once

#include <cstddef>
#include <string>

namespace holdfast::testing {

// Needs root. Mounted only for this thread and the processes that it starts: the kernel removes it
// with the last of them, even if the test is killed.
class SmallDisk {
public:
    explicit SmallDisk(std::size_t bytes);
    ~SmallDisk();
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    const std::string& path() const { return path_; }
    // Uses up all free space, to the last byte.
    void fill() const;
    void free() const;

private:
    std::string path_;
};

}  // namespace holdfast::testing
