#include <libpq-fe.h>
#include <poll.h>

#include <cerrno>

#include "store/postgres/connection/connection.h"
#include "store/postgres/connection/stop_signal.h"

namespace holdfast::postgres {
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
