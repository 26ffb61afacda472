#include "base/log.h"
#include "node/live_flow.h"
#include "node/sent.h"
#include "node/thrown.h"
#include "operations/signals/bury_signal.h"

namespace holdfast {
namespace {

std::string violations_of(const op::InvalidState& invalid) {
    std::string text = "the new state violates the definition's schema";
    for (const SchemaViolation& one : invalid.violations)
        text += "; " + one.path + ": " + one.message;
    return text;
}

}  // namespace

// A flow acts for the tenant of its workflow.
Cause LiveFlow::cause() {
    Cause cause = Cause::of_engine(runner_.parts().ids.next<OperationId>());
    cause.caller.tenant = tenant_;
    return cause;
}

// Adds what the flow does not know about its own operations.
template <class Op>
std::uint64_t LiveFlow::address(Op& op) {
    op.cause = cause();
    op.instance = id_;
    op.run.run = execution_->identity().run;
    op.run.lease = work().lease;
    if (const auto& assumed = execution_->assumed();
        assumed && op.run.index == assumed->run.index + 1)
        op.run.assumed = assumed->input_hash;
    return op.run.index;
}

// `then` gets the outcomes that are not refusals.
template <class Op, class Then>
void LiveFlow::submit(Op op, Then then) {
    ++in_flight_;
    using Outcome = typename Op::Outcome;
    runner_.parts().coordinator.submit(
        std::move(op), [self = shared_from_this(), then](Result<Outcome> outcome) mutable {
            self->post([flow = self.get(), then, outcome = std::move(outcome)]() mutable {
                --flow->in_flight_;
                if (!outcome) return flow->advance_to(StoreFailed{std::move(outcome.error())});
                std::visit(
                    [&](auto& one) {
                        if constexpr (std::invocable<Then&, decltype(one)>)
                            then(one);
                        else
                            flow->refused(one);
                    },
                    *outcome);
            });
        });
}

void LiveFlow::perform(op::RecordStep& op) {
    const std::uint64_t index = address(op);
    const std::optional<Moment> at = op.at;
    submit(std::move(op), [this, index, at](const op::Recorded& outcome) {
        if (at && outcome.at != *at) runner_.assumes_ = false;
        execution_->confirm(index, outcome.at);
    });
}

void LiveFlow::perform(op::StartChild& op) {
    const std::uint64_t index = address(op);
    submit(std::move(op), Each{[this, index](const op::ChildStarted& outcome) {
                                   execution_->confirm(index, outcome.at, to_string(outcome.child));
                               },
                               [this, index](const op::UnknownDefinition& outcome) {
                                   fail_call(index, "there is no flow named '" + outcome.key +
                                                        "'; add it to a node before starting it");
                               }});
}

void LiveFlow::perform(op::SetState& op) {
    const std::uint64_t index = address(op);
    submit(std::move(op), Each{[this, index](const op::StateSet& outcome) {
                                   execution_->confirm(index, outcome.at);
                               },
                               [this, index](const op::InvalidState& outcome) {
                                   fail_call(index, violations_of(outcome));
                               }});
}

void LiveFlow::perform(op::CreateTask& op) {
    const std::uint64_t index = address(op);
    submit(std::move(op), [this, index](const op::TaskCreated& outcome) {
        execution_->confirm(index, outcome.task.created_at, to_string(outcome.task.id));
    });
}

void LiveFlow::perform(op::Suspend& op) {
    const std::uint64_t index = address(op);
    const auto woken = [this](const op::Woken& outcome) {
        execution_->feed({.step = {.instance = id_,
                                   .index = outcome.winner.index,
                                   .name = outcome.winner.name,
                                   .value = outcome.value,
                                   .at = outcome.at},
                          .winner = outcome.winner});
    };
    submit(std::move(op), Each{woken, [this](const op::Asleep&) { advance_to(Asleep{}); },
                               [this, index](const op::UnknownWorkflow& outcome) {
                                   fail_call(index,
                                             "there is no workflow " + to_string(outcome.id));
                               }});
}

void LiveFlow::perform(op::PutOff& op) {
    address(op);
    submit(std::move(op), [this](const op::PutOffUntil&) { advance_to(Asleep{}); });
}

void LiveFlow::perform(op::Finish& op) {
    address(op);
    submit(std::move(op), [this](const op::Finished&) { close(); });
}

void LiveFlow::perform(op::Fail& op) {
    address(op);
    submit(std::move(op), [this](const op::Failed&) { close(); });
}

void LiveFlow::perform(op::ContinueAs& op) {
    address(op);
    submit(std::move(op), [this](const op::Continued&) { advance_to(Continued{}); });
}

// The program does not match the journal, so it cannot continue the workflow. Its signal becomes a
// dead letter until an operator deploys the right program and redrives it.
void LiveFlow::perform(flow::Diverged& command) {
    const std::string detail = "flow '" + code_.name + "' diverged at " +
                               std::to_string(command.index) + ": the program has " +
                               command.expected + ", the journal has " + command.found +
                               ". Deploy the program that wrote the journal and redrive the dead "
                               "letter, or cancel the workflow";
    log::error("flow.diverged", {{"flow", code_.name},
                                 {"workflow", to_string(id_)},
                                 {"index", command.index},
                                 {"expected", command.expected},
                                 {"found", command.found}});
    op::BurySignal op{.cause = cause(),
                      .instance = id_,
                      .signal = work().id,
                      .lease = work().lease,
                      .reason = DeadLetterReason::inconsistent_snapshot,
                      .detail = detail};
    submit(std::move(op),
           Each{[this](const op::Buried&) { close(); }, [this](const op::Held&) { close(); },
                [this](const op::LeaseLost&) { close(); }});
}

void LiveFlow::perform(const flow::SendEvent& command) {
    op::SendEvent op{.cause = cause()};
    const std::uint64_t place = execution_->identity().run << 32 | command.index;
    op.event = {derive(id_.value, place)};
    op.event_name = command.name;
    op.value = Document::of(command.value);
    op.queue_limit = runner_.parts().event_queue;
    op.queue_bytes = runner_.parts().event_queue_bytes;
    if (command.target) op.target = parse_id<InstanceId>(*command.target);
    const auto sent = [this, index = command.index](Sent result) {
        execution_->end_step(index, {.value = flow::to_value(result)});
    };
    if (command.target && !op.target) return sent(Sent::unknown);
    submit(std::move(op), [sent](const auto& outcome) { sent(sent_of(outcome)); });
}

void LiveFlow::perform(const flow::ReadState& command) {
    const auto found = runner_.parts().store.ask(FindInstance{id_, Depth::document});
    if (found && *found)
        execution_->end_step(command.index, {.value = (*found)->instance.state.value()});
    else
        execution_->end_step(command.index,
                             {.error = {"Unavailable", "cannot read the workflow's state"}});
}

}  // namespace holdfast
