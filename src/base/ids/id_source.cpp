#include "base/ids/id_source.h"

#include <random>

namespace holdfast {
namespace {

std::uint64_t system_seed() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

constexpr std::uint64_t last_sequence = 0xfff;

}  // namespace

IdSource::IdSource(const Clock& clock) : IdSource(clock, system_seed()) {}

IdSource::IdSource(const Clock& clock, std::uint64_t seed) : clock_(clock), state_(seed) {}

std::uint64_t IdSource::random() {
    const std::lock_guard lock(mutex_);
    return random_locked();
}

std::uint64_t IdSource::random_locked() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

Uuid IdSource::next_uuid() {
    using namespace std::chrono;
    const std::lock_guard lock(mutex_);
    const std::int64_t ms = floor<milliseconds>(clock_.now()).time_since_epoch().count();
    if (ms > last_ms_) {
        last_ms_ = ms;
        sequence_ = random_locked() & 0x3ff;  // leaves headroom to count up
    } else if (sequence_ == last_sequence) {
        ++last_ms_;  // borrow the next millisecond so that ids stay ordered
        sequence_ = 0;
    } else {
        ++sequence_;
    }
    return make_uuid_v7(Moment{milliseconds{last_ms_}}, sequence_, random_locked());
}

}  // namespace holdfast
