#include "coordinator/shard.h"

#include "base/log.h"
#include "base/threads.h"
#include "model/codec.h"

namespace holdfast {

Shard::Shard(const std::string& name, std::unique_ptr<Writer> writer, IdSource& ids,
             CoordinatorMetrics& metrics, ShardLimits limits)
    : limits_(limits), writer_(std::move(writer)), ids_(ids), metrics_(metrics) {
    thread_ = named_thread(name, [this](std::stop_token) { run(); });
}

Shard::~Shard() { shutdown(); }

bool Shard::push(Group& group, ErrorCode& why) {
    {
        const std::lock_guard lock(mutex_);
        why = closing_ ? ErrorCode::shutting_down : ErrorCode::overloaded;
        if (closing_ || queued_ + group.size() > limits_.queue) return false;
        queued_ += group.size();
        metrics_.queue_depth.Increment(static_cast<double>(group.size()));
        queue_.push_back(std::move(group));
    }
    wake_.notify_one();
    return true;
}

void Shard::shutdown() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Shard::run() {
    for (Group round = next_round(); !round.empty(); round = next_round()) run_round(round);
}

Shard::Group Shard::next_round() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    Group round;
    while (!queue_.empty() &&
           (round.empty() || round.size() + queue_.front().size() <= limits_.round)) {
        std::ranges::move(queue_.front(), std::back_inserter(round));
        queue_.pop_front();
    }
    queued_ -= round.size();
    metrics_.queue_depth.Decrement(static_cast<double>(round.size()));
    return round;
}

// A refusal names no culprit: halve until the bad operation is alone and its neighbours commit.
void Shard::run_round(std::span<std::unique_ptr<Task>> tasks) {
    const Result<void> done = commit(tasks);
    if (done) {
        for (auto& task : tasks) task->answer();
        return;
    }
    if (done.error().code == ErrorCode::refused && tasks.size() > 1) {
        run_round(tasks.first(tasks.size() / 2));
        run_round(tasks.subspan(tasks.size() / 2));
        return;
    }
    active_.forget_all();
    log::warn("round.failed", {{"operations", tasks.size()},
                               {"error", name_of(done.error().code)},
                               {"message", done.error().message}});
    for (auto& task : tasks) task->answer_failure(done.error());
}

Result<void> Shard::commit(std::span<std::unique_ptr<Task>> tasks) {
    ReadSet reads;
    for (const auto& task : tasks) task->reads(reads);
    for (int tries = 0; tries < 3; ++tries) {
        const Round round{ids_.next<RoundId>(), reads};
        auto committed = attempt(round, tasks);
        if (!committed) return std::unexpected(committed.error());
        if (!*committed) {
            active_.forget_all();
            const auto fate = learn_fate(round.id);
            if (!fate) return std::unexpected(fate.error());
            if (*fate == Fate::never) continue;  // nothing of it is there: run it again
        }
        remember();
        return {};
    }
    return fail(ErrorCode::unavailable,
                "the store was lost during three commits in a row; try again");
}

Result<std::optional<Committed>> Shard::attempt(const Round& round,
                                                std::span<std::unique_ptr<Task>> tasks) {
    const auto began = std::chrono::steady_clock::now();
    auto result = writer_->commit(round, [&](View& view) {
        for (auto& task : tasks) task->decide(view);
        touched_.clear();
        for (const auto& [id, instance] : view.touched())
            touched_.emplace_back(id, instance ? std::optional(*instance) : std::nullopt);
        conflicts_ = *view.changes().conflicts;
    });
    if (!result) return std::unexpected(result.error());
    if (std::holds_alternative<Unknown>(*result)) return std::nullopt;
    if (std::get<Committed>(*result).rows == 0)
        return Committed{};  // nothing was written: no commit
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    metrics_.commits.Increment();
    metrics_.commit_seconds.Observe(took.count());
    metrics_.operations_per_commit.Observe(static_cast<double>(tasks.size()));
    for (const auto& task : tasks) metrics_.operation(task->operation_name()).Increment();
    return std::get<Committed>(*result);
}

Result<Fate> Shard::learn_fate(const RoundId& round) {
    const auto fate = writer_->fate(round);
    log::warn("round.fate", {{"round", to_string(round)},
                             {"fate", !fate                      ? "unknown"
                                      : *fate == Fate::committed ? "committed"
                                                                 : "never"}});
    if (fate) return fate;
    return fail(
        ErrorCode::outcome_unknown,
        "the store was lost while it committed and has not come back: the change may be there or "
        "not; repeat with the same Idempotency-Key, or read before you repeat");
}

void Shard::remember() {
    for (auto& [id, instance] : touched_) {
        if (instance && is_open(instance->status))
            active_.put(*std::move(instance));
        else
            active_.forget(id);
    }
    for (const ConflictRow& conflict : conflicts_) {
        metrics_.conflict(conflict.resolution).Increment();
        log::info("state.conflict", to_json(conflict));
    }
    touched_.clear();
    conflicts_.clear();
}

}  // namespace holdfast
