#include "store/read_set.h"

#include <algorithm>
#include <functional>

namespace holdfast {
namespace {

// Whether every element of `b` has one in `a` that is enough for it.
template <class Map, class IsEnough>
bool covers_each(const Map& a, const Map& b, IsEnough is_enough) {
    return std::ranges::all_of(b, [&](const auto& item) {
        const auto found = a.find(item.first);
        return found != a.end() && is_enough(found->second, item.second);
    });
}

// Looks up each: the set of a round is long, that of an operation has a few.
template <class Set>
bool contains_each(const Set& a, const Set& b) {
    return std::ranges::all_of(b, [&](const auto& item) { return a.contains(item); });
}

bool is_enough(const ReadSet::Channel& a, const ReadSet::Channel& b) {
    return a.broadcasts >= b.broadcasts && (a.all_waits || a.waits >= b.waits) &&
           a.all_waits >= b.all_waits && a.size >= b.size;
}

}  // namespace

// Nobody waits on these channels: they are locks. Few, so that keys leave no rows behind.
void ReadSet::under_key(const BusinessKeyRef& key) {
    constexpr std::size_t most_locks = 1'024;
    const Digest digest = sha256(key.definition + '\n' + key.key);
    const std::size_t lock = (digest.bytes[0] << 8 | digest.bytes[1]) % most_locks;
    keys_.insert(key);
    waits({key.tenant, {"process/key", std::to_string(lock)}});
}

std::set<InstanceId> ReadSet::takers() const {
    std::set<InstanceId> ids;
    for (const auto& [inbox, count] : inboxes_) ids.insert(inbox.first);
    return ids;
}

bool ReadSet::covers(const ReadSet& other) const {
    return covers_each(instances_, other.instances_,
                       [](const Need& a, const Need& b) {
                           return a.depth >= b.depth && a.past >= b.past;
                       }) &&
           contains_each(definitions_, other.definitions_) &&
           contains_each(definition_versions_, other.definition_versions_) &&
           contains_each(states_, other.states_) &&
           contains_each(checkpoints_, other.checkpoints_) &&
           contains_each(answers_, other.answers_) &&
           covers_each(inboxes_, other.inboxes_, std::greater_equal<>()) &&
           contains_each(inbox_sizes_, other.inbox_sizes_) &&
           contains_each(ending_inboxes_, other.ending_inboxes_) &&
           covers_each(releases_, other.releases_, std::greater_equal<>()) &&
           covers_each(channels_, other.channels_,
                       [](const Channel& a, const Channel& b) { return is_enough(a, b); }) &&
           contains_each(events_, other.events_) && contains_each(receipts_, other.receipts_) &&
           contains_each(steps_, other.steps_) && contains_each(values_, other.values_) &&
           contains_each(completions_, other.completions_) &&
           contains_each(parents_, other.parents_) && contains_each(keys_, other.keys_) &&
           contains_each(signals_, other.signals_) &&
           contains_each(continuations_, other.continuations_) &&
           contains_each(tasks_, other.tasks_) && contains_each(open_tasks_, other.open_tasks_);
}

void ReadSet::merge(const ReadSet& other, std::size_t times) {
    for (const auto& [id, need] : other.instances_) instance(id, need.depth, need.past);
    definitions_.insert(other.definitions_.begin(), other.definitions_.end());
    definition_versions_.insert(other.definition_versions_.begin(),
                                other.definition_versions_.end());
    states_.insert(other.states_.begin(), other.states_.end());
    checkpoints_.insert(other.checkpoints_.begin(), other.checkpoints_.end());
    answers_.insert(other.answers_.begin(), other.answers_.end());
    for (const auto& [key, count] : other.inboxes_) inboxes_[key] += count * times;
    inbox_sizes_.insert(other.inbox_sizes_.begin(), other.inbox_sizes_.end());
    ending_inboxes_.insert(other.ending_inboxes_.begin(), other.ending_inboxes_.end());
    for (const auto& [key, count] : other.releases_) releases_[key] += count * times;
    for (const auto& [name, channel] : other.channels_) {
        Channel& mine = channels_[name];
        mine.broadcasts += channel.broadcasts * times;
        mine.waits += channel.waits * times;
        mine.all_waits |= channel.all_waits;
        mine.size |= channel.size;
    }
    events_.insert(other.events_.begin(), other.events_.end());
    receipts_.insert(other.receipts_.begin(), other.receipts_.end());
    steps_.insert(other.steps_.begin(), other.steps_.end());
    values_.insert(other.values_.begin(), other.values_.end());
    completions_.insert(other.completions_.begin(), other.completions_.end());
    parents_.insert(other.parents_.begin(), other.parents_.end());
    keys_.insert(other.keys_.begin(), other.keys_.end());
    signals_.insert(other.signals_.begin(), other.signals_.end());
    continuations_.insert(other.continuations_.begin(), other.continuations_.end());
    tasks_.insert(other.tasks_.begin(), other.tasks_.end());
    open_tasks_.insert(other.open_tasks_.begin(), other.open_tasks_.end());
}

}  // namespace holdfast
