#include "pump/nodes/node_life.h"

#include "base/log.h"

namespace holdfast {
namespace {

// For an embedded store: no other node could take over, so the lease never expires.
constexpr std::chrono::microseconds unlimited_lease = std::chrono::days(36'500);

}  // namespace

NodeLife::NodeLife(Leases& store, IdSource& ids, PumpMetrics& metrics, Options options, Ended ended)
    : store_(store),
      ids_(ids),
      metrics_(metrics),
      options_(std::move(options)),
      ended_(std::move(ended)),
      lease_(store.is_shared() ? options_.lease : unlimited_lease) {}

std::optional<NodeId> NodeLife::id() const {
    const std::lock_guard lock(mutex_);
    return id_;
}

Result<void> NodeLife::join() {
    const std::lock_guard lock(statements_);
    return join_locked();
}

Result<void> NodeLife::join_locked() {
    if (id()) return {};
    if (abandoned_) {
        HF_CHECK(store_.leave(*abandoned_));
        abandoned_.reset();
    }
    const auto life = ids_.next<NodeId>();
    const auto began = options_.steady();
    if (auto joined = store_.join({life, options_.name, lease_, options_.programs}); !joined) {
        abandoned_ = life;  // the join may have been committed
        return joined;
    }
    good_until_ = began + lease_;
    const std::lock_guard lock(mutex_);
    id_ = life;
    return {};
}

// The lease counts from before the statement: the store cannot have renewed it earlier.
Result<Beat> NodeLife::beat() {
    const std::lock_guard lock(statements_);
    HF_CHECK(join_locked());
    const auto began = options_.steady();
    auto beat = store_.beat(*id(), lease_, options_.programs);
    if (!beat) {
        if (options_.steady() >= good_until_) end_locked();
        return beat;
    }
    if (beat->alive) {
        good_until_ = began + lease_;
        return beat;
    }
    end_locked();
    HF_CHECK(join_locked());
    return beat;
}

void NodeLife::end() {
    const std::lock_guard lock(statements_);
    end_locked();
}

void NodeLife::end_locked() {
    std::optional<NodeId> over;
    {
        const std::lock_guard lock(mutex_);
        over = std::exchange(id_, std::nullopt);
    }
    if (!over) return;
    abandoned_ = over;
    metrics_.lives_ended.Increment();
    log::warn("node.life_ended",
              {{"life", to_string(*over)},
               {"next", "its leases are dropped; the node joins again under a new id"}});
    ended_(*over);
}

Result<void> NodeLife::leave() {
    const std::lock_guard lock(statements_);
    std::optional<NodeId> over;
    {
        const std::lock_guard inner(mutex_);
        over = std::exchange(id_, std::nullopt);
    }
    if (!over) return {};
    return store_.leave(*over);
}

}  // namespace holdfast
