#include "support/script_stage.h"

#include <unistd.h>

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/job.h"
#include "store/memory/store.h"
#include "support/tally/tally.h"

namespace holdfast::testing {
namespace {

// The store uses PostgreSQL's clock: functions with the same names, earlier in the search path,
// replace it.
void stop_clock(const StorePlace& place) {
    place.execute("create table test_clock (now timestamptz not null)");
    place.execute("insert into test_clock values (pg_catalog.now())");
    for (const char* name : {"clock_timestamp() returns timestamptz language sql volatile",
                             "now() returns timestamptz language sql stable"})
        place.execute(std::string("create function public.") + name +
                      " as 'select now from public.test_clock'");
    place.execute(
        "do $$ begin execute format('alter database %I set search_path = public, pg_catalog', "
        "current_database()); end $$");
}

// The data need not survive a crash, and a script commits often.
std::string fast_directory() {
    const std::string shared_memory = "/dev/shm";
    return access(shared_memory.c_str(), W_OK) == 0 ? shared_memory : "";
}

}  // namespace

ScriptStage::ScriptStage(const std::string& kind) : place_(kind, fast_directory()) {
    register_tally();
    if (kind == "postgres") stop_clock(place_);
    auto store = open_store(place_.url(), {.clock = &clock_, .writers = 1, .readers = 1});
    if (!store) throw std::runtime_error(store.error().message);
    store_ = *std::move(store);
    node_ = {make_uuid_v7(clock_.now_, 0, 77)};
    if (auto joined = store_->join({node_, "stage", std::chrono::days(10'000)}); !joined)
        throw std::runtime_error(joined.error().message);
    ShardOptions options;
    options.self = [node = node_] { return Self{.node = node, .programs = {flow}}; };
    shard_ = std::make_unique<Shard>(*store_->open_writer(), ids_, metrics_, std::move(options));
    set_now(now());
}

void ScriptStage::set_now(Moment now) {
    clock_.now_ = now;
    if (place_.kind() == "postgres")
        place_.execute("update test_clock set now = '" + to_iso8601(now) + "'");
}

void ScriptStage::claim() {
    const auto claimed =
        store_->claim({.node = node_, .programs = {flow, program_of_jobs(jobs)}, .limit = 5});
    if (!claimed) throw std::runtime_error(claimed.error().message);
}

std::size_t ScriptStage::leases_made() {
    std::size_t sum = 0;
    for (const auto& [instance, signal] :
         dynamic_cast<memory::MemoryStore&>(*store_).tables().continuations)
        sum += std::hash<SignalId>{}(signal);
    return sum;
}

void ScriptStage::run(const std::vector<Operation>& operations, Ordering ordering) {
    Shard::Group group;
    for (const Operation& operation : operations) {
        const std::size_t place = played_.outcomes.size();
        played_.outcomes.emplace_back("no answer");
        const auto done = [this, place](const Result<AnyOutcome>& outcome) {
            played_.outcomes[place] = json::canonical(outcome_line(outcome));
            played_.decided.push_back(place);
        };
        group.push_back(ordering == Ordering::strict ? ordered_operation(operation, done)
                                                     : plain_operation(operation, done));
        const Cause& cause =
            std::visit([](const auto& op) -> const Cause& { return op.cause; }, operation);
        instances_.insert(InstanceId{cause.operation.value});
    }
    ErrorCode why{};
    if (!shard_->push(group, why)) throw std::runtime_error("the queue is full");
    while (shard_->run_round()) ++played_.rounds;
}

Played ScriptStage::finish() {
    shard_.reset();
    played_.dump = dump(std::move(store_), place_, {instances_.begin(), instances_.end()});
    return std::move(played_);
}

Played play(const std::string& kind, const Script& script, const std::vector<std::size_t>& sizes,
            Ordering ordering) {
    ScriptStage stage(kind);
    std::size_t turn = 0;
    for (const Segment& segment : script) {
        stage.set_now(segment.now);
        if (segment.claims) stage.claim();
        auto next = segment.operations.begin();
        while (next != segment.operations.end()) {
            const auto left = static_cast<std::size_t>(segment.operations.end() - next);
            const auto end =
                next + static_cast<std::ptrdiff_t>(std::min(left, sizes[turn++ % sizes.size()]));
            stage.run({next, end}, ordering);
            next = end;
        }
    }
    return stage.finish();
}

bool leases_within_segments(const Script& script) {
    ScriptStage stage("memory");
    for (const Segment& segment : script) {
        stage.set_now(segment.now);
        if (segment.claims) stage.claim();
        const std::size_t leases = stage.leases_made();
        for (const Operation& operation : segment.operations) {
            if (stage.leases_made() != leases) return true;
            stage.run({operation}, Ordering::strict);
        }
    }
    return false;
}

Script reordered(const Script& script, const std::vector<std::size_t>& order) {
    std::vector<Operation> all;
    for (const Segment& segment : script)
        all.insert(all.end(), segment.operations.begin(), segment.operations.end());
    Script result = script;
    std::size_t place = 0;
    for (Segment& segment : result)
        for (Operation& operation : segment.operations) operation = all[order[place++]];
    return result;
}

}  // namespace holdfast::testing
