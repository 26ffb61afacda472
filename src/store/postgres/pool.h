// Connections of the read side, lent to one caller at a time.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "store/postgres/connection.h"

namespace holdfast::postgres {

// Safe from any thread. Opens connections as they are needed, at most `size`.
class ConnectionPool {
public:
    ConnectionPool(Address address, std::size_t size);

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
    std::mutex mutex_;
    std::condition_variable freed_;
    std::size_t lent_ = 0;
    std::vector<std::unique_ptr<Connection>> idle_;
};

}  // namespace holdfast::postgres
