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
    // May run again on a fresh view; the last run counts. Absent: decided. Else: nothing changed,
    // and the operation runs again in the next round with these additional reads.
    virtual std::optional<LoadMore> decide(View& view) = 0;
    // Adds reads for the next time it runs.
    virtual void add_reads(LoadMore more) = 0;
    // How often it has needed more reads.
    virtual std::size_t loads() const = 0;
    // Operations with the same value are decided in submission order.
    virtual std::size_t order() const = 0;
    // The operation and its outcome, for the trace.
    virtual boost::json::object to_json() const = 0;
    // Passes the outcome to the submitter. Only after the commit.
    virtual void answer() = 0;
    virtual void answer_failure(const Error& error) = 0;
    virtual std::string_view operation_name() const = 0;
};

template <class Op>
class QueuedOperationOf final : public QueuedOperation {
public:
    using Outcome = typename Op::Outcome;

    QueuedOperationOf(Op op, Callback<Outcome> callback)
        : op_(std::move(op)), callback_(std::move(callback)) {}

    void reads(ReadSet& reads) const override {
        reads.set_width(width_);
        op::reads(op_, reads);
        reads.merge(also_, width_);
        reads.set_width(1);
        if constexpr (Keyed<Op>)
            if (op_.client_key) reads.answer(op_.client_key->key);
    }

    std::optional<LoadMore> decide(View& view) override {
        auto decided = decide_once(view);
        if (!decided) return std::move(decided.error());
        outcome_ = *std::move(decided);
        return std::nullopt;
    }
    void add_reads(LoadMore more) override {
        width_ = std::min(width_ * 8, widest);
        ++loads_;
        also_.merge(more.also);
    }
    std::size_t loads() const override { return loads_; }
    std::size_t order() const override { return shard_hash(op_); }

    boost::json::object to_json() const override {
        boost::json::object line{{"operation", op::to_json(op_)}};
        if (outcome_ && *outcome_)
            line["outcome"] = op::outcome_json(**outcome_);
        else if (outcome_)
            line["error"] = name_of(outcome_->error().code);
        return line;
    }
    void answer() override {
        HF_ASSERT(outcome_.has_value(), "an answered operation was decided");
        callback_(*std::move(outcome_));
    }
    void answer_failure(const Error& error) override { callback_(std::unexpected(error)); }

    std::string_view operation_name() const override { return Op::name; }

private:
    using Decided = std::expected<Result<Outcome>, LoadMore>;

    Decided decide_once(View& view) {
        if constexpr (Keyed<Op>) {
            if (op_.client_key) return decide_keyed(view);
        }
        return decide_plain(view);
    }

    // Operations that never need more reads return a plain outcome.
    Decided decide_plain(View& view) {
        auto decided = op::decide(op_, view);
        if constexpr (std::same_as<decltype(decided), Outcome>) {
            return Result<Outcome>(std::move(decided));
        } else {
            if (!decided) return std::unexpected(std::move(decided.error()));
            return Result<Outcome>(*std::move(decided));
        }
    }

    // The same key with the same request gets the stored outcome; with another request it is
    // refused.
    Decided decide_keyed(View& view)
        requires Keyed<Op>
    {
        if (const KeyedOutcome* kept = view.answer(op_.client_key->key)) {
            if (kept->request != op_.client_key->request)
                return Result<Outcome>(
                    fail(ErrorCode::key_reused,
                         "this Idempotency-Key was used with another request: use a new key"));
            return from_kept(op_, kept->outcome);
        }
        auto outcome = decide_plain(view);
        if (!outcome || !*outcome) return outcome;
        if (auto kept = kept_form(**outcome))
            view.put(KeyedOutcome{.key = op_.client_key->key,
                                  .request = op_.client_key->request,
                                  .outcome = *std::move(kept),
                                  .operation = op_.cause.operation,
                                  .at = view.now()});
        return outcome;
    }

    Op op_;
    Callback<Outcome> callback_;
    std::optional<Result<Outcome>> outcome_;
    static constexpr std::size_t widest = 1 << 20;
    std::size_t width_ = 1;
    std::size_t loads_ = 0;
    ReadSet also_;
};

}  // namespace holdfast
