#include "round/queued_operation.h"

namespace holdfast {

void QueuedOperation::add_reads(const LoadMore& more) {
    if (more.wider) width_ = std::min(width_ * 8, widest);
    ++loads_;
    also_.merge(more.also);
}

namespace {

// The instance that a keyed operation makes or changes. Absent: it is about a dead event or letter.
template <class Op>
std::optional<InstanceId> instance_of(const Op& op) {
    if constexpr (requires { op.instance(); })
        return op.instance();
    else if constexpr (requires { op.instance; })
        return op.instance;
    else
        return std::nullopt;
}

}  // namespace

template <class Op>
QueuedOperationOf<Op>::QueuedOperationOf(Op op, Callback<Outcome> callback)
    : op_(std::move(op)), callback_(std::move(callback)) {}

template <class Op>
QueuedOperationOf<Op>::~QueuedOperationOf() = default;

template <class Op>
void QueuedOperationOf<Op>::reads(ReadSet& reads) const {
    reads.set_width(width());
    op::reads(op_, reads);
    merge_added_reads(reads);
    reads.set_width(1);
    if constexpr (Keyed<Op>)
        if (op_.client_key) reads.answer(op_.client_key->key);
}

template <class Op>
std::optional<LoadMore> QueuedOperationOf<Op>::decide(View& view) {
    try {
        outcome_ = decide_once(view);
    } catch (LoadMore& more) {
        return std::move(more);
    }
    return std::nullopt;
}

template <class Op>
std::size_t QueuedOperationOf<Op>::order() const {
    return shard_hash(op_);
}

template <class Op>
boost::json::object QueuedOperationOf<Op>::to_json() const {
    boost::json::object line{{"operation", op::to_json(op_)}};
    if (outcome_ && *outcome_)
        line["outcome"] = op::outcome_json(**outcome_);
    else if (outcome_)
        line["error"] = name_of(outcome_->error().code);
    return line;
}

template <class Op>
void QueuedOperationOf<Op>::answer() {
    HF_ASSERT(outcome_.has_value(), "an answered operation was decided");
    callback_(*std::move(outcome_));
}

template <class Op>
void QueuedOperationOf<Op>::answer_failure(const Error& error) {
    callback_(std::unexpected(error));
}

template <class Op>
std::string_view QueuedOperationOf<Op>::operation_name() const {
    return Op::name;
}

template <class Op>
auto QueuedOperationOf<Op>::decide_once(View& view) -> Result<Outcome> {
    if constexpr (Keyed<Op>) {
        if (op_.client_key) return decide_keyed(view);
    }
    return op::decide(op_, view);
}

template <class Op>
auto QueuedOperationOf<Op>::decide_keyed(View& view) -> Result<Outcome>
    requires Keyed<Op>
{
    if (const KeyedOutcome* kept = view.answer(op_.client_key->key)) {
        if (kept->request != op_.client_key->request)
            return fail(ErrorCode::key_reused,
                        "this Idempotency-Key was used with another request: use a new key");
        return from_kept(op_, kept->outcome);
    }
    Outcome outcome = op::decide(op_, view);
    if (auto kept = kept_form(outcome))
        view.put(KeyedOutcome{.key = op_.client_key->key,
                              .request = op_.client_key->request,
                              .outcome = *std::move(kept),
                              .operation = op_.cause.operation,
                              .at = view.now(),
                              .instance = instance_of(op_)});
    return outcome;
}

// One line for each operation of operations/operation.h; a missing one does not link.
template class QueuedOperationOf<op::Define>;
template class QueuedOperationOf<op::Start>;
template class QueuedOperationOf<op::EditState>;
template class QueuedOperationOf<op::Cancel>;
template class QueuedOperationOf<op::Clear>;
template class QueuedOperationOf<op::Checkpoint>;
template class QueuedOperationOf<op::Restore>;
template class QueuedOperationOf<op::Fork>;
template class QueuedOperationOf<op::Write>;
template class QueuedOperationOf<op::Read>;
template class QueuedOperationOf<op::Release>;
template class QueuedOperationOf<op::Quarantine>;
template class QueuedOperationOf<op::Suspend>;
template class QueuedOperationOf<op::SendEvent>;
template class QueuedOperationOf<op::FireTimer>;
template class QueuedOperationOf<op::RecordStep>;
template class QueuedOperationOf<op::Finish>;
template class QueuedOperationOf<op::Fail>;
template class QueuedOperationOf<op::Pause>;
template class QueuedOperationOf<op::Resume>;
template class QueuedOperationOf<op::ContinueAs>;
template class QueuedOperationOf<op::ReplayDeadEvent>;
template class QueuedOperationOf<op::RemoveDeadEvent>;
template class QueuedOperationOf<op::Recover>;
template class QueuedOperationOf<op::CancelTimers>;
template class QueuedOperationOf<op::EnqueueSignal>;
template class QueuedOperationOf<op::HandleSignal>;
template class QueuedOperationOf<op::BurySignal>;
template class QueuedOperationOf<op::RedriveDeadLetter>;
template class QueuedOperationOf<op::RemoveDeadLetter>;
template class QueuedOperationOf<op::StartChild>;
template class QueuedOperationOf<op::SetState>;
template class QueuedOperationOf<op::PutOff>;
template class QueuedOperationOf<op::CreateTask>;
template class QueuedOperationOf<op::ClaimTask>;
template class QueuedOperationOf<op::ReleaseTask>;
template class QueuedOperationOf<op::AssignTask>;
template class QueuedOperationOf<op::DelegateTask>;
template class QueuedOperationOf<op::CompleteTask>;
template class QueuedOperationOf<op::FailTask>;
template class QueuedOperationOf<op::CancelTask>;

}  // namespace holdfast
