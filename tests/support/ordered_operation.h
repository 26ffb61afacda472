// A queued operation that keeps its place: if it needs to load more, all later ones wait for it, so
// that a round is decided in the order of submission. It is decided, taken back and decided again,
// which must leave no trace.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "operations/operation_codec.h"
#include "round/queued_operation.h"

namespace holdfast::testing {

using OnOutcome = std::function<void(Result<AnyOutcome>)>;

// In its own place among the others, as the coordinator queues it.
std::unique_ptr<QueuedOperation> plain_operation(Operation operation, OnOutcome done);

class OrderedOperation final : public QueuedOperation {
public:
    explicit OrderedOperation(std::unique_ptr<QueuedOperation> inner) : inner_(std::move(inner)) {}

    void reads(ReadSet& reads) const override { inner_->reads(reads); }
    std::optional<LoadMore> decide(View& view) override {
        if (auto more = inner_->decide(view)) return more;
        const boost::json::object first = inner_->to_json();
        view.roll_back();
        auto again = inner_->decide(view);
        HF_ASSERT(!again && inner_->to_json() == first, "a rolled back operation decides the same");
        return again;
    }
    void add_reads(const LoadMore& more) override { inner_->add_reads(more); }
    std::size_t loads() const override { return inner_->loads(); }
    std::size_t order() const override { return 0; }
    boost::json::object to_json() const override { return inner_->to_json(); }
    void answer() override { inner_->answer(); }
    void answer_failure(const Error& error) override { inner_->answer_failure(error); }
    std::string_view operation_name() const override { return inner_->operation_name(); }
    std::size_t bytes() const override { return inner_->bytes(); }

private:
    std::unique_ptr<QueuedOperation> inner_;
};

inline std::unique_ptr<QueuedOperation> ordered_operation(Operation operation, OnOutcome done) {
    return std::make_unique<OrderedOperation>(
        plain_operation(std::move(operation), std::move(done)));
}

// The outcome in the form of a trace.
inline boost::json::object outcome_line(const Result<AnyOutcome>& outcome) {
    if (!outcome) return {{"error", name_of(outcome.error().code)}};
    return {{"outcome", to_json(*outcome)}};
}

}  // namespace holdfast::testing
