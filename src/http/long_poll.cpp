#include "http/long_poll.h"

#include <utility>
#include <vector>

#include "base/threads/threads.h"
#include "http/responses/problem.h"

namespace holdfast::http {

struct LongPolls::Poll {
    Spec spec;
    Watchers::Ticket ticket;
    Steady::time_point deadline;
    Open::iterator place;

    std::mutex mutex;
    Respond respond;
    bool answered = false;
    bool checking = true;                           // a check is queued or running
    std::optional<Steady::time_point> reads_since;  // absent: no check is running
    bool check_again = false;  // during the check it was woken, or its time was over
    bool due = false;
    // Last: its destructor waits until the callback has ended.
    std::optional<std::stop_callback<std::function<void()>>> on_gone;
};

LongPolls::LongPolls(Watchers& watchers, WorkerPool& readers, std::size_t limit)
    : watchers_(watchers),
      readers_(readers),
      limit_(limit),
      thread_(named_thread("poll-timeouts", [this](const std::stop_token& stop) { run(stop); })) {}

LongPolls::~LongPolls() { drain(); }

void LongPolls::start(Spec spec, Respond respond) {
    auto poll = std::make_shared<Poll>();
    poll->spec = std::move(spec);
    const std::stop_token gone = respond.gone();
    poll->respond = std::move(respond);
    if (auto refused = open(poll)) return poll->respond(*std::move(refused));
    sooner_.notify_one();
    // Frees the slot at once; a client that still reads gets its timeout early.
    poll->on_gone.emplace(gone, [this, weak = std::weak_ptr(poll)] {
        if (const auto left = weak.lock()) finish(left, left->spec.on_timeout);
    });
    post_check(poll);  // after watch(), so that no commit after this check is missed
}

std::optional<Response> LongPolls::open(const std::shared_ptr<Poll>& poll) {
    const std::lock_guard lock(mutex_);
    if (draining_)
        return problem(Error{
            ErrorCode::shutting_down, "the server is shutting down; retry on another node", {}});
    if (open_.size() >= limit_)
        return problem(Error{ErrorCode::overloaded,
                             "too many long polls are open; retry shortly",
                             {{"limit", limit_}}});
    poll->ticket = watchers_.watch(
        poll->spec.instance, [this, poll](const Instance* instance) { wake(poll, instance); });
    poll->deadline = Steady::now() + poll->spec.time;
    poll->place = open_.emplace(poll->deadline, poll);
    ++count_;
    return std::nullopt;
}

void LongPolls::post_check(const std::shared_ptr<Poll>& poll) {
    WorkerPool::WorkItem work = [this, poll] { check(poll); };
    if (readers_.post(work)) return;
    finish(poll, problem(Error{
                     ErrorCode::overloaded, "the server's read queue is full; retry shortly", {}}));
}

bool LongPolls::begin_check(Poll& poll) {
    const std::lock_guard lock(poll.mutex);
    poll.reads_since = Steady::now();
    return !poll.answered;
}

void LongPolls::check(const std::shared_ptr<Poll>& poll) {
    while (begin_check(*poll)) {
        if (auto response = poll->spec.check()) return finish(poll, *std::move(response));
        const std::lock_guard lock(poll->mutex);
        if (std::exchange(poll->check_again, false)) continue;
        poll->checking = false;
        const auto begun = *std::exchange(poll->reads_since, std::nullopt);
        if (!poll->due && begun < poll->deadline) return;
        break;
    }
    finish(poll, poll->spec.on_timeout);
}

void LongPolls::wake(const std::shared_ptr<Poll>& poll, const Instance* instance) {
    if (!poll->spec.is_relevant(instance)) return;
    {
        const std::lock_guard lock(poll->mutex);
        if (poll->answered) return;
        poll->check_again = poll->checking;
        if (poll->checking) return;
        poll->checking = true;
    }
    post_check(poll);
}

void LongPolls::expire(const std::shared_ptr<Poll>& poll, Steady::time_point end) {
    {
        const std::lock_guard lock(poll->mutex);
        if (poll->answered) return;
        poll->due = true;
        // What is being read may be older than the end; a check that has not begun will not be.
        if (poll->reads_since && *poll->reads_since < end) poll->check_again = true;
        if (poll->checking) return;
        poll->checking = true;
    }
    post_check(poll);
}

void LongPolls::finish(const std::shared_ptr<Poll>& poll, Response response) {
    Respond respond;
    {
        const std::lock_guard lock(poll->mutex);
        if (poll->answered) return;
        poll->answered = true;
        respond = std::move(poll->respond);
    }
    {
        const std::lock_guard lock(mutex_);
        if (poll->place != open_.end()) open_.erase(poll->place);
    }
    watchers_.unwatch(poll->ticket);
    --count_;
    poll->spec.share.reset();
    respond(std::move(response));
}

void LongPolls::drain() {
    std::vector<std::shared_ptr<Poll>> waiting;
    {
        const std::lock_guard lock(mutex_);
        draining_ = true;
        for (const auto& [deadline, poll] : open_) waiting.push_back(poll);
    }
    for (const auto& poll : waiting) expire(poll, Steady::now());
}

void LongPolls::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        std::vector<std::shared_ptr<Poll>> due;
        for (auto first = open_.begin(); first != open_.end() && first->first <= Steady::now();
             first = open_.begin()) {
            due.push_back(first->second);
            first->second->place = open_.end();
            open_.erase(first);
        }
        if (!due.empty()) {
            lock.unlock();
            for (const auto& poll : due) expire(poll, poll->deadline);
            lock.lock();
            continue;
        }
        const auto first = open_.empty() ? Steady::time_point::max() : open_.begin()->first;
        const auto changed = [&] { return !open_.empty() && open_.begin()->first < first; };
        if (open_.empty())
            sooner_.wait(lock, stop, changed);
        else
            sooner_.wait_until(lock, stop, first, changed);
    }
}

}  // namespace holdfast::http
