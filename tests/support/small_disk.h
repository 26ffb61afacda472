// A file system of a few megabytes that a test can fill.
#pragma once

#include <cstddef>
#include <string>

namespace holdfast::testing {

// Needs root. It is mounted for this thread and for the processes that the thread starts, and for
// nobody else: the kernel removes it with the last of them, even when the test is killed.
class SmallDisk {
public:
    explicit SmallDisk(std::size_t bytes);
    ~SmallDisk();
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    const std::string& path() const { return path_; }
    // Takes all the room that is left, to the last byte.
    void fill() const;
    void free() const;

private:
    std::string path_;
};

}  // namespace holdfast::testing
