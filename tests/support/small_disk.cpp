#include "support/small_disk.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

void check(int code, const char* what) {
    if (code != 0) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

SmallDisk::SmallDisk(std::size_t bytes) {
    path_ = fs::temp_directory_path() / "holdfast-disk-XXXXXX";
    if (!::mkdtemp(path_.data())) throw std::runtime_error("no temporary directory");
    try {
        check(::unshare(CLONE_NEWNS), "cannot create a mount namespace");
        check(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr),
              "cannot make the mounts private");
        const std::string size = "size=" + std::to_string(bytes);
        check(::mount("tmpfs", path_.c_str(), "tmpfs", 0, size.c_str()), "cannot mount a tmpfs");
    } catch (...) {
        fs::remove(path_);
        throw;
    }
}

SmallDisk::~SmallDisk() {
    ::umount2(path_.c_str(), MNT_DETACH);
    std::error_code ignored;
    fs::remove(path_, ignored);
}

void SmallDisk::fill() const {
    const int fd = ::open((path_ + "/filler").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0) throw std::runtime_error("cannot fill the disk");
    const std::vector<char> block(64 * 1024, 'x');
    for (std::size_t size = block.size(); size > 0;)
        if (::write(fd, block.data(), size) <= 0) size /= 2;
    ::close(fd);
}

void SmallDisk::free() const { fs::remove(path_ + "/filler"); }

}  // namespace holdfast::testing
