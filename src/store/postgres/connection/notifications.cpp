#include <libpq-fe.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {
namespace {

// A descriptor that becomes readable when a stop is requested.
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

    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
    std::optional<std::stop_callback<std::function<void()>>> wake_;
};

}  // namespace

Reply<void> Connection::take_notifications(const std::function<void(std::string_view)>& take,
                                           const std::stop_token& stop) {
    if (is_lost()) return std::unexpected(lost("the connection is closed"));
    const StopSignal stopped(stop);
    if (stopped.descriptor() < 0) return std::unexpected(lost("cannot create an eventfd"));
    while (!stop.stop_requested()) {
        if (PQconsumeInput(connection_.get()) == 0)
            return std::unexpected(lost(PQerrorMessage(connection_.get())));
        while (pgNotify* notification = PQnotifies(connection_.get())) {
            take(notification->extra);
            PQfreemem(notification);
        }
        pollfd both[] = {{PQsocket(connection_.get()), POLLIN, 0},
                         {stopped.descriptor(), POLLIN, 0}};
        if (::poll(both, 2, -1) < 0 && errno != EINTR) return std::unexpected(lost("poll failed"));
    }
    return {};
}

}  // namespace holdfast::postgres
