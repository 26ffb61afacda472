// A World for tests of flows: the engine on a memory store, with a clock that only the test
// advances, and no threads. A flow of thirty days takes milliseconds.
//
//     holdfast::testing::World world;
//     world.add("checkout", checkout);
//     const std::string id = world.start("checkout", order);
//     world.advance(15min);
//     EXPECT_EQ(world.result<Receipt>(id).status, "expired");
#pragma once

#include <memory>

#include "holdfast/workflows.h"

namespace holdfast::testing {
inline namespace flows {

class World final : public Workflows {
public:
    World();
    ~World() override;

    Moment now() const;
    // Runs everything that can run without advancing the clock.
    void run_until_idle();
    // Advances the clock, from one timer to the next.
    void advance(std::chrono::microseconds time);
    // Advances the clock until no timer is left, by at most `at_most`.
    void run(std::chrono::microseconds at_most = std::chrono::days(3'650));
    // Drops every flow from memory, like a process restart; they replay.
    void restart();

    Schedules& schedules() override;
    bool cancel_event(const std::string& event) override;
    std::size_t cancel_timers(const std::string& id) override;
    bool cancel(const std::string& id, const std::string& reason = {}) override;
    std::string status(const std::string& id) override;
    std::vector<HistoryEntry> history(const std::string& id) override;
    std::vector<OpenTask> open_tasks(const std::string& id) override;
    void complete_task(const std::string& task, const Actor& actor, const Json& outputs) override;
    void fail_task(const std::string& task, const Actor& actor, const Json& error) override;
    std::vector<Divergence> check() override;

protected:
    void add_code(flow::Code code) override;
    std::string start_flow(const std::string& flow, const Json& arguments,
                           const StartOptions& options) override;
    // Throws Misuse if the workflow has not ended, because a World does not run while a test waits.
    Json wait_for_result(const std::string& id) override;
    Sent send_event(const std::string* id, const std::string& event, const Json& value) override;
    std::string schedule_event(const std::string* id, const When& when, const std::string& event,
                               const Json& value) override;
    Json read_state(const std::string& id) override;
    std::string flow_of(const std::string& id) override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace flows
}  // namespace holdfast::testing
