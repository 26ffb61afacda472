// Preloaded into a server under test: shifts its wall clock by the number of seconds in the file
// that FALSE_CLOCK names, read at each call. Other clocks are not shifted. Uses raw system calls
// only: a sanitizer reads the clock before its interceptors are ready.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

namespace {

time_t offset() {
    const char* path = std::getenv("FALSE_CLOCK");
    if (!path) return 0;
    char text[32];
    const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    const long size = ::syscall(SYS_read, file, text, sizeof text);
    ::syscall(SYS_close, file);
    time_t seconds = 0;
    if (size > 0) std::from_chars(text, text + size, seconds);
    return seconds;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
    const long result = ::syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += offset();
    return static_cast<int>(result);
}

extern "C" int gettimeofday(timeval* now, void*) noexcept {
    timespec precise;
    const int result = clock_gettime(CLOCK_REALTIME, &precise);
    if (result == 0) *now = {precise.tv_sec, precise.tv_nsec / 1'000};
    return result;
}

extern "C" time_t time(time_t* where) noexcept {
    timespec precise;
    if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
    if (where) *where = precise.tv_sec;
    return precise.tv_sec;
}
