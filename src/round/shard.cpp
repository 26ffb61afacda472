#include "round/shard.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "base/log.h"
#include "model/codec/codec.h"
#include "store/stream_records.h"

namespace holdfast {

namespace {

// An operation that needs more loads than this must not keep its shard busy: it has a bug, or ends
// a tree of workflows that is deeper (each load reads all that the loads before it read).
constexpr std::size_t max_loads = 256;

// Groups that others overtake on their way into one round.
constexpr std::size_t most_overtaken = 256;

// Bytes. What is smaller ends where it was answered.
constexpr std::size_t large_operation = std::size_t{256} << 10;

// Its instance changes again and again while something is computed for it.
constexpr std::size_t max_computations = 16;

// Bytes. Smaller groups have room beside large ones.
constexpr std::size_t large_group = std::size_t{16} << 10;

// What is left of a round's bytes: large groups and small ones have as many each.
class Room {
public:
    explicit Room(std::size_t bytes) : large_(bytes), small_(bytes) {}

    bool has(std::size_t bytes) { return bytes <= left_for(bytes); }
    void take(std::size_t bytes) { left_for(bytes) -= std::min(bytes, left_for(bytes)); }

private:
    std::size_t& left_for(std::size_t bytes) { return bytes < large_group ? small_ : large_; }

    std::size_t large_;
    std::size_t small_;
};

std::size_t bytes_of(const Shard::Group& group) {
    std::size_t bytes = 0;
    for (const auto& operation : group) bytes += operation->bytes();
    return bytes;
}

// For those who hear of the commit, and may hold it for long.
std::shared_ptr<const Instance> kept(const Instance& instance) {
    auto copy = std::make_shared<Instance>(instance);
    copy->state.forget_value();
    copy->state_metadata.forget_value();
    return copy;
}

void give_up_computing(QueuedOperation& operation) {
    operation.answer_failure(
        {ErrorCode::overloaded,
         "the workflow changes faster than this change can be checked; nothing "
         "was changed; try again",
         {}});
}

// Once for each name: all operations of a kind have the same text as their name.
void count(std::span<const std::unique_ptr<QueuedOperation>> operations,
           CoordinatorMetrics& metrics) {
    std::vector<std::pair<std::string_view, std::size_t>> counts;
    for (const auto& operation : operations) {
        const std::string_view name = operation->operation_name();
        const auto found = std::ranges::find(counts, name.data(),
                                             [](const auto& one) { return one.first.data(); });
        if (found == counts.end())
            counts.emplace_back(name, 1);
        else
            ++found->second;
    }
    for (const auto& [name, number] : counts)
        metrics.operation(name).Increment(static_cast<double>(number));
}

// The operation was rolled back, so only it fails.
void give_up(QueuedOperation& operation) {
    log::error("round.load_limit",
               {{"operation", operation.operation_name()}, {"loads", operation.loads()}});
    operation.answer_failure(
        {ErrorCode::internal,
         "internal error: the operation exceeded its limit of data loads; nothing was changed",
         {}});
}

}  // namespace

Shard::Shard(std::unique_ptr<Writer> writer, IdSource& ids, CoordinatorMetrics& metrics,
             ShardOptions options)
    : options_(std::move(options)), writer_(std::move(writer)), ids_(ids), metrics_(metrics) {
    publish_ = [this](RoundEnd end) { answer_round(std::move(end)); };
    outside_ = options_.outside;
}

bool Shard::push(Group& group, ErrorCode& why) {
    const auto size = static_cast<double>(group.size());
    {
        const std::lock_guard lock(mutex_);
        why = closed_ ? ErrorCode::shutting_down : ErrorCode::overloaded;
        if (closed_ || queued_ + group.size() > options_.limits.queue) return false;
        queued_ += group.size();
        queue_.push_back(std::move(group));
    }
    metrics_.queue_depth.Increment(size);
    return true;
}

void Shard::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
}

std::optional<Error> Shard::write_failure() const {
    const std::lock_guard lock(mutex_);
    return write_failure_;
}

void Shard::set_write_failure(std::optional<Error> failure) {
    const std::lock_guard lock(mutex_);
    write_failure_ = std::move(failure);
}

bool Shard::run_round() {
    Group round = next_round();
    if (round.empty()) return false;
    run(round);
    return true;
}

// Large groups that have no room in the round wait, and others overtake them: who submits little
// waits for one round at most, however much others have submitted.
Shard::Group Shard::next_round() {
    const std::lock_guard lock(mutex_);
    Group round;
    Room room(options_.limits.round_bytes);
    std::vector<Group> waiting;
    std::set<std::size_t> held;  // orders of those: what comes behind them waits too
    const auto may_go = [&](const Group& group, std::size_t bytes) {
        return round.empty() ||
               (room.has(bytes) && std::ranges::none_of(group, [&](const auto& operation) {
                    return held.contains(operation->order());
                }));
    };
    while (!queue_.empty() && waiting.size() < most_overtaken) {
        Group& next = queue_.front();
        if (!round.empty() && round.size() + next.size() > options_.limits.round) break;
        const std::size_t bytes = bytes_of(next);
        if (may_go(next, bytes)) {
            room.take(bytes);
            take(std::move(next), round);
        } else {
            for (const auto& operation : next) held.insert(operation->order());
            waiting.push_back(std::move(next));
        }
        queue_.pop_front();
    }
    for (Group& group : std::views::reverse(waiting)) queue_.push_front(std::move(group));
    queued_ -= round.size();
    metrics_.queue_depth.Decrement(static_cast<double>(round.size()));
    return round;
}

void Shard::take(Group group, Group& round) {
    for (auto& operation : group)
        if (!waits_behind(operation)) round.push_back(std::move(operation));
}

// A refusal, or a corrupt row, does not say which operation it concerns: halve the round until that
// operation is alone and the others commit.
void Shard::run(std::span<std::unique_ptr<QueuedOperation>> operations) {
    const Result<void> done = commit(operations);
    if (done) {
        publish_(end_of(operations));
        put_back(operations);
        return;
    }
    const bool about_one =
        done.error().code == ErrorCode::refused || done.error().code == ErrorCode::corrupt;
    if (about_one && operations.size() > 1) {
        run(operations.first(operations.size() / 2));
        run(operations.subspan(operations.size() / 2));
        return;
    }
    active_.forget_all();
    // Those are about the operation, not about the store.
    if (!about_one) set_write_failure(done.error());
    log::warn("round.failed", {{"operations", operations.size()},
                               {"error", name_of(done.error().code)},
                               {"message", done.error().message}});
    RoundEnd end{.failure = done.error()};
    std::ranges::move(operations, std::back_inserter(end.operations));
    publish_(std::move(end));
}

RoundEnd Shard::end_of(std::span<std::unique_ptr<QueuedOperation>> operations) {
    RoundEnd end{.touched = std::exchange(touched_, {}), .decided_at = decided_at_};
    end.operations.reserve(operations.size());
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (decided_[i]) end.operations.push_back(std::move(operations[i]));
    return end;
}

void Shard::answer_round(RoundEnd end) {
    if (end.failure) {
        for (auto& operation : end.operations) {
            operation->answer_failure(*end.failure);
            dispose(std::move(operation));
        }
        return;
    }
    for (CommitListener* listener : options_.listeners) listener->committed(end.touched);
    if (options_.trace && !end.operations.empty()) {
        std::vector<boost::json::object> lines;
        for (const auto& operation : end.operations) lines.push_back(operation->to_json());
        options_.trace->write(end.decided_at, options_.node, std::move(lines));
    }
    answer(end.operations);
}

void Shard::answer(std::span<std::unique_ptr<QueuedOperation>> operations) {
    for (auto& operation : operations) {
        operation->answer();
        dispose(std::move(operation));
    }
}

// The end of a patch of thousands of steps or of a compiled model takes milliseconds.
void Shard::dispose(std::unique_ptr<QueuedOperation> operation) {
    if (!dispose_ || operation->bytes() < large_operation) return;
    dispose_([operation = std::move(operation)] {});
}

Result<void> Shard::commit(std::span<std::unique_ptr<QueuedOperation>> operations) {
    Round round;
    for (const auto& operation : operations) operation->reads(round.reads);
    for (int tries = 0; tries < 3; ++tries) {
        round.id = ids_.next<RoundId>();
        auto committed = attempt(round, operations);
        if (!committed) return std::unexpected(committed.error());
        if (!*committed) {
            active_.forget_all();
            const auto status = query_commit_status(round.id);
            if (!status) {
                notify_outcome_unknown();
                return std::unexpected(status.error());
            }
            if (*status == CommitStatus::never) continue;  // nothing was written: run it again
        }
        remember();
        return {};
    }
    return fail(ErrorCode::unavailable,
                "the connection to the store was lost during three commits in a row; nothing was "
                "changed; try again");
}

Result<std::optional<Committed>> Shard::attempt(
    const Round& round, std::span<std::unique_ptr<QueuedOperation>> operations) {
    const auto began = std::chrono::steady_clock::now();
    auto result = writer_->commit(round, [&](View& view) {
        fold(view, operations);
        take_touched(view);
        conflicts_ = view.conflicts();
    });
    if (!result) return std::unexpected(result.error());
    if (std::holds_alternative<Unknown>(*result)) return std::nullopt;
    if (std::get<Committed>(*result).rows == 0)
        return Committed{};  // nothing was written: no commit
    set_write_failure(std::nullopt);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    metrics_.commits.Increment();
    metrics_.rows.Increment(static_cast<double>(std::get<Committed>(*result).rows));
    metrics_.commit_seconds.Observe(took.count());
    metrics_.operations_per_commit.Observe(static_cast<double>(operations.size()));
    count(operations, metrics_);
    return std::get<Committed>(*result);
}

void Shard::take_touched(const View& view) {
    touched_ = {};
    auto touches = view.touched();
    for (InstanceTouch& touch : touches)
        touched_.instances.push_back(
            {touch.id, touch.instance ? kept(*touch.instance) : nullptr, std::move(touch.held)});
    touched_.awoken = view.awoken();
    const QueuedSignals signals = view.queued_signals();
    touched_.free_signals = signals.free;
    touched_.leased = signals.leased;
    touched_.held_jobs = view.signals().held_jobs();
    for (const auto& [id, signal] : view.signals().changes().scheduled)
        if (!touched_.scheduled || signal.due_at < *touched_.scheduled)
            touched_.scheduled = signal.due_at;
    for (const auto& [id, letter] : view.signals().changes().buried)
        touched_.buried.push_back(letter.reason);
    touched_.told = has_records(view.changes());
}

void Shard::fold(View& view, std::span<std::unique_ptr<QueuedOperation>> operations) {
    view.set_node(options_.node);
    if (options_.self) view.set_self(options_.self());
    decided_at_ = view.now();
    decided_.assign(operations.size(), 0);
    left_out_.assign(operations.size(), std::nullopt);
    std::set<std::size_t> held;  // orders whose remaining operations wait for the next round
    for (std::size_t i = 0; i < operations.size(); ++i) {
        if (held.contains(operations[i]->order())) continue;
        view.save();
        left_out_[i] = operations[i]->decide(view);
        decided_[i] = !left_out_[i];
        if (decided_[i]) continue;
        view.roll_back();
        held.insert(operations[i]->order());
    }
}

void Shard::put_back(std::span<std::unique_ptr<QueuedOperation>> operations) {
    Group again;
    std::vector<std::pair<std::unique_ptr<QueuedOperation>, LoadMore>> computed_for;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        if (decided_[i]) continue;
        if (left_out_[i] && left_out_[i]->compute) {
            computed_for.emplace_back(std::move(operations[i]), *std::move(left_out_[i]));
            continue;
        }
        if (left_out_[i]) {
            operations[i]->add_reads(*left_out_[i]);
            metrics_.loads.Increment();
        }
        if (operations[i]->loads() < max_loads)
            again.push_back(std::move(operations[i]));
        else
            give_up(*operations[i]);
    }
    if (!again.empty()) {
        const std::lock_guard lock(mutex_);
        queued_ += again.size();
        metrics_.queue_depth.Increment(static_cast<double>(again.size()));
        queue_.push_front(std::move(again));
    }
    // After the others: those of the same order wait behind it.
    for (auto& [operation, more] : computed_for)
        compute_outside(std::move(operation), std::move(more));
}

void Shard::compute_outside(std::unique_ptr<QueuedOperation> operation, LoadMore more) {
    if (operation->loads() >= max_computations) return give_up_computing(*operation);
    const std::size_t order = operation->order();
    QueuedOperation& kept = *operation;
    {
        const std::lock_guard lock(mutex_);
        away_[order].push_back(std::move(operation));
        ++queued_;
        metrics_.queue_depth.Increment();
    }
    const auto compute = [this, order, &kept, more = std::move(more)] {
        kept.add_reads(more);
        come_back(order);
    };
    if (!outside_) return compute();
    if (outside_(compute)) return;
    Group group;
    {
        const std::lock_guard lock(mutex_);
        group = std::move(away_.extract(order).mapped());
        --queued_;
        metrics_.queue_depth.Decrement();
        auto refused = std::move(group.front());
        group.erase(group.begin());
        if (!group.empty()) queue_.push_front(std::move(group));
        group.clear();
        group.push_back(std::move(refused));
    }
    group.front()->answer_failure(
        {ErrorCode::overloaded, "too many changes are being checked; try again shortly", {}});
}

void Shard::come_back(std::size_t order) {
    {
        const std::lock_guard lock(mutex_);
        queue_.push_front(std::move(away_.extract(order).mapped()));
    }
    wake_();
}

bool Shard::waits_behind(std::unique_ptr<QueuedOperation>& operation) {
    const auto away = away_.find(operation->order());
    if (away == away_.end()) return false;
    away->second.push_back(std::move(operation));
    return true;
}

bool Shard::is_computing() const {
    const std::lock_guard lock(mutex_);
    return !away_.empty();
}

Result<CommitStatus> Shard::query_commit_status(const RoundId& round) {
    const auto status = writer_->commit_status(round);
    log::warn("round.commit_status", {{"round", to_string(round)},
                                      {"status", !status                              ? "unknown"
                                                 : *status == CommitStatus::committed ? "committed"
                                                                                      : "never"}});
    if (status) return status;
    return fail(ErrorCode::outcome_unknown,
                "the connection to the store was lost during the commit: the change may or may not "
                "have been applied; retry with the same Idempotency-Key, or read before you retry");
}

// If the commit is durable, this node holds leases that it does not know of, and no node would run
// those instances while it lives.
void Shard::notify_outcome_unknown() {
    if (!touched_.leased) return;
    for (CommitListener* listener : options_.listeners) listener->outcome_unknown();
}

void Shard::remember() {
    for (const auto& [id, instance, held] : touched_.instances) {
        if (instance && is_open(instance->status))
            active_.put(instance);
        else
            active_.forget(id);
    }
    for (const ConflictRow& conflict : conflicts_) {
        metrics_.conflict(conflict.resolution).Increment();
        log::info("state.conflict", to_json(conflict));
    }
    conflicts_.clear();
}

}  // namespace holdfast
