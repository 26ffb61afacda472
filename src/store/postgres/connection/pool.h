// A pool of connections for work outside the rounds.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// Thread-safe. Opens connections on demand, at most `size`.
class ConnectionPool {
public:
    ConnectionPool(Address address, std::size_t size, Role role);

    // Returns the connection to the pool at the end of its scope, if it is idle.
    class Lease {
    public:
        Lease(ConnectionPool& pool, std::unique_ptr<Connection> connection)
            : pool_(&pool), connection_(std::move(connection)) {}
        Lease(Lease&&) noexcept = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease();

        Connection& operator*() { return *connection_; }
        Connection* operator->() { return connection_.get(); }

    private:
        ConnectionPool* pool_;
        std::unique_ptr<Connection> connection_;
    };

    // Waits for a free connection, at most for the call timeout.
    Reply<Lease> lease();
    // Closes the idle connections: after one was lost, the others are probably broken too.
    void close_idle();

private:
    // Waits for a slot. Returns an idle connection; null: the caller may open one.
    Reply<std::unique_ptr<Connection>> reserve();
    void give_back(std::unique_ptr<Connection> connection);

    Address address_;
    std::size_t size_;
    Role role_;
    std::mutex mutex_;
    std::condition_variable freed_;
    std::size_t lent_ = 0;
    std::vector<std::unique_ptr<Connection>> idle_;
};

// Runs `work` on a pooled connection; once more on a new one if the connection was lost.
template <class Work>
auto with_connection(ConnectionPool& pool, Work work) {
    using Returned = Result<typename std::invoke_result_t<Work, Connection&>::value_type>;
    for (int number = 0;; ++number) {
        auto lease = pool.lease();
        if (!lease) return Returned(std::unexpected(to_error(lease.error())));
        auto reply = work(**lease);
        if (auto sound = (*lease)->check(); reply && !sound)
            return Returned(std::unexpected(to_error(sound.error())));
        if (reply) {
            if constexpr (std::is_void_v<typename Returned::value_type>)
                return Returned();
            else
                return Returned(*std::move(reply));
        }
        const bool again = reply.error().kind == FailureKind::lost && number == 0;
        if (!again) return Returned(std::unexpected(to_error(reply.error())));
        pool.close_idle();
    }
}

}  // namespace holdfast::postgres
