#include "sim/replay.h"

#include <prometheus/registry.h>

#include <boost/json.hpp>
#include <map>
#include <memory>

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "model/codec/member_reader.h"
#include "operations/operation_codec.h"
#include "round/shard.h"
#include "store/options.h"
#include "support/ordered_operation.h"

namespace holdfast::sim {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_differences = 10;

class SetClock final : public Clock {
public:
    Moment now() const override { return now_; }
    void set(Moment now) { now_ = now; }

private:
    Moment now_;
};

// One operation of a trace with its outcome.
struct Traced {
    Operation operation;
    bj::object outcome;  // {"outcome": ...} or {"error": ...}
};

struct TracedRound {
    Moment now;
    std::string node;
    std::vector<Traced> operations;
};

Result<Traced> read_operation(const bj::value& value) {
    MemberReader reader(value);
    HF_TRY(auto operation, operation_from_json(reader.value("operation")));
    const char* member = reader.has("error") ? "error" : "outcome";
    bj::object outcome{{member, reader.value(member)}};
    return Traced{std::move(operation), std::move(outcome)};
}

Result<TracedRound> read_round(const std::string& line) {
    HF_TRY(const auto value, json::parse(line, {.depth = 1'000, .nodes = 10'000'000}));
    MemberReader reader(value);
    TracedRound round{.now = reader.moment("now"), .node = reader.text("node")};
    const bj::array* operations = reader.value("operations").if_array();
    if (!operations) reader.blame("operations");
    for (const bj::value& one : operations ? *operations : bj::array{}) {
        HF_TRY(auto operation, read_operation(one));
        round.operations.push_back(std::move(operation));
    }
    return reader.give(std::move(round));
}

class Replay {
public:
    Result<void> open() {
        HF_TRY(store_, open_store("memory:", {.clock = &clock_}));
        return {};
    }

    Result<void> run(TracedRound round) {
        HF_TRY(Shard * shard, shard_of(round.node));
        clock_.set(round.now);
        ++report_.rounds;
        std::vector<Traced>& operations = round.operations;
        std::vector<std::optional<Result<AnyOutcome>>> outcomes(operations.size());
        Shard::Group group;
        for (std::size_t i = 0; i < operations.size(); ++i)
            group.push_back(testing::ordered_operation(
                operations[i].operation,
                [&outcomes, i](Result<AnyOutcome> outcome) { outcomes[i] = std::move(outcome); }));
        ErrorCode why{};
        if (!shard->push(group, why)) return fail(why, "the round is too large");
        while (shard->run_round()) {
        }
        for (std::size_t i = 0; i < operations.size(); ++i) judge(operations[i], i, outcomes[i]);
        return {};
    }

    ReplayReport& report() { return report_; }

private:
    // One shard per node of the trace, because rows show which node executed them.
    Result<Shard*> shard_of(const std::string& node) {
        std::unique_ptr<Shard>& shard = shards_[node];
        if (!shard) {
            HF_TRY(auto writer, store_->open_writer());
            shard = std::make_unique<Shard>(std::move(writer), ids_, metrics_,
                                            ShardOptions{.node = node});
        }
        return shard.get();
    }

    void judge(const Traced& traced, std::size_t place,
               const std::optional<Result<AnyOutcome>>& outcome) {
        const std::string before = json::canonical(traced.outcome);
        const std::string now =
            outcome ? json::canonical(testing::outcome_line(*outcome)) : "no answer";
        ++(before == now ? report_.passed : report_.failed);
        if (before == now || report_.differences.size() == most_differences) return;
        report_.differences.push_back("line " + std::to_string(report_.rounds) + ", operation " +
                                      std::to_string(place + 1) + ": " +
                                      json::canonical(to_json(traced.operation)) +
                                      "\n    recorded " + before + "\n    replayed " + now);
    }

    SetClock clock_;
    IdSource ids_{clock_, 1};
    prometheus::Registry registry_;
    CoordinatorMetrics metrics_{registry_};
    std::unique_ptr<Store> store_;
    std::map<std::string, std::unique_ptr<Shard>> shards_;
    ReplayReport report_;
};

}  // namespace

Result<ReplayReport> replay(std::istream& trace) {
    Replay replay;
    HF_CHECK(replay.open());
    std::string line;
    for (std::size_t number = 1; std::getline(trace, line); ++number) {
        auto round = read_round(line);
        if (!round)
            return fail(ErrorCode::invalid_argument,
                        "line " + std::to_string(number) + ": " + round.error().message);
        HF_CHECK(replay.run(*std::move(round)));
    }
    return std::move(replay.report());
}

}  // namespace holdfast::sim
