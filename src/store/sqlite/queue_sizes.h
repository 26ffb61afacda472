// How much is queued in long queues. A limit is checked with every event for a queue, and counting
// takes as long as the queue is. True as long as only rounds change queues: the owner forgets what
// it doubts.
#pragma once

#include <map>
#include <optional>
#include <variant>

#include "store/mailbox.h"

namespace holdfast::sqlite {

// Events with a target have its inbox, others a channel.
using Queue = std::variant<InstanceId, ChannelKey>;

inline Queue queue_of(const Event& event) {
    return event.target ? Queue(*event.target) : Queue(event.channel());
}

class QueueSizes {
public:
    // Absent: not known.
    std::optional<QueueSize> find(const Queue& queue) const;
    // It was counted, and nothing in it expires.
    void keep(const Queue& queue, const QueueSize& size);
    // A round adds the event to its queue.
    void add(const Event& event);
    // A round removes an event that does not expire.
    void remove(const Queue& queue, std::size_t bytes);
    void forget_all() { sizes_.clear(); }
    bool empty() const { return sizes_.empty(); }

private:
    static constexpr std::size_t shortest = 64;  // events; a shorter queue is counted as fast
    static constexpr std::size_t most = 256;     // queues

    std::map<Queue, QueueSize> sizes_;
};

}  // namespace holdfast::sqlite
