#include "node/ends.h"

#include "base/threads/threads.h"
#include "node/thrown.h"

namespace holdfast {
namespace {

constexpr std::size_t most_read_at_once = 1'000;

Ends::End end_of(const InstanceId& id, const Instance* instance) {
    if (!instance) return Error{ErrorCode::not_found, "there is no workflow " + to_string(id), {}};
    if (is_open(instance->status)) return StoppedWorkflow{instance->last_error.value_or("unknown")};
    return Ending{instance->status, instance->result};
}

bool goes_on(const Instance& instance) { return is_open(instance.status) && !instance.buried; }

}  // namespace

Ends::Ends(Store& store, Coordinator& coordinator)
    : store_(store),
      coordinator_(coordinator),
      thread_(named_thread("ends", [this](const std::stop_token& stop) { run(stop); })) {}

Ends::~Ends() {
    thread_.request_stop();
    thread_.join();
    std::vector<WaitNumber> left;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [number, wait] : waits_) left.push_back(number);
    }
    for (const WaitNumber number : left)
        tell(number, Error{ErrorCode::shutting_down, "the node was stopped", {}});
}

void Ends::wait_for(const InstanceId& id, Told told) {
    WaitNumber number = 0;
    {
        const std::lock_guard lock(mutex_);
        number = ++next_;
        waits_.emplace(number, Wait{id, std::move(told), {}});
    }
    const auto ticket = coordinator_.watchers().watch(
        id, [this, number](const Instance* instance) { see(number, instance); });
    bool was_told = false;
    {
        const std::lock_guard lock(mutex_);
        const auto found = waits_.find(number);
        was_told = found == waits_.end();
        if (!was_told) found->second.ticket = ticket;
    }
    if (was_told) return coordinator_.watchers().unwatch(ticket);
    // The end of one that this node knows as open will be a commit after the watch began. A shard's
    // copy may be older than what another shard committed: the store says whether it is stopped.
    const auto active = coordinator_.get_active(id);
    if (!active || !goes_on(*active)) read_soon(number);
}

void Ends::see(WaitNumber number, const Instance* instance) {
    if (!instance) return read_soon(number);  // another node changed it, or it was cleared
    if (goes_on(*instance)) return;
    tell(number, end_of(instance->id, instance));
}

void Ends::tell(WaitNumber number, End end) {
    Wait wait;
    {
        const std::lock_guard lock(mutex_);
        const auto found = waits_.find(number);
        if (found == waits_.end()) return;
        wait = std::move(found->second);
        waits_.erase(found);
    }
    if (wait.ticket.number) coordinator_.watchers().unwatch(wait.ticket);
    wait.told(std::move(end));
}

void Ends::read_soon(WaitNumber number) {
    {
        const std::lock_guard lock(mutex_);
        unread_.push_back(number);
    }
    wanted_.notify_one();
}

void Ends::look_again() {
    {
        const std::lock_guard lock(mutex_);
        unread_.clear();
        for (const auto& [number, wait] : waits_) unread_.push_back(number);
    }
    wanted_.notify_one();
}

void Ends::run(const std::stop_token& stop) {
    for (;;) {
        std::vector<std::pair<WaitNumber, InstanceId>> waits;
        {
            std::unique_lock lock(mutex_);
            wanted_.wait(lock, stop, [this] { return !unread_.empty(); });
            if (stop.stop_requested()) return;
            while (!unread_.empty() && waits.size() < most_read_at_once) {
                const auto found = waits_.find(unread_.back());
                if (found != waits_.end()) waits.emplace_back(found->first, found->second.id);
                unread_.pop_back();
            }
        }
        read(waits);
    }
}

void Ends::read(const std::vector<std::pair<WaitNumber, InstanceId>>& waits) {
    std::vector<InstanceId> ids;
    for (const auto& [number, id] : waits) ids.push_back(id);
    const auto rows = store_.ask(FindRows{ids});
    if (!rows) {
        for (const auto& [number, id] : waits) tell(number, rows.error());
        return;
    }
    std::unordered_map<InstanceId, const Instance*> found;
    for (const Instance& row : *rows) found.emplace(row.id, &row);
    for (const auto& [number, id] : waits) {
        const auto row = found.find(id);
        const Instance* instance = row == found.end() ? nullptr : row->second;
        if (!instance || !goes_on(*instance)) tell(number, end_of(id, instance));
    }
}

Json result_of(const std::string& id, const Ends::End& end) {
    return std::visit(Each{[&](const Ending& ended) { return result_of(id, ended); },
                           [&](const StoppedWorkflow& stopped) -> Json {
                               throw WorkflowStopped(id, stopped.reason);
                           },
                           [](const Error& error) -> Json { throw_error(error); }},
                      end);
}

}  // namespace holdfast
