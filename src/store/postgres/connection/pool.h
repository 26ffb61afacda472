// Connections outside the rounds, lent to one caller at a time.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "store/postgres/connection/connection.h"

namespace holdfast::postgres {

// Safe from any thread. Opens connections as they are needed, at most `size`.
class ConnectionPool {
public:
    ConnectionPool(Address address, std::size_t size, Role role);

    // A connection until it goes out of scope; it comes back if it is whole.
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

    // Waits for a free one, at most for the call timeout.
    Reply<Lease> lease();
    // Closes what is idle: where one connection was lost, the others hardly live.
    void close_idle();

private:
    // Absent: none came free in time. Null: the caller may open one.
    Reply<std::unique_ptr<Connection>> take_place();
    void give_back(std::unique_ptr<Connection> connection);

    Address address_;
    std::size_t size_;
    Role role_;
    std::mutex mutex_;
    std::condition_variable freed_;
    std::size_t lent_ = 0;
    std::vector<std::unique_ptr<Connection>> idle_;
};

// Lends `ask` a connection; once more with a new one if that was lost.
template <class Ask>
auto with_connection(ConnectionPool& pool, Ask ask) {
    using Answer = Result<typename std::invoke_result_t<Ask, Connection&>::value_type>;
    for (int number = 0;; ++number) {
        auto lease = pool.lease();
        if (!lease) return Answer(std::unexpected(to_error(lease.error())));
        auto answer = ask(**lease);
        if (answer) {
            if constexpr (std::is_void_v<typename Answer::value_type>)
                return Answer();
            else
                return Answer(*std::move(answer));
        }
        const bool again = answer.error().kind == FailureKind::lost && number == 0;
        if (!again) return Answer(std::unexpected(to_error(answer.error())));
        pool.close_idle();
    }
}

}  // namespace holdfast::postgres
