#include "store/sqlite/queue_sizes.h"

#include "base/assert.h"

namespace holdfast::sqlite {

std::optional<QueueSize> QueueSizes::find(const Queue& queue) const {
    const auto found = sizes_.find(queue);
    return found == sizes_.end() ? std::nullopt : std::optional(found->second);
}

void QueueSizes::keep(const Queue& queue, const QueueSize& size) {
    if (size.events < shortest) return;
    if (sizes_.size() >= most) sizes_.clear();
    sizes_.emplace(queue, size);
}

void QueueSizes::add(const Event& event) {
    const auto found = sizes_.find(queue_of(event));
    if (found == sizes_.end()) return;
    if (event.expires_at) {
        sizes_.erase(found);
        return;
    }
    ++found->second.events;
    found->second.bytes += event.value.text().size();
}

void QueueSizes::remove(const Queue& queue, std::size_t bytes) {
    const auto found = sizes_.find(queue);
    if (found == sizes_.end()) return;
    HF_ASSERT(found->second.events > 0 && found->second.bytes >= bytes,
              "what is removed from a queue was counted in it");
    --found->second.events;
    found->second.bytes -= bytes;
}

}  // namespace holdfast::sqlite
