#include "round/queued_operation.h"

#include "operations/member_size.h"
#include "operations/operation_codec.h"

namespace holdfast {

void QueuedOperation::add_reads(const LoadMore& more) {
    if (more.wider) width_ = std::min(width_ * 8, widest);
    ++loads_;
    also_.merge(more.also);
    if (!more.compute) return;
    Effort effort(effort_outside);
    computed_[more.compute->key] = more.compute->run(effort);
}

namespace {

// The instance that an operation about a dead event or letter reached.
template <class Op, class One>
std::optional<InstanceId> reached_by(const Op& op, const One& outcome) {
    if constexpr (requires { std::optional<InstanceId>(outcome.to); })
        return outcome.to;
    else if constexpr (requires { std::optional<InstanceId>(outcome.instance); })
        return outcome.instance;
    else if constexpr (requires { std::optional<InstanceId>(op.target); })
        return op.target;
    else
        return std::nullopt;
}

// The instance that a keyed operation makes or changes: its key is kept as long. Absent: none.
template <class Op>
std::optional<InstanceId> instance_of(const Op& op, const typename Op::Outcome& outcome) {
    if constexpr (requires { op.instance(); })
        return op.instance();
    else if constexpr (requires { op.instance; })
        return op.instance;
    else
        return std::visit([&](const auto& one) { return reached_by(op, one); }, outcome);
}

}  // namespace

// The only member that is not virtual: `used` keeps its instances for the files that submit.
template <class Op>
[[gnu::used, gnu::noinline]] std::size_t QueuedOperationOf<Op>::bytes_of(const Op& op) {
    return op::MemberSize::of(op);
}

template <class Op>
void QueuedOperationOf<Op>::reads(ReadSet& reads) const {
    reads.set_width(width());
    op::reads(op_, reads);
    merge_added_reads(reads);
    reads.set_width(1);
    if constexpr (Keyed<Op>)
        if (op_.client_key) reads.answer({op_.cause.tenant(), op_.client_key->key});
}

template <class Op>
std::optional<LoadMore> QueuedOperationOf<Op>::decide(View& view) {
    view.set_computed(&computed());
    view.set_caller(&op_.cause.caller);
    std::optional<LoadMore> more;
    try {
        outcome_ = decide_once(view);
    } catch (LoadMore& missing) {
        more = std::move(missing);
    }
    view.set_caller(nullptr);
    return more;
}

template <class Op>
std::size_t QueuedOperationOf<Op>::order() const {
    return shard_hash(op_);
}

template <class Op>
boost::json::object QueuedOperationOf<Op>::to_json() const {
    boost::json::object line{{"operation", op::operation_json(op_)}};
    if (outcome_ && *outcome_)
        line["outcome"] = op::outcome_json(**outcome_);
    else if (outcome_)
        line["error"] = name_of(outcome_->error().code);
    return line;
}

template <class Op>
void QueuedOperationOf<Op>::answer() {
    HF_ASSERT(outcome_.has_value(), "an answered operation was decided");
    std::exchange(callback_, {})(*std::move(outcome_));
}

template <class Op>
void QueuedOperationOf<Op>::answer_failure(const Error& error) {
    std::exchange(callback_, {})(std::unexpected(error));
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
    TenantKey key{op_.cause.tenant(), op_.client_key->key};
    if (const KeyedOutcome* kept = view.answer(key)) {
        if (kept->request != op_.client_key->request)
            return fail(ErrorCode::key_reused,
                        "this Idempotency-Key was used with another request: use a new key");
        return op::from_kept<Op>(kept->outcome);
    }
    Outcome outcome = op::decide(op_, view);
    if (auto kept = op::kept_form<Op>(outcome))
        view.put(KeyedOutcome{.key = std::move(key),
                              .request = op_.client_key->request,
                              .outcome = *std::move(kept),
                              .operation = op_.cause.operation,
                              .at = view.now(),
                              .instance = instance_of(op_, outcome)});
    return outcome;
}

std::unique_ptr<QueuedOperation> queued(Operation operation, Callback<AnyOutcome> callback) {
    return std::visit(
        [&]<class Op>(Op& op) -> std::unique_ptr<QueuedOperation> {
            return std::make_unique<QueuedOperationOf<Op>>(
                std::move(op),
                [done = std::move(callback)](Result<typename Op::Outcome> outcome) mutable {
                    if (outcome)
                        done(AnyOutcome(*std::move(outcome)));
                    else
                        done(std::unexpected(std::move(outcome).error()));
                });
        },
        operation);
}

}  // namespace holdfast
