#include "round/coordinator.h"

namespace holdfast {
namespace {

constexpr std::size_t checker_threads = 2;
constexpr std::size_t checker_queue = 256;

}  // namespace

Result<std::unique_ptr<Coordinator>> Coordinator::open_driven(
    Rounds& store, IdSource& ids, CoordinatorMetrics& metrics, ShardOptions options,
    std::function<void(std::size_t)> wake) {
    std::unique_ptr<Coordinator> coordinator(new Coordinator);
    options.listeners.push_back(&coordinator->watchers_);
    coordinator->wake_ = std::move(wake);
    for (std::size_t i = 0; i < store.writer_count(); ++i) {
        auto writer = store.open_writer();
        if (!writer) return std::unexpected(writer.error());
        coordinator->shards_.push_back(
            std::make_unique<Shard>(*std::move(writer), ids, metrics, options));
        coordinator->shards_.back()->set_waker([all = coordinator.get(), i] { all->wake_(i); });
    }
    return coordinator;
}

Result<std::unique_ptr<Coordinator>> Coordinator::open(Rounds& store, IdSource& ids,
                                                       CoordinatorMetrics& metrics,
                                                       ShardOptions options) {
    const bool elsewhere = bool(options.outside);
    HF_TRY(auto coordinator, open_driven(store, ids, metrics, std::move(options), {}));
    coordinator->checkers_.emplace("check", checker_threads, checker_queue, Priority::background);
    const auto outside = [all = coordinator.get()](WorkerPool::WorkItem work) {
        auto in_turn = all->long_work_.in_turn(std::move(work));
        return all->checkers_->post(in_turn);
    };
    if (!elsewhere)
        for (auto& shard : coordinator->shards_) {
            shard->set_outside(outside);
            shard->set_dispose([&pool = *coordinator->checkers_](WorkerPool::WorkItem work) {
                return pool.post(work);
            });
        }
    for (std::size_t i = 0; i < coordinator->shards_.size(); ++i)
        coordinator->threads_.push_back(
            std::make_unique<ShardThread>(std::to_string(i), *coordinator->shards_[i]));
    coordinator->wake_ = [all = coordinator.get()](std::size_t i) { all->threads_[i]->wake(); };
    return coordinator;
}

Coordinator::~Coordinator() { shutdown(); }

void Coordinator::submit_batch(Shard::Group operations) {
    std::vector<Shard::Group> groups(shards_.size());
    for (auto& operation : operations)
        groups[shard_of(operation->order())].push_back(std::move(operation));
    for (std::size_t shard = 0; shard < groups.size(); ++shard)
        if (!groups[shard].empty()) push(shard, std::move(groups[shard]));
}

std::shared_ptr<const Instance> Coordinator::get_active(const InstanceId& id) const {
    return shards_[shard_of(shard_hash(id))]->active(id);
}

void Coordinator::changed_elsewhere(const std::vector<InstanceId>& ids) {
    for (const InstanceId& id : ids) shards_[shard_of(shard_hash(id))]->forget_active(id);
    watchers_.notify(ids);
}

void Coordinator::anything_changed() {
    for (const auto& shard : shards_) shard->forget_active();
    watchers_.notify_all();
}

std::optional<Error> Coordinator::write_failure() const {
    for (const auto& shard : shards_)
        if (auto failure = shard->write_failure()) return failure;
    return std::nullopt;
}

void Coordinator::forget_write_failure() {
    for (auto& shard : shards_) shard->set_write_failure(std::nullopt);
}

void Coordinator::shutdown() {
    for (auto& shard : shards_) shard->close();
    for (auto& thread : threads_) thread->drain();
    if (checkers_) checkers_->shutdown();  // they wake the threads
}

bool Coordinator::compute(std::move_only_function<void()> work) {
    if (checkers_) return checkers_->post(work);
    work();
    return true;
}

void Coordinator::push(std::size_t shard, Shard::Group group) {
    ErrorCode why;
    if (shards_[shard]->push(group, why)) return wake_(shard);
    const Error error{why,
                      why == ErrorCode::overloaded
                          ? "too many operations are waiting; try again shortly"
                          : "the server is shutting down; retry on another node",
                      {}};
    for (auto& operation : group) operation->answer_failure(error);
}

}  // namespace holdfast
