#include "store/postgres/connection/pool.h"

#include <algorithm>

namespace holdfast::postgres {

ConnectionPool::ConnectionPool(Address address, std::size_t size, Role role)
    : address_(std::move(address)), size_(std::max<std::size_t>(size, 1)), role_(role) {}

ConnectionPool::Lease::~Lease() {
    if (connection_) pool_->give_back(std::move(connection_));
}

Reply<ConnectionPool::Lease> ConnectionPool::lease() {
    auto idle = reserve();
    if (!idle) return std::unexpected(idle.error());
    if (*idle) return Lease(*this, *std::move(idle));
    auto opened = Connection::open(address_, role_);
    if (opened) return Lease(*this, *std::move(opened));
    give_back(nullptr);
    return std::unexpected(opened.error());
}

Reply<std::unique_ptr<Connection>> ConnectionPool::reserve() {
    std::unique_lock lock(mutex_);
    if (!freed_.wait_for(lock, address_.call_timeout, [this] { return lent_ < size_; }))
        return std::unexpected(Failure{FailureKind::unavailable, "", "all connections are in use"});
    ++lent_;
    if (idle_.empty()) return nullptr;
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
}

void ConnectionPool::give_back(std::unique_ptr<Connection> connection) {
    {
        const std::lock_guard lock(mutex_);
        --lent_;
        if (connection && connection->is_idle()) idle_.push_back(std::move(connection));
    }
    freed_.notify_one();
}

void ConnectionPool::close_idle() {
    std::vector<std::unique_ptr<Connection>> closed;
    const std::lock_guard lock(mutex_);
    closed.swap(idle_);
}

}  // namespace holdfast::postgres
