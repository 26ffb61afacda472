// One submitted operation on its way through a round: reads, decides, waits for the commit,
// answers.
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
    // the operation belongs into the next round, with these reads too.
    virtual std::optional<LoadMore> decide(View& view) = 0;
    // Remembers what to read more when it runs again.
    virtual void want(LoadMore more);
    // How often it has asked for more.
    virtual std::size_t loads() const { return loads_; }
    // What keeps operations in order: those with the same hash are decided in the order of
    // submission.
    virtual std::size_t order() const = 0;
    // The operation and what was decided, for the trace.
    virtual boost::json::object to_json() const = 0;
    // Tells the submitter what was decided. Only after the commit.
    virtual void answer() = 0;
    virtual void answer_failure(const Error& error) = 0;
    virtual std::string_view operation_name() const = 0;

protected:
    // Adds what was wanted in earlier rounds.
    void reads_wanted(ReadSet& reads) const { reads.merge(also_, width_); }
    std::size_t width() const { return width_; }

private:
    static constexpr std::size_t widest = 1 << 20;
    std::size_t width_ = 1;
    std::size_t loads_ = 0;
    ReadSet also_;
};

// Its bodies are instantiated once, in queued_operation.cpp, not wherever one is submitted.
template <class Op>
class QueuedOperationOf final : public QueuedOperation {
public:
    using Outcome = typename Op::Outcome;

    QueuedOperationOf(Op op, Callback<Outcome> callback);
    ~QueuedOperationOf() override;

    void reads(ReadSet& reads) const override;
    std::optional<LoadMore> decide(View& view) override;
    std::size_t order() const override;
    boost::json::object to_json() const override;
    void answer() override;
    void answer_failure(const Error& error) override;
    std::string_view operation_name() const override;

private:
    using Decided = std::expected<Result<Outcome>, LoadMore>;

    Decided decide_once(View& view);
    // Operations that never run short give their outcome as it is.
    Decided decide_plain(View& view);
    // The same key and request get the outcome that was kept; the same key with another request is
    // refused.
    Decided decide_keyed(View& view)
        requires Keyed<Op>;

    Op op_;
    Callback<Outcome> callback_;
    std::optional<Result<Outcome>> outcome_;
};

}  // namespace holdfast
