// An operation on one instance changes nothing of another (I46): every row of instances that have
// no part in a random script is the same after each of its operations.
#include <boost/json.hpp>
#include <random>

#include "base/json/canonical.h"
#include "base/log.h"
#include "model/codec/codec.h"
#include "support/script_stage.h"

namespace holdfast::testing {
namespace {

// Instances in different situations, under names that no script uses.
class Bystanders {
public:
    explicit Bystanders(ScriptStage& stage) : stage_(stage) {
        run(op::Define{.cause = cause(), .key = "bystanders"});
        for (int i = 0; i < 5; ++i) {
            const op::Start start{
                .cause = cause(), .definition = "bystanders", .state = document(R"({"n":1})")};
            ids_.push_back(start.instance());
            run(start);
        }
        const auto at = [&](std::size_t place, Wait wait) {
            run(op::Suspend{.cause = cause(),
                            .instance = ids_[place],
                            .run = {1, 0, {}},
                            .wait = std::move(wait)});
        };
        at(1, {.names = {"aside"}});
        at(2, {.until = stage.now() + std::chrono::days(900)});
        at(3, {.workflows = {ids_[0]}});
        run(op::CreateTask{.cause = cause(),
                           .instance = ids_[0],
                           .run = {1, 0, {}},
                           .step_name = "look",
                           .spec = {.name = "look"}});
        run(op::SendEvent{.cause = cause(),
                          .event = id_source_.next<EventId>(),
                          .event_name = "aside",
                          .target = ids_[4],
                          .value = document("1")});
        run(op::Checkpoint{.cause = cause(), .instance = ids_[4], .checkpoint = "c"});
    }

    // Everything that the store has of them.
    std::string traces() {
        boost::json::array all;
        for (const InstanceId& id : ids_) {
            Store& store = stage_.store();
            const Instance instance = (*store.ask(FindInstance{id, Depth::whole}))->instance;
            boost::json::object traces{{"instance", to_json(instance)}, {"rev", instance.rev}};
            traces["updated"] = to_iso8601(instance.updated_at);
            boost::json::array rows;
            const auto history = *store.ask(HistoryQuery{id, 1, 100});
            for (const HistoryRow& row : history.items) rows.push_back(to_json(row));
            const auto journal = *store.journal_from(id, 0, 100);
            for (const auto& entry : journal) rows.emplace_back(entry.step.value.text());
            const auto pending = *store.ask(PendingEventQuery{{.target = id}});
            for (const Event& event : pending.items) rows.emplace_back(to_string(event.id));
            const auto tasks = *store.ask(TaskQuery{.instance = id});
            for (const HumanTask& task : tasks.items)
                rows.push_back({to_string(task.id), task.version, name_of(task.state)});
            const auto checkpoints = *store.ask(CheckpointQuery{.instance = id});
            for (const Checkpoint& checkpoint : checkpoints.items)
                rows.push_back({checkpoint.name, checkpoint.version});
            traces["rows"] = std::move(rows);
            all.push_back(std::move(traces));
        }
        return json::canonical(all);
    }

private:
    Cause cause() { return {.operation = id_source_.next<OperationId>()}; }
    void run(Operation operation) { stage_.run({std::move(operation)}, Ordering::strict); }

    struct LaterClock final : Clock {
        Moment now() const override { return Moment{std::chrono::seconds{1'900'000'000}}; }
    };
    ScriptStage& stage_;
    LaterClock clock_;
    IdSource id_source_{clock_, 77};
    std::vector<InstanceId> ids_;
};

std::vector<Command> drawn_commands(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<Command> commands(40);
    for (Command& command : commands) {
        command.kind = random() % command_kinds;
        for (auto& choice : command.choices) choice = random() % (1U << 27);
    }
    return commands;
}

class BystandersOn : public ::testing::TestWithParam<const char*> {};

TEST_P(BystandersOn, AreTheSameAfterEveryOperationOfOthers) {
    log::set_level(log::Level::off);
    const std::uint32_t runs = std::string_view(GetParam()) == "postgres" ? 4 : 12;
    std::size_t operations = 0;
    for (std::uint32_t seed = 1; seed <= runs; ++seed) {
        const Script script = make_script(drawn_commands(seed));
        ScriptStage stage(GetParam());
        Bystanders bystanders(stage);
        const std::string before = bystanders.traces();
        for (const Segment& segment : script) {
            stage.set_now(std::max(stage.now(), segment.now));
            for (const Operation& operation : segment.operations) {
                stage.run({operation}, Ordering::strict);
                ++operations;
                ASSERT_EQ(bystanders.traces(), before)
                    << "seed " << seed << ", after " << boost::json::serialize(to_json(operation));
            }
        }
    }
    EXPECT_GT(operations, runs * 20);
    log::set_level(log::Level::info);
}

INSTANTIATE_TEST_SUITE_P(Stores, BystandersOn, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
