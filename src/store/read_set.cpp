#include "store/read_set.h"

namespace holdfast {

void ReadSet::merge(const ReadSet& other, std::size_t times) {
    for (const auto& [id, need] : other.instances_) instance(id, need.depth, need.past);
    definitions_.insert(other.definitions_.begin(), other.definitions_.end());
    states_.insert(other.states_.begin(), other.states_.end());
    checkpoints_.insert(other.checkpoints_.begin(), other.checkpoints_.end());
    answers_.insert(other.answers_.begin(), other.answers_.end());
    for (const auto& [key, count] : other.inboxes_) inboxes_[key] += count * times;
    inbox_sizes_.insert(other.inbox_sizes_.begin(), other.inbox_sizes_.end());
    whole_inboxes_.insert(other.whole_inboxes_.begin(), other.whole_inboxes_.end());
    for (const auto& [name, channel] : other.channels_) {
        Channel& mine = channels_[name];
        mine.broadcasts += channel.broadcasts * times;
        mine.waits += channel.waits * times;
        mine.all_waits |= channel.all_waits;
        mine.size |= channel.size;
    }
    events_.insert(other.events_.begin(), other.events_.end());
    steps_.insert(other.steps_.begin(), other.steps_.end());
    completions_.insert(other.completions_.begin(), other.completions_.end());
    parents_.insert(other.parents_.begin(), other.parents_.end());
    signals_.insert(other.signals_.begin(), other.signals_.end());
    continuations_.insert(other.continuations_.begin(), other.continuations_.end());
    tasks_.insert(other.tasks_.begin(), other.tasks_.end());
    open_tasks_.insert(other.open_tasks_.begin(), other.open_tasks_.end());
}

}  // namespace holdfast
