#include "pump/signals/work_queue.h"

#include <algorithm>

#include "base/log.h"

namespace holdfast {
namespace {

bool is_same(const Work& one, const Work& other) {
    return one.id == other.id && one.lease == other.lease;
}

// The jobs of an instance run side by side: each is a line of its own.
InstanceId line_of(const Work& work) {
    return work.type == SignalType::job ? InstanceId{work.id.value} : work.instance;
}

}  // namespace

bool WorkQueue::Line::has(const Work& work) const {
    if (running && is_same(running->work, work)) return true;
    return std::ranges::any_of(waiting, [&](const Item& item) { return is_same(item.work, work); });
}

void WorkQueue::open() {
    std::vector<Work> ready;
    {
        const std::lock_guard lock(mutex_);
        open_ = true;
        ready = take_ready();
    }
    begin(std::move(ready));
}

void WorkQueue::offer(Work work, Origin origin) {
    std::vector<Work> ready;
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        Line& line = lines_[line_of(work)];
        if (line.has(work)) return;
        if (!line.running && line.waiting.empty()) ready_.push(work.program, line_of(work));
        line.waiting.push_back({std::move(work), origin});
        ++held_;
        if (origin == Origin::claimed) ++claimed_;
        if (is_suspect(line.waiting.back().work.attempts)) ++suspects_;
        ready = take_ready();
    }
    begin(std::move(ready));
}

std::vector<Work> WorkQueue::take_ready() {
    std::vector<Work> ready;
    while (open_ && !closed_ && running_ < options_.at_once && !ready_.empty()) {
        const auto found = lines_.find(ready_.pop());
        if (found == lines_.end() || found->second.running || found->second.waiting.empty())
            continue;
        Line& line = found->second;
        Item& first = line.waiting.front();
        line.running = {first.work.head(), first.origin};
        ready.push_back(std::move(first.work));
        line.waiting.erase(line.waiting.begin());
        ++running_;
    }
    return ready;
}

void WorkQueue::begin(std::vector<Work> ready) {
    for (Work& work : ready) {
        const Work head = work.head();
        WorkerPool::WorkItem job = [self = shared_from_this(), work = std::move(work)]() mutable {
            self->call_handler(std::move(work));
        };
        if (!options_.post(job))
            finish(head, fail(ErrorCode::overloaded, "no worker is available"));
    }
}

void WorkQueue::call_handler(Work work) {
    SignalHandler* handler = programs_.find(work.program);
    if (!handler)
        return finish(
            work, fail(ErrorCode::not_found, "this node has no program '" + work.program + "'"));
    SignalHandler::Done done = [work_queue = weak_from_this(),
                                head = work.head()](Result<void> result) {
        if (auto self = work_queue.lock()) self->finish(head, result);
    };
    handler->handle(std::move(work), std::move(done));
}

void WorkQueue::finish(const Work& work, const Result<void>& result) {
    std::vector<Work> ready;
    {
        const std::lock_guard lock(mutex_);
        const auto found = lines_.find(line_of(work));
        if (found == lines_.end() || !found->second.running ||
            !is_same(found->second.running->work, work)) {
            log::error("pump.done_twice", {{"instance", to_string(work.instance)}});
            return;
        }
        forget(*found->second.running);
        if (is_suspect(work.attempts) && result)
            suspect_limit_ = std::min(2 * suspect_limit_, options_.at_once);
        found->second.running.reset();
        --running_;
        if (found->second.waiting.empty())
            lines_.erase(found);
        else
            ready_.push(found->second.waiting.front().work.program, line_of(work));
        ready = take_ready();
        if (running_ == 0) idle_.notify_all();
        if (closed_) return;
        ++reports_;
    }
    options_.finished(work, result);
    begin(std::move(ready));
    const std::lock_guard lock(mutex_);
    if (--reports_ == 0) idle_.notify_all();
}

void WorkQueue::forget(const Item& item) {
    --held_;
    if (item.origin == Origin::claimed) --claimed_;
    if (is_suspect(item.work.attempts)) --suspects_;
}

bool WorkQueue::has_room() const {
    const std::lock_guard lock(mutex_);
    return !closed_ && held_ < options_.held;
}

std::size_t WorkQueue::room_for_own_jobs() const {
    const std::lock_guard lock(mutex_);
    return closed_ || held_ >= options_.at_once ? 0 : options_.at_once - held_;
}

std::size_t WorkQueue::room_for_claims() const {
    const std::lock_guard lock(mutex_);
    if (closed_) return 0;
    const std::size_t share = std::max<std::size_t>(options_.at_once / 4, 1);
    const std::size_t left = held_ < options_.at_once ? options_.at_once - held_ : 0;
    return std::max(left, claimed_ < share ? share - claimed_ : 0);
}

std::size_t WorkQueue::room_for_suspects() const {
    const std::lock_guard lock(mutex_);
    return suspects_ < suspect_limit_ ? suspect_limit_ - suspects_ : 0;
}

void WorkQueue::drop(const NodeId& life) {
    {
        const std::lock_guard lock(mutex_);
        for (auto at = lines_.begin(); at != lines_.end();) {
            Line& line = at->second;
            std::erase_if(line.waiting, [&](const Item& item) {
                if (item.work.lease.node != life) return false;
                forget(item);
                return true;
            });
            at = !line.running && line.waiting.empty() ? lines_.erase(at) : std::next(at);
        }
    }
    programs_.drop(life);
}

bool WorkQueue::close(std::chrono::milliseconds grace) {
    std::unique_lock lock(mutex_);
    closed_ = true;
    return idle_.wait_for(lock, grace, [this] { return running_ == 0 && reports_ == 0; });
}

std::size_t WorkQueue::running() const {
    const std::lock_guard lock(mutex_);
    return running_;
}

std::size_t WorkQueue::held() const {
    const std::lock_guard lock(mutex_);
    return held_;
}

}  // namespace holdfast
