// One submitted operation on its way through a round: reads, decides, waits for the commit,
// answers.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/assert.h"
#include "base/result.h"
#include "coordinator/operation.h"

namespace holdfast {

template <class Outcome>
using Callback = std::move_only_function<void(Result<Outcome>)>;

class Task {
public:
    virtual ~Task() = default;

    virtual void reads(ReadSet& reads) const = 0;
    // May run again on a fresh view; the last run counts.
    virtual void decide(View& view) = 0;
    // Tells the submitter what was decided. Only after the commit.
    virtual void answer() = 0;
    virtual void answer_failure(const Error& error) = 0;
    virtual std::string_view operation_name() const = 0;
};

template <class Op>
class TaskOf final : public Task {
public:
    using Outcome = typename Op::Outcome;

    TaskOf(Op op, Callback<Outcome> callback)
        : op_(std::move(op)), callback_(std::move(callback)) {}

    void reads(ReadSet& reads) const override {
        op::reads(op_, reads);
        if constexpr (Keyed<Op>)
            if (op_.client_key) reads.answer(op_.client_key->key);
    }

    void decide(View& view) override { outcome_ = decide_once(view); }

    void answer() override {
        HF_ASSERT(outcome_.has_value(), "an answered operation was decided");
        callback_(*std::move(outcome_));
    }
    void answer_failure(const Error& error) override { callback_(std::unexpected(error)); }

    std::string_view operation_name() const override { return Op::name; }

private:
    Result<Outcome> decide_once(View& view) {
        if constexpr (Keyed<Op>) {
            if (op_.client_key) return decide_keyed(view);
        }
        return op::decide(op_, view);
    }

    // The same key and request get the outcome that was kept; the same key with another request is
    // refused.
    Result<Outcome> decide_keyed(View& view)
        requires Keyed<Op>
    {
        if (const ClientAnswer* kept = view.answer(op_.client_key->key)) {
            if (kept->request != op_.client_key->request)
                return fail(ErrorCode::key_reused,
                            "this Idempotency-Key was used with another request: use a new key");
            return from_kept(op_, kept->outcome);
        }
        Outcome outcome = op::decide(op_, view);
        if (auto kept = kept_form(outcome))
            view.put(ClientAnswer{.key = op_.client_key->key,
                                  .request = op_.client_key->request,
                                  .outcome = *std::move(kept),
                                  .operation = op_.cause.operation,
                                  .at = view.now()});
        return outcome;
    }

    Op op_;
    Callback<Outcome> callback_;
    std::optional<Result<Outcome>> outcome_;
};

}  // namespace holdfast
