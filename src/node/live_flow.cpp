#include "node/live_flow.h"

#include "base/log.h"
#include "base/threads/pause.h"
#include "flow/failure.h"
#include "node/journal_reader.h"

namespace holdfast {
namespace {

bool runs(const Instance& instance) {
    return instance.program && !instance.quarantined && instance.status == Status::running;
}

}  // namespace

bool LiveFlow::put(Input input) {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(input));
    return !std::exchange(active_, true);
}

void LiveFlow::post(Input input) {
    if (!put(std::move(input))) return;
    runner_.parts().post([self = shared_from_this()] { self->work_off(); });
}

void LiveFlow::work_off() {
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
        move_on();
    }
}

void LiveFlow::begin(Work work, SignalHandler::Done done) {
    const bool idle = put([this, work = std::move(work), done = std::move(done)]() mutable {
        if (!work_) return take_on(std::move(work), std::move(done));
        gone_ = true;
        next_.emplace(std::move(work), std::move(done));
    });
    if (idle) work_off();
}

void LiveFlow::take_on(Work work, SignalHandler::Done done) {
    work_ = std::move(work);
    done_ = std::move(done);
    tries_ = 0;
    trouble_.reset();
    overtaken_ = gone_ = resting_ = stumbled_ = false;
    reload_ = true;
}

void LiveFlow::let_go(const NodeId& life) {
    post([this, life] {
        if (work_ && work_->lease.node == life) gone_ = true;
    });
}

void LiveFlow::move_on() {
    if (!work_ || pausing_ || loading_) return;
    const bool quiet = in_flight_ == 0 && !(execution_ && execution_->is_busy());
    if (gone_) {
        if (quiet) leave({});
    } else if (execution_ && execution_->is_misled()) {
        if (quiet) start_over();
    } else if (stumbled_) {
        if (in_flight_ > 0) return;
        overtaken_ = stumbled_ = false;
        execution_->renew({});
        go_on();
    } else if (overtaken_) {
        if (quiet) look_for_cancellation();
    } else if (trouble_) {
        if (in_flight_ == 0) try_again();
    } else if (resting_) {
        if (quiet) leave_resting();
    } else if (reload_) {
        if (quiet) load();
    } else {
        go_on();
    }
}

// What came with the work is often all there is to know.
void LiveFlow::load() {
    reload_ = false;
    if (execution_ && execution_->assumed()) execution_.reset();  // its fate is unknown
    auto instance = std::exchange(work_->instance_row, nullptr);
    if (!instance) {
        auto found = runner_.parts().store.find(id_, Depth::row);
        if (!found) return leave(std::unexpected(found.error()));
        if (!*found) return leave({});
        instance = std::make_shared<const Instance>(std::move((*found)->instance));
    }
    if (!runs(*instance)) return leave({});
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
    if (const auto& retry = instance.program->retry) {
        renewal.index = retry->index;
        for (const Retry::Attempt& attempt : retry->attempts)
            renewal.failed.push_back(flow::attempt_from_json(attempt.error.value()));
    }
    execution_->renew(std::move(renewal));
}

void LiveFlow::read_journal(std::shared_ptr<const Instance> instance) {
    if (execution_->next() >= instance->index) {
        renew(*instance);
        return go_on();
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
    if (gone_) return;
    if (!entries) return leave(std::unexpected(entries.error()));
    if (entries->empty()) return leave(fail(ErrorCode::corrupt, "its journal has a hole"));
    for (const JournalEntry& entry : *entries) execution_->feed(entry);
    read_journal(std::move(instance));
}

void LiveFlow::go_on() {
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
        if (gone_ || execution_->has_diverged()) return;
    }
}

// A single step runs right here: the flow has nothing else to do. Several run side by side.
void LiveFlow::run_steps(std::vector<flow::RunStep> steps) {
    if (steps.size() == 1) {
        flow::StepEnd end = run(steps[0]);
        if (runner_.assumes_) end.at = runner_.parts().clock.now();
        execution_->end_step(steps[0].index, std::move(end));
        return;
    }
    for (flow::RunStep& step : steps)
        runner_.parts().post([self = shared_from_this(), step = std::move(step)]() mutable {
            flow::StepEnd end = self->run(step);
            self->post([flow = self.get(), index = step.index, end = std::move(end)]() mutable {
                flow->execution_->end_step(index, std::move(end));
            });
        });
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
        end.error = {"TimedOut", "the step took longer than its timeout"};
        end.retryable = true;
    }
    return end;
}

// The store may be back in a moment: what was not accepted is submitted again, nothing is run
// again.
void LiveFlow::try_again() {
    const bool hopeless = trouble_->code == ErrorCode::shutting_down;
    if (hopeless || ++tries_ > runner_.options().patience) {
        if (execution_->is_busy()) return;
        return leave(std::unexpected(*trouble_));
    }
    pausing_ = true;
    const auto pause = std::chrono::milliseconds(50) * (1 << tries_);
    runner_.parts().post([self = shared_from_this(), pause] {
        pause_for(pause);
        self->post([flow = self.get()] {
            flow->pausing_ = false;
            flow->trouble_.reset();
            flow->execution_->renew({});
        });
    });
}

// Somebody else has it, unless it was cancelled where it stands.
void LiveFlow::look_for_cancellation() {
    const auto& assumed = execution_->assumed();
    const std::uint64_t index = assumed ? assumed->index : execution_->next();
    const auto entry = runner_.parts().store.journal(id_, index);
    if (!entry) return leave(std::unexpected(entry.error()));
    const bool cancelled =
        *entry && (*entry)->step.name == cancelled_step && !(*entry)->step.input_hash;
    if (!cancelled) return leave(fail(ErrorCode::conflict, "another node has this workflow"));
    overtaken_ = false;
    execution_->feed(**entry);
    if (execution_->is_misled()) return start_over();
    execution_->renew({});
    go_on();
}

void LiveFlow::start_over() {
    execution_.reset();
    overtaken_ = stumbled_ = false;
    trouble_.reset();
    if (resting_) return leave_resting();
    load();
}

void LiveFlow::leave_resting() {
    SignalHandler::Done done = std::move(done_);
    work_.reset();
    runner_.rested(id_);
    done({});
}

void LiveFlow::leave(Result<void> result) {
    SignalHandler::Done done = std::move(done_);
    work_.reset();
    execution_.reset();
    if (auto next = std::exchange(next_, std::nullopt)) {
        take_on(std::move(next->first), std::move(next->second));
        post([] {});
    } else {
        runner_.gone(id_);
    }
    done(std::move(result));
}

void LiveFlow::impossible(std::uint64_t index, std::string why) {
    stumbled_ = true;
    execution_->end_step(index, {.error = {"Misuse", std::move(why)}, .retryable = false});
}

}  // namespace holdfast
