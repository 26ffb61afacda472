#include "edits.h"

#include <deque>

#include "measures/processor_time.h"
#include "measures/thread_times.h"
#include "report.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Passes answers from the shard's thread to the driver, which sends the next edits.
class Answers {
public:
    void put(std::size_t writer) {
        {
            const std::lock_guard lock(mutex_);
            ready_.push_back(writer);
        }
        wake_.notify_one();
    }
    std::deque<std::size_t> take() {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return !ready_.empty(); });
        return std::exchange(ready_, {});
    }

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::size_t> ready_;
};

class Driver {
public:
    Driver(testing::World& world, std::vector<Instance>& instances, std::size_t writers)
        : world_(world), instances_(instances), sent_(writers) {}

    void send(std::size_t writer) {
        Instance& instance = instances_[writer];
        sent_[writer] = Clock::now();
        world_.coordinator->submit(
            op::EditState{.cause = world_.cause(),
                          .instance = instance.id,
                          .expected = instance.version,
                          .edit = op::Replace{.state = edited_state(writer, instance.version)}},
            [this, writer](Result<op::EditState::Outcome> outcome) {
                if (!outcome || !std::holds_alternative<op::Edited>(*outcome)) std::abort();
                instances_[writer].version = std::get<op::Edited>(*outcome).version;
                answers_.put(writer);
            });
    }

    // Sends the next edit for each answer until `end`, then waits for the rest.
    void loop(Clock::time_point end) {
        std::size_t outstanding = sent_.size();
        while (outstanding > 0)
            for (const std::size_t writer : answers_.take()) {
                latencies.push_back(
                    std::chrono::duration<double, std::milli>(Clock::now() - sent_[writer])
                        .count());
                if (Clock::now() < end)
                    send(writer);
                else
                    --outstanding;
            }
    }

    std::vector<double> latencies;

private:
    testing::World& world_;
    std::vector<Instance>& instances_;
    std::vector<Clock::time_point> sent_;
    Answers answers_;
};

// Processor time since then.
class Spent {
public:
    explicit Spent(const std::string& store) : store_(store) {}

    void add_to(EditRates& rates, double edits) const {
        const double own = own_processor_seconds() - own_;
        const double database = store_ == "postgres" ? processor_seconds() - all_ - own : 0;
        const double us = 1e6 / edits;
        rates.cpu_us = (own + database) * us;
        rates.thread_us["driver"] = (own_thread_seconds() - driver_) * us;
        if (database > 0) rates.thread_us["database"] = database * us;
        for (const auto& [thread, seconds] : thread_seconds())
            if (const auto before = threads_.find(thread); before != threads_.end())
                rates.thread_us[thread] = (seconds - before->second) * us;
    }

private:
    const std::string& store_;
    const double all_ = processor_seconds();
    const double own_ = own_processor_seconds();
    const double driver_ = own_thread_seconds();
    const std::map<std::string, double> threads_ = thread_seconds();
};

}  // namespace

Document edited_state(std::size_t instance, std::uint64_t n) {
    return Document::of(boost::json::object{
        {"agentContext",
         boost::json::object{{"currentAgent", "agent-" + std::to_string(instance % 7)}}},
        {"currentStep", "step-" + std::to_string(instance % 5)},
        {"n", n},
        {"note", std::string(150, 'x')},
        {"total", static_cast<double>(n) + 0.25},
        {"variables", boost::json::object{{"projectName", "MyApp"}, {"targetPlatform", "web"}}}});
}

std::vector<Instance> start_instances(testing::World& world) {
    world.define("bench", "", {"currentStep", "agentContext.currentAgent"});
    (void)world.store->build_indexes({});
    std::vector<Instance> instances;
    for (std::size_t i = 0; i < instance_count; ++i)
        instances.push_back(world.start("bench", edited_state(i, 0).text()));
    return instances;
}

EditRates run_edits(testing::World& world, std::vector<Instance>& instances, std::size_t writers,
                    std::chrono::milliseconds time) {
    Driver driver(world, instances, writers);
    const double commits_before = world.metrics.commits.Value();
    const Spent spent(world.place.kind());
    const auto began = Clock::now();
    for (std::size_t writer = 0; writer < writers; ++writer) driver.send(writer);
    driver.loop(began + time);
    const std::chrono::duration<double> took = Clock::now() - began;
    const auto edits = static_cast<double>(driver.latencies.size());
    EditRates rates;
    spent.add_to(rates, edits);
    rates.edits_per_second = edits / took.count();
    rates.operations_per_commit = edits / (world.metrics.commits.Value() - commits_before);
    rates.p50_ms = percentile(driver.latencies, 0.50);
    rates.p99_ms = percentile(driver.latencies, 0.99);
    return rates;
}

}  // namespace holdfast::bench
