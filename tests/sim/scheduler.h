// Runs fibers one at a time, in an order that a seed decides, on a clock that moves only when
// nothing else can. The fibers of a node can be killed wherever they wait.
#pragma once

#include <boost/context/fiber.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "base/time/clock.h"
#include "sim/random.h"
#include "sim/stack_switch.h"

namespace holdfast::sim {

class VirtualClock final : public Clock {
public:
    Moment now() const override { return now_; }
    void advance_to(Moment moment) { now_ = std::max(now_, moment); }
    void advance(std::chrono::microseconds time) { now_ += time; }

private:
    Moment now_{std::chrono::sys_days{std::chrono::year{2030} / 1 / 1}};
};

// Thrown inside the fibers of a node that crashes.
struct Crashed {};

using NodeNumber = std::size_t;
constexpr NodeNumber server = ~NodeNumber{0};  // the database itself: never killed

class Scheduler {
public:
    Scheduler(Random& random, VirtualClock& clock) : random_(random), clock_(clock) {}
    ~Scheduler() { kill_all(); }

    // Starts a fiber of a node; its body returns or is ended by Crashed.
    void spawn(NodeNumber node, std::function<void()> body);
    // Ends all fibers of a node: at once if they wait, else at their next wait.
    void kill(NodeNumber node);
    // Ends every fiber, before what they use goes.
    void kill_all();
    // Stops scheduling a node for a while; its locks stay, its timers pass.
    void freeze(NodeNumber node, Moment until);

    // Inside a fiber: lets others run until `ready`. With `until`, no longer than that.
    void wait(std::function<bool()> ready, std::optional<Moment> until = std::nullopt);
    void yield() {
        wait([] { return true; });
    }
    void sleep(std::chrono::microseconds time) {
        wait([] { return false; }, clock_.now() + time);
    }
    bool in_fiber() const { return current_ != nullptr; }
    NodeNumber current_node() const { return current_->node; }

    // Runs one fiber for one step; moves the clock if all sleep, not beyond `horizon`. False:
    // nothing can run before that.
    bool step(Moment horizon);
    std::size_t steps() const { return steps_; }

private:
    struct Fiber {
        NodeNumber node;
        boost::context::fiber context;
        boost::context::fiber caller;
        Stack stack;
        Stack outer;  // of the caller
        std::function<bool()> ready;
        std::optional<Moment> until;
        bool killed = false;
        bool done = false;
    };

    bool can_run(const Fiber& fiber) const;
    void resume(Fiber& fiber);
    void erase_done();
    std::optional<Moment> next_wake() const;

    Random& random_;
    VirtualClock& clock_;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<std::pair<NodeNumber, Moment>> frozen_;
    std::vector<Fiber*> runnable_;
    Fiber* current_ = nullptr;
    std::size_t steps_ = 0;
};

}  // namespace holdfast::sim
