#include "node/live_flow.h"

#include <algorithm>

#include "base/log.h"
#include "base/threads/pause.h"
#include "flow/failure.h"
#include "node/journal_reader.h"

namespace holdfast {
namespace {

bool is_runnable(const Instance& instance) {
    return instance.run_by == RunBy::node && !instance.quarantined &&
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
    const bool idle = put([this, work = std::move(work), done = std::move(done)]() mutable {
        if (abandoned_) return done(fail(ErrorCode::conflict, "a step of this workflow hangs"));
        if (!work_) return accept(std::move(work), std::move(done));
        closing_ = true;
        next_.emplace(std::move(work), std::move(done));
    });
    if (idle) process_inbox();
}

void LiveFlow::accept(Work work, SignalHandler::Done done) {
    work_ = std::move(work);
    done_ = std::move(done);
    retries_ = 0;
    store_error_.reset();
    overtaken_ = closing_ = waiting_ = call_failed_ = false;
    reload_ = true;
}

void LiveFlow::drop_lease(const NodeId& life) {
    post([this, life] {
        if (work_ && work_->lease.node == life) closing_ = true;
    });
}

void LiveFlow::dispatch() {
    if (!work_ || pausing_ || loading_) return;
    const bool quiet = in_flight_ == 0 && !(execution_ && execution_->is_busy());
    if (closing_) {
        if (quiet) finish({});
    } else if (execution_ && execution_->has_failed_assumption()) {
        if (quiet) restart();
    } else if (call_failed_) {
        if (in_flight_ > 0) return;
        overtaken_ = call_failed_ = false;
        execution_->renew({});
        run_commands();
    } else if (overtaken_) {
        if (quiet) check_for_cancellation();
    } else if (store_error_) {
        if (in_flight_ == 0) retry_submit();
    } else if (waiting_) {
        if (quiet) finish_waiting();
    } else if (reload_) {
        if (quiet) load();
    } else {
        run_commands();
    }
}

// The work often carries the instance and its new journal entries, which saves the queries.
void LiveFlow::load() {
    reload_ = false;
    if (execution_ && execution_->assumed())
        execution_.reset();  // the outcome of its record is unknown
    auto instance = std::exchange(work_->instance_row, nullptr);
    if (!instance) {
        auto found = runner_.parts().store.ask(FindInstance{id_, Depth::row});
        if (!found) return finish(std::unexpected(found.error()));
        if (!*found) return finish({});
        instance = std::make_shared<const Instance>(std::move((*found)->instance));
    }
    if (!is_runnable(*instance)) return finish({});
    prepare(*instance);
    for (const JournalEntry& entry : work_->journal)
        if (entry.step.index == execution_->next()) execution_->feed(entry);
    read_journal(std::move(instance));
}

void LiveFlow::prepare(const Instance& instance) {
    if (execution_ && execution_->identity().run != instance.run) execution_.reset();
    if (execution_) return;
    execution_ = std::make_unique<flow::Execution>(
        code_, flow::Identity{id_, instance.run}, [this](std::string_view text) {
            log::info("flow.log",
                      {{"flow", code_.name}, {"workflow", to_string(id_)}, {"text", text}});
        });
}

void LiveFlow::renew(const Instance& instance) {
    flow::Renewal renewal{.lost = work_->attempts > 0 ? work_->attempts - 1 : 0};
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
        return run_commands();
    }
    const JournalPart part{id_, execution_->next(), journal_page};
    if (!runner_.parts().journals)
        return take_journal(std::move(instance), runner_.parts().store.journal_from(
                                                     part.instance, part.from, part.limit));
    loading_ = true;
    runner_.parts().journals->read(
        part, [self = shared_from_this(),
               instance = std::move(instance)](Result<std::vector<JournalEntry>> entries) mutable {
            self->post([flow = self.get(), instance = std::move(instance),
                        entries = std::move(entries)]() mutable {
                flow->loading_ = false;
                flow->take_journal(std::move(instance), entries);
            });
        });
}

void LiveFlow::take_journal(std::shared_ptr<const Instance> instance,
                            const Result<std::vector<JournalEntry>>& entries) {
    if (closing_) return;
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
        if (closing_ || execution_->has_diverged()) return;
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
                if (!flow->abandoned_) flow->execution_->end_step(index, std::move(end));
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
    if (std::exchange(abandoned_, true) || !work_) return;
    SignalHandler::Done done = std::move(done_);
    work_.reset();
    closing_ = true;
    runner_.remove(*this);
    done(fail(ErrorCode::unavailable, "a step does not return"));
    if (auto next = std::exchange(next_, std::nullopt))
        next->second(fail(ErrorCode::conflict, "a step of this workflow hangs"));
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

// The store may be unavailable only briefly: submits again what was not accepted, without running
// any step again.
void LiveFlow::retry_submit() {
    const bool hopeless = store_error_->code == ErrorCode::shutting_down;
    if (hopeless || ++retries_ > runner_.options().store_retries) {
        if (execution_->is_busy()) return;
        return finish(std::unexpected(*store_error_));
    }
    pausing_ = true;
    const auto pause = std::chrono::milliseconds(50) * (1 << retries_);
    runner_.parts().post([self = shared_from_this(), pause] {
        pause_for(pause);
        self->post([flow = self.get()] {
            flow->pausing_ = false;
            flow->store_error_.reset();
            flow->execution_->renew({});
        });
    });
}

// Either the workflow was cancelled at its current index, or another node runs it now.
void LiveFlow::check_for_cancellation() {
    const auto& assumed = execution_->assumed();
    const std::uint64_t index = assumed ? assumed->index : execution_->next();
    const auto entry = runner_.parts().store.ask(FindJournalEntry{id_, index});
    if (!entry) return finish(std::unexpected(entry.error()));
    const bool cancelled =
        *entry && (*entry)->step.name == cancelled_step && !(*entry)->step.input_hash;
    if (!cancelled) return finish(fail(ErrorCode::conflict, "another node runs this workflow"));
    overtaken_ = false;
    execution_->feed(**entry);
    if (execution_->has_failed_assumption()) return restart();
    execution_->renew({});
    run_commands();
}

void LiveFlow::restart() {
    execution_.reset();
    overtaken_ = call_failed_ = false;
    store_error_.reset();
    if (waiting_) return finish_waiting();
    load();
}

void LiveFlow::finish_waiting() {
    SignalHandler::Done done = std::move(done_);
    work_.reset();
    runner_.set_waiting(id_);
    done({});
}

void LiveFlow::finish(Result<void> result) {
    SignalHandler::Done done = std::move(done_);
    work_.reset();
    execution_.reset();
    if (auto next = std::exchange(next_, std::nullopt)) {
        accept(std::move(next->first), std::move(next->second));
        post([] {});
    } else {
        runner_.remove(*this);
    }
    done(std::move(result));
}

void LiveFlow::fail_call(std::uint64_t index, std::string why) {
    call_failed_ = true;
    execution_->end_step(index, {.error = {"Misuse", std::move(why)}, .retryable = false});
}

}  // namespace holdfast
