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
        done(fail(ErrorCode::not_found, "no flow named '" + work.program + "' is registered here"));
        return;
    }
    std::shared_ptr<LiveFlow> flow;
    {
        const std::lock_guard lock(mutex_);
        Place& place = places_[work.instance];
        if (!place.flow) place.flow = std::make_shared<LiveFlow>(*this, work.instance, *code);
        if (place.resting) resting_.erase(*std::exchange(place.resting, std::nullopt));
        flow = place.flow;
    }
    flow->begin(std::move(work), std::move(done));
}

void Runner::drop(const NodeId& life) {
    std::vector<std::shared_ptr<LiveFlow>> flows;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, place] : places_)
            if (!place.resting) flows.push_back(place.flow);
    }
    for (const auto& flow : flows) flow->let_go(life);
}

std::size_t Runner::live() const {
    const std::lock_guard lock(mutex_);
    return places_.size();
}

void Runner::evict_all() {
    std::vector<std::shared_ptr<LiveFlow>> evicted;
    const std::lock_guard lock(mutex_);
    for (const InstanceId& id : resting_) evicted.push_back(places_.extract(id).mapped().flow);
    resting_.clear();
}

void Runner::rested(const InstanceId& id) {
    std::shared_ptr<LiveFlow> evicted;  // destroyed without the lock: user code may run
    const std::lock_guard lock(mutex_);
    Place& place = places_.at(id);
    place.resting = resting_.insert(resting_.end(), id);
    if (resting_.size() <= options_.most_live) return;
    evicted = places_.extract(resting_.front()).mapped().flow;
    resting_.pop_front();
}

void Runner::gone(const InstanceId& id) {
    std::shared_ptr<LiveFlow> old;
    const std::lock_guard lock(mutex_);
    old = places_.extract(id).mapped().flow;
}

}  // namespace holdfast
