// One submitted operation on its way through a round: reads, decision, commit, answer.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/assert.h"
#include "base/result.h"
#include "operations/operation.h"

namespace holdfast {

template <class Outcome>
using Callback = std::move_only_function<void(Result<Outcome>)>;

class QueuedOperation {
public:
    virtual ~QueuedOperation() = default;

    virtual void reads(ReadSet& reads) const = 0;
    // May run again on a fresh view; the last run counts. Absent: decided. Else: the caller rolls
    // the view back, and the operation runs again in a later round, after `add_reads`.
    virtual std::optional<LoadMore> decide(View& view) = 0;
    // Adds reads for the next time it runs, or computes what it asked for: that may take long.
    virtual void add_reads(const LoadMore& more);
    // How often it has needed more reads.
    virtual std::size_t loads() const { return loads_; }
    // Operations with the same value are decided in submission order.
    virtual std::size_t order() const = 0;
    // The operation and its outcome, for the trace.
    virtual boost::json::object to_json() const = 0;
    // Passes the outcome to the submitter. Only after the commit.
    virtual void answer() = 0;
    virtual void answer_failure(const Error& error) = 0;
    virtual std::string_view operation_name() const = 0;
    // Of the texts and documents that it carries.
    virtual std::size_t bytes() const = 0;

protected:
    // Merges what add_reads was given.
    void merge_added_reads(ReadSet& reads) const { reads.merge(also_, width_); }
    std::size_t width() const { return width_; }
    const Computed& computed() const { return computed_; }

private:
    static constexpr std::size_t widest = 1 << 20;
    std::size_t width_ = 1;
    std::size_t loads_ = 0;
    ReadSet also_;
    Computed computed_;
};

// Its bodies are instantiated once, by `queued`, not wherever one is submitted.
template <class Op>
class QueuedOperationOf final : public QueuedOperation {
public:
    using Outcome = typename Op::Outcome;

    QueuedOperationOf(Op op, Callback<Outcome> callback)
        : op_(std::move(op)), bytes_(bytes_of(op_)), callback_(std::move(callback)) {}

    void reads(ReadSet& reads) const override;
    std::optional<LoadMore> decide(View& view) override;
    std::size_t order() const override;
    boost::json::object to_json() const override;
    void answer() override;
    void answer_failure(const Error& error) override;
    std::string_view operation_name() const override;
    std::size_t bytes() const override { return bytes_; }

private:
    static std::size_t bytes_of(const Op& op);
    Result<Outcome> decide_once(View& view);
    // The same key with the same request gets the stored outcome; with another request it is
    // refused.
    Result<Outcome> decide_keyed(View& view)
        requires Keyed<Op>;

    Op op_;
    std::size_t bytes_;
    Callback<Outcome> callback_;
    std::optional<Result<Outcome>> outcome_;
};

// Any listed operation.
std::unique_ptr<QueuedOperation> queued(Operation operation, Callback<AnyOutcome> callback);

}  // namespace holdfast
