#include "http/wire/connection_quota.h"

#include "base/assert.h"

namespace holdfast::http {
namespace {

constexpr std::size_t refused_at_once = 64;  // each takes about a second

}  // namespace

std::optional<std::size_t> ConnectionQuota::limit_of(Origin origin) const {
    switch (origin) {
        case Origin::loopback: return limits_.per_loopback_address;
        case Origin::proxy: return std::nullopt;
        case Origin::network: return limits_.per_address;
    }
    return limits_.per_address;
}

ConnectionQuota::Verdict ConnectionQuota::take(const Peer& peer) {
    const std::lock_guard lock(mutex_);
    std::size_t& from_here = per_address_[peer.address];
    const auto limit_here = limit_of(peer.origin);
    if (served_ < limits_.connections && (!limit_here || from_here < *limit_here)) {
        ++from_here;
        ++served_;
        return Verdict::serve;
    }
    if (from_here == 0) per_address_.erase(peer.address);
    if (refused_ == refused_at_once) return Verdict::drop;
    ++refused_;
    return Verdict::refuse;
}

void ConnectionQuota::release(const Peer& peer, Verdict verdict) {
    const std::lock_guard lock(mutex_);
    if (verdict == Verdict::refuse) --refused_;
    if (verdict == Verdict::serve) {
        const auto found = per_address_.find(peer.address);
        HF_ASSERT(found != per_address_.end(), "S6: a connection counts from accept to close");
        if (--found->second == 0) per_address_.erase(found);
        --served_;
    }
    if (served_ + refused_ == 0) emptied_.notify_all();
}

void ConnectionQuota::wait_until_empty(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    emptied_.wait_for(lock, at_most, [this] { return served_ + refused_ == 0; });
}

}  // namespace holdfast::http
