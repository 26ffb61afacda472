// An operation as a task that keeps its place: whoever wants more holds up all that come after it,
// so that a round is decided in the order of submission whatever it reads.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "coordinator/task.h"

namespace holdfast::testing {

using OnOutcome = std::function<void(Result<AnyOutcome>)>;

inline std::unique_ptr<Task> plain_task(Operation operation, OnOutcome done) {
    return std::visit(
        [&]<class Op>(Op& op) -> std::unique_ptr<Task> {
            using Outcome = typename Op::Outcome;
            return std::make_unique<TaskOf<Op>>(
                std::move(op), [done = std::move(done)](Result<Outcome> outcome) {
                    if (outcome)
                        done(AnyOutcome(std::in_place_type<Outcome>, *std::move(outcome)));
                    else
                        done(std::unexpected(std::move(outcome.error())));
                });
        },
        operation);
}

class OrderedTask final : public Task {
public:
    explicit OrderedTask(std::unique_ptr<Task> task) : task_(std::move(task)) {}

    void reads(ReadSet& reads) const override { task_->reads(reads); }
    std::optional<LoadMore> decide(View& view) override { return task_->decide(view); }
    void want(LoadMore more) override { task_->want(std::move(more)); }
    std::size_t loads() const override { return task_->loads(); }
    std::size_t order() const override { return 0; }
    boost::json::object to_json() const override { return task_->to_json(); }
    void answer() override { task_->answer(); }
    void answer_failure(const Error& error) override { task_->answer_failure(error); }
    std::string_view operation_name() const override { return task_->operation_name(); }

private:
    std::unique_ptr<Task> task_;
};

inline std::unique_ptr<Task> ordered_task(Operation operation, OnOutcome done) {
    return std::make_unique<OrderedTask>(plain_task(std::move(operation), std::move(done)));
}

// The outcome as a trace shows it.
inline boost::json::object outcome_line(const Result<AnyOutcome>& outcome) {
    if (!outcome) return {{"error", name_of(outcome.error().code)}};
    return {{"outcome", to_json(*outcome)}};
}

}  // namespace holdfast::testing
