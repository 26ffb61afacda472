// A stop token as a descriptor that poll() can wait for.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace holdfast::postgres {

// Becomes readable when a stop is requested.
class StopSignal {
public:
    explicit StopSignal(const std::stop_token& stop)
        : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), wake_(std::in_place, stop, [this] {
              const std::uint64_t one = 1;
              [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
          }) {}
    ~StopSignal() {
        wake_.reset();
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    // Negative: it could not be created.
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
    std::optional<std::stop_callback<std::function<void()>>> wake_;
};

}  // namespace holdfast::postgres
