#include "support/script_state.h"

#include <boost/json.hpp>

#include "store/memory/store.h"

namespace holdfast::testing {

using std::chrono::seconds;

void ScriptState::follow(const Command& command) {
    choices_ = command.choices;
    next_ = 0;
}

void ScriptState::submit(Operation operation) {
    const std::size_t leases = stage_.leases_made();
    stage_.run({operation}, Ordering::strict);
    script_.back().operations.push_back(std::move(operation));
    // A runner learns its lease from a commit: nothing that it sends is in the same round.
    if (stage_.leases_made() != leases) begin_segment();
}

void ScriptState::claim() {
    script_.push_back({stage_.now(), {}, true});
    stage_.claim();
}

void ScriptState::set_now(Moment now) {
    stage_.set_now(now);
    begin_segment();
}

const memory::Tables& ScriptState::tables() {
    return dynamic_cast<memory::MemoryStore&>(stage_.store()).tables();
}

std::uint32_t ScriptState::choose(std::uint32_t n) {
    const std::size_t place = next_++;
    return (choices_[place % choices_.size()] >> (place / choices_.size() % 3 * 9)) % n;
}

// Swaps the ids of each pair of operations: ids need not be in the order of submission.
Cause ScriptState::cause() {
    const std::uint64_t number = ++operations_ ^ 1;
    return {.operation = {make_uuid_v7(Moment{seconds{1'790'000'000}}, 0, number)}};
}

void ScriptState::made(const Cause& cause) {
    if (ids_.size() == most_instances) ids_.erase(ids_.begin() + choose(most_instances));
    ids_.emplace_back(InstanceId{cause.operation.value});
}

InstanceId ScriptState::any_id() {
    std::vector<InstanceId> open;
    for (const InstanceId& id : ids_)
        if (const Instance* found = find(id); found && is_open(found->status)) open.push_back(id);
    return any(open.empty() || choose(6) == 0 ? ids_ : open);
}

const Instance* ScriptState::find(const InstanceId& id) {
    const auto found = tables().instances.find(id);
    return found == tables().instances.end() ? nullptr : &found->second.instance;
}

Document ScriptState::value() { return Document::of(boost::json::object{{"n", choose(5)}}); }

op::Run ScriptState::run_of(const InstanceId& id) {
    const Instance* found = find(id);
    op::Run run = found ? op::Run{found->run, found->index} : op::Run{};
    if (choose(8) == 0 && run.index > 0) --run.index;
    const SignalRow* row = continuation(id);
    if (row && row->leased_by) run.lease = Lease{*row->leased_by, row->epoch};
    return run;
}

const SignalRow* ScriptState::continuation(const InstanceId& id) {
    for (const auto& [signal, row] : tables().queue)
        if (row.instance == id && row.type == SignalType::internal_continue) return &row;
    return nullptr;
}

std::optional<Version> ScriptState::version_of(const InstanceId& id) {
    const Instance* found = find(id);
    if (!found || choose(3) == 0) return std::nullopt;
    return found->version - (choose(4) == 0 && found->version > 1 ? 1 : 0);
}

}  // namespace holdfast::testing
