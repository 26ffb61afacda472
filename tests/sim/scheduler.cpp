#include "sim/scheduler.h"

#include <algorithm>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/preallocated.hpp>

namespace holdfast::sim {

namespace {

constexpr std::size_t stack_size = 256 * 1024;

}  // namespace

void Scheduler::kill_all() {
    for (auto& fiber : fibers_) fiber->killed = true;
    for (auto& fiber : fibers_)
        while (!fiber->done) resume(*fiber);
}

void Scheduler::spawn(NodeNumber node, std::function<void()> body) {
    auto fiber = std::make_unique<Fiber>();
    Fiber* self = fiber.get();
    self->node = node;
    self->ready = [] { return true; };
    boost::context::fixedsize_stack stacks(stack_size);
    const boost::context::stack_context stack = stacks.allocate();
    self->stack = {static_cast<const char*>(stack.sp) - stack.size, stack.size};
    self->context = boost::context::fiber(
        std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), stacks,
        [self, body = std::move(body)](boost::context::fiber&& caller) {
            arrive(nullptr, &self->outer);
            self->caller = std::move(caller);
            try {
                if (!self->killed) body();
            } catch (const Crashed&) {
            }
            self->done = true;
            leave_for(self->outer, nullptr);
            return std::move(self->caller);
        });
    fibers_.push_back(std::move(fiber));
}

void Scheduler::kill(NodeNumber node) {
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
        Fiber& fiber = *fibers_[i];
        if (fiber.node != node || fiber.done) continue;
        fiber.killed = true;
        if (&fiber == current_) continue;  // it throws by itself
        Fiber* const outer = current_;
        while (!fiber.done) resume(fiber);
        current_ = outer;
    }
}

void Scheduler::freeze(NodeNumber node, Moment until) { frozen_.emplace_back(node, until); }

void Scheduler::wait(std::function<bool()> ready, std::optional<Moment> until) {
    Fiber& self = *current_;
    self.ready = std::move(ready);
    self.until = until;
    void* kept = nullptr;
    leave_for(self.outer, &kept);
    self.caller = std::move(self.caller).resume();
    arrive(kept, &self.outer);
    if (self.killed) throw Crashed{};
}

bool Scheduler::can_run(const Fiber& fiber) const {
    const Moment now = clock_.now();
    for (const auto& [node, until] : frozen_)
        if (node == fiber.node && now < until) return false;
    return (fiber.until && *fiber.until <= now) || fiber.ready();
}

void Scheduler::resume(Fiber& fiber) {
    Fiber* const outer = current_;
    current_ = &fiber;
    void* kept = nullptr;
    leave_for(fiber.stack, &kept);
    fiber.context = std::move(fiber.context).resume();
    arrive(kept, nullptr);
    current_ = outer;
}

void Scheduler::erase_done() {
    std::erase_if(fibers_, [](const auto& fiber) { return fiber->done; });
}

std::optional<Moment> Scheduler::next_wake() const {
    std::optional<Moment> earliest;
    const auto consider = [&](Moment moment) {
        if (moment > clock_.now() && (!earliest || moment < *earliest)) earliest = moment;
    };
    for (const auto& fiber : fibers_)
        if (fiber->until) consider(*fiber->until);
    for (const auto& [node, until] : frozen_) consider(until);
    return earliest;
}

bool Scheduler::step(Moment horizon) {
    for (;;) {
        std::erase_if(frozen_, [&](const auto& one) { return one.second <= clock_.now(); });
        runnable_.clear();
        for (const auto& fiber : fibers_)
            if (can_run(*fiber)) runnable_.push_back(fiber.get());
        if (!runnable_.empty()) break;
        const auto wake = next_wake();
        if (!wake || *wake > horizon) return false;
        clock_.advance_to(*wake);
    }
    ++steps_;
    resume(*random_.pick(runnable_));
    erase_done();
    return true;
}

}  // namespace holdfast::sim
