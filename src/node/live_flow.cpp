#include "node/live_flow.h"

#include <algorithm>

#include "base/log.h"
#include "base/threads/pause.h"
#include "flow/failure.h"
#include "node/journal_reader.h"
#include "program/traits.h"

namespace holdfast {
namespace {

bool is_runnable(const Instance& instance) {
    return traits_of(instance).needs_lease && !instance.quarantined &&
           instance.status == Status::running;
}

}  // namespace

bool LiveFlow::put(Input input) {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(input));
    return !std::exchange(active_, true);
}

void LiveFlow::post(Input input) {
    if (!put(std::move(input))) return;
    runner_.parts().post([self = shared_from_this()] { self->process_inbox(); });
}

void LiveFlow::process_inbox() {
    for (;;) {
        std::vector<Input> inputs;
        {
            const std::lock_guard lock(mutex_);
            if (inbox_.empty()) {
                active_ = false;
                return;
            }
            inputs.swap(inbox_);
        }
        for (Input& input : inputs) input();
        dispatch();
    }
}

void LiveFlow::begin(Work work, SignalHandler::Done done) {
    const bool idle = put([this, next = Assignment{std::move(work), std::move(done)}]() mutable {
        if (std::holds_alternative<Abandoned>(life_))
            return next.done(fail(ErrorCode::conflict, "a step of this workflow hangs"));
        if (std::holds_alternative<Idle>(life_)) return accept(std::move(next));
        advance_to(Closing{std::move(next)});
    });
    if (idle) process_inbox();
}

void LiveFlow::accept(Assignment assignment) { life_ = Leased{.held = std::move(assignment)}; }

void LiveFlow::drop_lease(const NodeId& life) {
    post([this, life] {
        if (std::holds_alternative<Leased>(life_) && work().lease.node == life) close();
    });
}

void LiveFlow::advance_to(Phase phase) {
    auto* lease = std::get_if<Leased>(&life_);
    if (lease && phase.index() >= lease->phase.index()) lease->phase = std::move(phase);
}

void LiveFlow::close() {
    if (!is_in<Closing>()) advance_to(Closing{});
}

bool LiveFlow::is_quiet() const {
    return in_flight_ == 0 && !(execution_ && execution_->is_busy());
}

void LiveFlow::dispatch() {
    if (!std::holds_alternative<Leased>(life_)) return;
    if (execution_ && execution_->has_failed_assumption() && !is_in<Closing>()) {
        if (is_quiet()) restart();
        return;
    }
    // Whoever changes the phase uses nothing of the old one afterwards.
    std::visit([this](const auto& phase) { proceed(phase); }, leased().phase);
}

void LiveFlow::proceed(const Accepted&) {
    if (is_quiet()) load();
}

void LiveFlow::proceed(const Running&) { run_commands(); }

// The store may be unavailable only briefly: submits again what was not accepted, without running
// any step again.
void LiveFlow::proceed(const StoreFailed& failed) {
    if (in_flight_ > 0) return;
    const bool hopeless = failed.error.code == ErrorCode::shutting_down;
    const std::size_t retries = ++leased().retries;
    if (!hopeless && retries <= runner_.options().store_retries)
        pause(std::chrono::milliseconds(50) * (1 << retries));
    else if (!execution_->is_busy())
        finish(std::unexpected(failed.error));
}

void LiveFlow::proceed(const Continued&) {
    if (is_quiet()) load();
}

void LiveFlow::proceed(const Asleep&) {
    if (is_quiet()) go_idle();
}

void LiveFlow::proceed(const Overtaken&) {
    if (is_quiet()) check_for_cancellation();
}

void LiveFlow::proceed(const CallRefused&) {
    if (in_flight_ == 0) resume();
}

void LiveFlow::proceed(const Closing&) {
    if (is_quiet()) finish({});
}

// The work often carries the instance and its new journal entries, which saves the queries.
void LiveFlow::load() {
    leased().phase = Reading{};
    if (execution_ && execution_->assumed())
        execution_.reset();  // the outcome of its record is unknown
    auto instance = std::exchange(leased().held.work.instance_row, nullptr);
    if (!instance) {
        auto found = runner_.parts().store.ask(FindInstance{id_, Depth::row});
        if (!found) return finish(std::unexpected(found.error()));
        if (!*found) return finish({});
        instance = std::make_shared<const Instance>(std::move((*found)->instance));
    }
    if (!is_runnable(*instance)) return finish({});
    prepare(*instance);
    for (const JournalEntry& entry : work().journal)
        if (entry.step.index == execution_->next()) execution_->feed(entry);
    read_journal(std::move(instance));
}

void LiveFlow::prepare(const Instance& instance) {
    tenant_ = instance.tenant;
    if (execution_ && execution_->identity().run != instance.run) execution_.reset();
    if (execution_) return;
    execution_ = std::make_unique<flow::Execution>(
        code_, flow::Identity{id_, instance.run}, [this](std::string_view text) {
            log::info("flow.log",
                      {{"flow", code_.name}, {"workflow", to_string(id_)}, {"text", text}});
        });
}

void LiveFlow::renew(const Instance& instance) {
    flow::Renewal renewal{.lost = work().attempts > 0 ? work().attempts - 1 : 0};
    if (const auto& retry = instance.program.retry) {
        renewal.index = retry->index;
        for (const Retry::Attempt& attempt : retry->attempts)
            renewal.failed.push_back(flow::attempt_from_json(attempt.error.value()));
    }
    execution_->renew(std::move(renewal));
}

void LiveFlow::read_journal(std::shared_ptr<const Instance> instance) {
    if (execution_->next() >= instance->index) {
        renew(*instance);
        leased().phase = Running{};
        return run_commands();
    }
    const JournalPart part{id_, execution_->next(), journal_page};
    if (!runner_.parts().journals)
        return take_journal(std::move(instance), runner_.parts().store.journal_from(
                                                     part.instance, part.from, part.limit));
    ++in_flight_;
    runner_.parts().journals->read(
        part, [self = shared_from_this(),
               instance = std::move(instance)](Result<std::vector<JournalEntry>> entries) mutable {
            self->post([flow = self.get(), instance = std::move(instance),
                        entries = std::move(entries)]() mutable {
                --flow->in_flight_;
                flow->take_journal(std::move(instance), entries);
            });
        });
}

void LiveFlow::take_journal(std::shared_ptr<const Instance> instance,
                            const Result<std::vector<JournalEntry>>& entries) {
    if (!is_in<Reading>()) return;
    if (!entries) return finish(std::unexpected(entries.error()));
    if (entries->empty())
        return finish(fail(ErrorCode::corrupt, "the workflow's journal has a gap"));
    for (const JournalEntry& entry : *entries) execution_->feed(entry);
    read_journal(std::move(instance));
}

void LiveFlow::run_commands() {
    for (;;) {
        std::vector<flow::Command> commands = execution_->advance();
        if (commands.empty()) return;
        std::vector<flow::RunStep> steps;
        for (flow::Command& command : commands) {
            std::visit([&](auto& one) { perform(one); }, command);
            if (auto* step = std::get_if<flow::RunStep>(&command))
                steps.push_back(std::move(*step));
        }
        if (!steps.empty()) run_steps(std::move(steps));
        if (!is_in<Running>() || execution_->has_diverged()) return;
    }
}

// A single step runs on this thread, because the flow only waits for it. Several run concurrently.
void LiveFlow::run_steps(std::vector<flow::RunStep> steps) {
    if (steps.size() == 1) {
        std::optional<flow::StepEnd> end = run_watched(steps[0], Place::inbox_worker);
        if (!end) return;
        if (runner_.assumes_) end->at = runner_.parts().clock.now();
        execution_->end_step(steps[0].index, *std::move(end));
        return;
    }
    for (flow::RunStep& step : steps)
        runner_.parts().post([self = shared_from_this(), step = std::move(step)]() mutable {
            std::optional<flow::StepEnd> end = self->run_watched(step, Place::other_worker);
            if (!end) return;
            self->post([flow = self.get(), index = step.index, end = *std::move(end)]() mutable {
                if (!std::holds_alternative<Abandoned>(flow->life_))
                    flow->execution_->end_step(index, std::move(end));
            });
        });
}

std::optional<flow::StepEnd> LiveFlow::run_watched(flow::RunStep& step, Place place) {
    {
        const std::lock_guard lock(mutex_);
        running_.push_back({.index = step.index,
                            .began = Deadlines::Steady::now(),
                            .timeout = step.options.timeout,
                            .place = place});
    }
    flow::StepEnd end = run(step);
    {
        const std::lock_guard lock(mutex_);
        if (std::erase_if(running_, [&](const auto& one) { return one.index == step.index; }) > 0)
            return end;
    }
    log::warn("step.returned_late", {{"flow", code_.name},
                                     {"workflow", to_string(id_)},
                                     {"index", step.index},
                                     {"next", "its result is ignored"}});
    if (runner_.parts().stuck_step_returned) runner_.parts().stuck_step_returned();
    if (place == Place::inbox_worker) given_up_.wait(false);
    return std::nullopt;
}

void LiveFlow::give_up_hung(std::chrono::microseconds limit) {
    const auto now = Deadlines::Steady::now();
    std::vector<RunningStep> hung;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(running_, [&](const RunningStep& step) {
            const bool hangs = now - step.began > std::max(limit, 2 * step.timeout);
            if (hangs) hung.push_back(step);
            return hangs;
        });
    }
    for (const RunningStep& step : hung) give_up(step);
}

void LiveFlow::give_up(const RunningStep& step) {
    const auto time =
        std::chrono::duration_cast<std::chrono::seconds>(Deadlines::Steady::now() - step.began);
    log::error("step.hangs", {{"flow", code_.name},
                              {"workflow", to_string(id_)},
                              {"index", step.index},
                              {"seconds", time.count()},
                              {"next",
                               "the workflow is attempted again; the thread is lost until "
                               "the step returns"}});
    if (runner_.parts().step_stuck) runner_.parts().step_stuck();
    // The thread that processes the inbox is inside the step and touches nothing before it sees
    // that the step was taken off the list.
    if (step.place == Place::other_worker) return post([this] { abandon(); });
    abandon();
    given_up_ = true;
    given_up_.notify_all();
}

void LiveFlow::abandon() {
    Life before = std::exchange(life_, Abandoned{});
    auto* lease = std::get_if<Leased>(&before);
    if (!lease) return;
    runner_.remove(*this);
    lease->held.done(fail(ErrorCode::unavailable, "a step does not return"));
    if (auto* closing = std::get_if<Closing>(&lease->phase); closing && closing->next)
        closing->next->done(fail(ErrorCode::conflict, "a step of this workflow hangs"));
}

flow::StepEnd LiveFlow::run(flow::RunStep& step) {
    const bool timed = step.options.timeout.count() > 0 && runner_.parts().deadlines;
    const auto deadline = Deadlines::Steady::now() + step.options.timeout;
    if (timed) {
        std::stop_source source;
        step.attempt.stop = source.get_token();
        runner_.parts().deadlines->at(deadline, std::move(source));
    }
    flow::StepEnd end;
    try {
        end.value = (*step.function)(step.attempt);
    } catch (...) {
        end = flow::describe_step_error(std::current_exception(), step.options);
    }
    if (timed && Deadlines::Steady::now() >= deadline) {
        end.value.reset();
        end.error = {"TimedOut", "the step exceeded its timeout"};
        end.retryable = true;
    }
    return end;
}

void LiveFlow::pause(std::chrono::milliseconds time) {
    leased().phase = Pausing{};
    ++in_flight_;
    runner_.parts().post([self = shared_from_this(), time] {
        pause_for(time);
        self->post([flow = self.get()] {
            --flow->in_flight_;
            if (flow->is_in<Pausing>()) flow->resume();
        });
    });
}

// Issues again what is not in the journal.
void LiveFlow::resume() {
    leased().phase = Running{};
    execution_->renew({});
    run_commands();
}

// Either the workflow was cancelled at its current index, or another node runs it now.
void LiveFlow::check_for_cancellation() {
    const auto& assumed = execution_->assumed();
    const std::uint64_t index = assumed ? assumed->run.index : execution_->next();
    const auto entry = runner_.parts().store.ask(FindJournalEntry{id_, index});
    if (!entry) return finish(std::unexpected(entry.error()));
    const bool cancelled =
        *entry && (*entry)->step.name == cancelled_step && !(*entry)->step.input_hash;
    if (!cancelled) return finish(fail(ErrorCode::conflict, "another node runs this workflow"));
    execution_->feed(**entry);
    if (execution_->has_failed_assumption()) return restart();
    resume();
}

void LiveFlow::restart() {
    execution_.reset();
    if (is_in<Asleep>()) return go_idle();
    load();
}

void LiveFlow::go_idle() {
    SignalHandler::Done done = std::move(leased().held.done);
    life_ = Idle{};
    runner_.set_waiting(id_);
    done({});
}

void LiveFlow::finish(Result<void> result) {
    Leased before = std::move(leased());
    life_ = Idle{};
    execution_.reset();
    if (auto* closing = std::get_if<Closing>(&before.phase); closing && closing->next) {
        accept(*std::move(closing->next));
        post([] {});
    } else {
        runner_.remove(*this);
    }
    before.held.done(std::move(result));
}

void LiveFlow::fail_call(std::uint64_t index, std::string why) {
    advance_to(CallRefused{});
    execution_->end_step(index, {.error = {"Misuse", std::move(why)}, .retryable = false});
}

}  // namespace holdfast
