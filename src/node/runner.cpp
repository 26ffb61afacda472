#include "node/runner.h"

#include "node/live_flow.h"

namespace holdfast {

Runner::~Runner() = default;

bool Runner::add(flow::Code code) {
    std::string name = code.name;
    return codes_.emplace(std::move(name), std::move(code)).second;
}

const flow::Code* Runner::find(const std::string& name) const {
    const auto found = codes_.find(name);
    return found == codes_.end() ? nullptr : &found->second;
}

void Runner::handle(Work work, Done done) {
    const flow::Code* code = find(work.program);
    if (!code) {
        done(fail(ErrorCode::not_found,
                  "no flow named '" + work.program + "' is registered on this node"));
        return;
    }
    std::shared_ptr<LiveFlow> flow;
    {
        const std::lock_guard lock(mutex_);
        Entry& entry = entries_[work.instance];
        if (!entry.flow) entry.flow = std::make_shared<LiveFlow>(*this, work.instance, *code);
        if (entry.waiting) waiting_.erase(*std::exchange(entry.waiting, std::nullopt));
        flow = entry.flow;
    }
    flow->begin(std::move(work), std::move(done));
}

std::vector<std::shared_ptr<LiveFlow>> Runner::running() const {
    std::vector<std::shared_ptr<LiveFlow>> flows;
    const std::lock_guard lock(mutex_);
    for (const auto& [id, entry] : entries_)
        if (!entry.waiting) flows.push_back(entry.flow);
    return flows;
}

void Runner::drop(const NodeId& life) {
    for (const auto& flow : running()) flow->drop_lease(life);
}

void Runner::give_up_hung(std::chrono::microseconds limit) {
    for (const auto& flow : running()) flow->give_up_hung(limit);
}

std::size_t Runner::live() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

void Runner::evict_all() {
    std::vector<std::shared_ptr<LiveFlow>> evicted;
    const std::lock_guard lock(mutex_);
    for (const InstanceId& id : waiting_) evicted.push_back(entries_.extract(id).mapped().flow);
    waiting_.clear();
}

void Runner::set_waiting(const InstanceId& id) {
    std::shared_ptr<LiveFlow> evicted;  // destroyed without the lock: user code may run
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_.at(id);
    entry.waiting = waiting_.insert(waiting_.end(), id);
    if (waiting_.size() <= options_.most_live) return;
    evicted = entries_.extract(waiting_.front()).mapped().flow;
    waiting_.pop_front();
}

void Runner::remove(const LiveFlow& flow) {
    std::shared_ptr<LiveFlow> old;
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(flow.id());
    if (found == entries_.end() || found->second.flow.get() != &flow) return;
    old = std::move(found->second.flow);
    entries_.erase(found);
}

}  // namespace holdfast
