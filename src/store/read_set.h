// The reads that a round needs before it can decide. Sorted, so that stores lock in one order.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "model/caller.h"
#include "model/definition.h"
#include "model/event.h"
#include "model/instance.h"
#include "model/signal.h"
#include "model/task.h"
#include "store/computation.h"

namespace holdfast {

// Whether the history of an absent row matters: a cleared id continues from its last version
// (000.4).
enum class Past { fresh, looked_up };

// The workflows of a definition under a business key. Of many under one key the newest count.
struct BusinessKeyRef {
    std::string tenant;
    std::string definition;
    std::string key;

    auto operator<=>(const BusinessKeyRef&) const = default;
};
inline constexpr std::size_t most_under_key = 16;

// How many waits or children an operation acts on itself. For more it sends each a signal.
inline constexpr std::size_t most_receivers = 256;

class ReadSet {
public:
    struct Need {
        Depth depth = Depth::row;
        Past past = Past::fresh;
    };
    using StateVersion = std::pair<InstanceId, Version>;
    using CheckpointName = std::pair<InstanceId, std::string>;

    void instance(const InstanceId& id, Depth depth, Past past = Past::fresh) {
        Need& need = instances_[id];
        need.depth = std::max(need.depth, depth);
        need.past = std::max(need.past, past);
    }
    // The newest version of a definition.
    void definition(const TenantKey& key) { definitions_.insert(key); }
    // A certain version of a definition, besides those of the instances.
    void definition_version(const TenantRef& wanted) { definition_versions_.insert(wanted); }
    // The state as it was at a version, the base of a merge.
    void state_at(const InstanceId& id, Version version) { states_.emplace(id, version); }
    void checkpoint(const InstanceId& id, const std::string& name) {
        checkpoints_.emplace(id, name);
    }
    // Multiplies the list reads that are named from now on; set by the coordinator when an
    // operation needs more than it loaded.
    void set_width(std::size_t width) { width_ = width; }

    // Queued events for the instance under that key, oldest first.
    void inbox(const InstanceId& id, const EventKey& key) { inboxes_[{id, key}] += width_; }
    // How many events are queued for it, and how many broadcasts on a channel.
    void inbox_size(const InstanceId& id) { inbox_sizes_.insert(id); }
    void channel_size(const ChannelKey& key) { channels_[key].size = true; }
    // Which keys are queued for it: it is about to end. The store settles the events unread.
    void ending_inbox(const InstanceId& id) { ending_inboxes_.insert(id); }
    // The events queued for it that its end makes broadcasts, oldest first.
    void releases(const InstanceId& id, const EventKey& key) { releases_[{id, key}] += width_; }
    // Queued broadcasts on that channel, for a wait to take.
    void broadcasts(const ChannelKey& key) { channels_[key].broadcasts += width_; }
    // The oldest waits on that channel, with their instances.
    void waits(const ChannelKey& key) { channels_[key].waits += width_; }
    void all_waits(const ChannelKey& key) { channels_[key].all_waits = true; }
    // Everything stored about an event, to recognise a repeat.
    void event(const EventId& id) { events_.insert(id); }
    // Whether that instance has had the event. Of an event that reached thousands, one row.
    void receipt(const EventId& id, const InstanceId& by) { receipts_.emplace(id, by); }
    // The journal entry at that index.
    void step(const InstanceId& id, std::uint64_t index) { steps_.emplace(id, index); }
    // A value that is stored once.
    void value(const Digest& digest) { values_.insert(digest); }
    // The instances that wait for its end.
    void completion_waiters(const InstanceId& id) { completions_.insert(id); }
    void children(const InstanceId& parent) { parents_.insert(parent); }
    // The newest workflows under that key, open or ended. Excludes other rounds that read it: of
    // two that start one under a free key, one finds the other's.
    void under_key(const BusinessKeyRef& key);
    // Everything stored about a signal: queued, scheduled, dead or processed.
    void signal(const SignalId& id) { signals_.insert(id); }
    // The continuation of an instance and its lease (I29).
    void continuation(const InstanceId& id) { continuations_.insert(id); }

    // A human task. The operation also names its instance, which guards it.
    void task(const TaskId& id) { tasks_.insert(id); }
    // Every task of the instance that has not ended.
    void open_tasks(const InstanceId& id) { open_tasks_.insert(id); }

    struct Channel {
        std::size_t broadcasts = 0;
        std::size_t waits = 0;
        bool all_waits = false;
        bool size = false;

        // A round that reads waits excludes every suspend on that channel; suspends exclude only
        // such rounds (I1).
        bool exclusive() const { return waits > 0 || all_waits; }
    };
    const std::map<std::pair<InstanceId, EventKey>, std::size_t>& inboxes() const {
        return inboxes_;
    }
    const std::set<InstanceId>& inbox_sizes() const { return inbox_sizes_; }
    const std::set<InstanceId>& ending_inboxes() const { return ending_inboxes_; }
    const std::map<std::pair<InstanceId, EventKey>, std::size_t>& releases() const {
        return releases_;
    }
    const std::map<ChannelKey, Channel>& channels() const { return channels_; }
    const std::set<EventId>& events() const { return events_; }
    const std::set<std::pair<EventId, InstanceId>>& receipts() const { return receipts_; }
    const std::set<std::pair<InstanceId, std::uint64_t>>& steps() const { return steps_; }
    const std::set<Digest>& values() const { return values_; }
    const std::set<InstanceId>& completions() const { return completions_; }
    const std::set<InstanceId>& parents() const { return parents_; }
    const std::set<BusinessKeyRef>& keys() const { return keys_; }
    const std::set<SignalId>& signals() const { return signals_; }
    const std::set<InstanceId>& continuations() const { return continuations_; }
    const std::set<TaskId>& tasks() const { return tasks_; }
    const std::set<InstanceId>& open_tasks() const { return open_tasks_; }

    // The instances whose waits may take a loaded broadcast: a wait reads its inbox, too.
    std::set<InstanceId> takers() const;

    // Whether it has all reads of `other`, with lists as long or longer.
    bool covers(const ReadSet& other) const;
    // Adds all reads of `other`; list sizes are multiplied by `times`.
    void merge(const ReadSet& other, std::size_t times = 1);

    // The stored outcome of an earlier operation with this client key.
    void answer(const TenantKey& client_key) { answers_.insert(client_key); }

    const std::map<InstanceId, Need>& instances() const { return instances_; }
    const std::set<TenantKey>& definitions() const { return definitions_; }
    const std::set<TenantRef>& definition_versions() const { return definition_versions_; }
    const std::set<StateVersion>& states() const { return states_; }
    const std::set<CheckpointName>& checkpoints() const { return checkpoints_; }
    const std::set<TenantKey>& answers() const { return answers_; }

private:
    std::map<InstanceId, Need> instances_;
    std::set<TenantKey> definitions_;
    std::set<TenantRef> definition_versions_;
    std::set<StateVersion> states_;
    std::set<CheckpointName> checkpoints_;
    std::set<TenantKey> answers_;
    std::size_t width_ = 1;
    std::map<std::pair<InstanceId, EventKey>, std::size_t> inboxes_;
    std::set<InstanceId> inbox_sizes_;
    std::set<InstanceId> ending_inboxes_;
    std::map<std::pair<InstanceId, EventKey>, std::size_t> releases_;
    std::map<ChannelKey, Channel> channels_;
    std::set<EventId> events_;
    std::set<std::pair<EventId, InstanceId>> receipts_;
    std::set<std::pair<InstanceId, std::uint64_t>> steps_;
    std::set<Digest> values_;
    std::set<InstanceId> completions_;
    std::set<InstanceId> parents_;
    std::set<BusinessKeyRef> keys_;
    std::set<SignalId> signals_;
    std::set<InstanceId> continuations_;
    std::set<TaskId> tasks_;
    std::set<InstanceId> open_tasks_;
};

// Thrown by the view when it is asked for what the round does not have: what the operation changed
// is taken back, and it runs again in a later round with these additional reads, or with the result
// of this computation.
struct LoadMore {
    ReadSet also;
    bool wider = false;  // a list was read, but not far enough: its reads are multiplied
    std::shared_ptr<const Computation> compute;  // null: none
};

}  // namespace holdfast
