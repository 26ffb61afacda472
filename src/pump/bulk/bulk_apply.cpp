// The operations of a bulk job on a batch of workflows, and what came of them.
#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "pump/bulk/bulk_runner.h"

namespace holdfast {
namespace {

// What came of an operation, if it was refused: its name and what it says.
template <class One>
std::string why_of(const One& refusal) {
    if constexpr (std::same_as<One, op::CannotMigrate>) {
        const auto& first = refusal.report.problems.front();
        return (first.element.empty() ? "" : first.element + ": ") + first.why;
    } else if constexpr (requires { refusal.why; }) {
        return refusal.why;
    } else {
        return std::string(One::name);
    }
}

template <class One>
inline constexpr bool is_done =
    std::same_as<One, op::Migrated> || std::same_as<One, op::CanMigrate> ||
    std::same_as<One, op::Cancelled> || std::same_as<One, op::Paused> ||
    std::same_as<One, op::Resumed> || std::same_as<One, op::Retried> ||
    std::same_as<One, op::Redriven> || std::same_as<One, op::Delivered> ||
    std::same_as<One, op::Queued>;

// Whether asking again may give another answer.
bool is_passing(ErrorCode code) {
    return code == ErrorCode::overloaded || code == ErrorCode::shutting_down ||
           code == ErrorCode::unavailable || code == ErrorCode::outcome_unknown;
}

using Verdict = std::optional<std::string>;

template <class... Outcomes>
Result<Verdict> verdict_of(const Result<std::variant<Outcomes...>>& outcome) {
    if (!outcome && is_passing(outcome.error().code)) return std::unexpected(outcome.error());
    if (!outcome) return outcome.error().message;
    return std::visit(
        []<class One>(const One& one) -> Verdict {
            if constexpr (is_done<One>)
                return std::nullopt;
            else
                return why_of(one);
        },
        *outcome);
}

class Applying {
public:
    Applying(Store& store, Coordinator& coordinator, const BulkJob& job, const Instance& of)
        : store_(store),
          coordinator_(coordinator),
          job_(job),
          of_(of),
          request_(sha256(json::canonical(to_json(job.action)))) {}

    template <class Op>
    Result<BulkVerdicts> operator()(const Op& action, const std::vector<InstanceId>& ids) {
        std::vector<Op> operations;
        for (const InstanceId& id : ids) {
            Op one = action;
            complete(one, id);
            operations.push_back(std::move(one));
        }
        BulkVerdicts verdicts;
        for (const auto& outcome : coordinator_.run_all(std::move(operations))) {
            HF_TRY(verdicts.emplace_back(), verdict_of(outcome));
        }
        if constexpr (std::same_as<Op, op::Retry>) HF_CHECK(redrive(ids, verdicts));
        return verdicts;
    }

private:
    // A repeat gets the same id and key, and with them the first answer.
    OperationId operation_of(const InstanceId& id) const {
        return {fan_out_id({of_.id.value}, id.value).value};
    }

    Cause cause_of(const InstanceId& id) const {
        return {.operation = operation_of(id),
                .caller = {.tenant = of_.tenant, .user = of_.started_by},
                .correlation = "bulk/" + to_string(of_.id)};
    }

    template <class Op>
    void complete(Op& one, const InstanceId& id) const {
        one.cause = cause_of(id);
        if constexpr (requires { one.reason; }) one.reason = job_.reason;
        if constexpr (std::same_as<Op, op::SendEvent>) {
            one.event = EventId{one.cause.operation.value};
            one.target = id;
        } else {
            one.instance = id;
            one.client_key = key_of(id);
        }
    }

    op::ClientKey key_of(const InstanceId& id) const {
        return {"bulk/" + to_string(of_.id) + "/" + to_string(id), request_};
    }

    // A run that was put aside goes on with its dead letter.
    Result<void> redrive(const std::vector<InstanceId>& ids, BulkVerdicts& verdicts) {
        std::vector<std::size_t> places;
        std::vector<op::RedriveDeadLetter> operations;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (!verdicts[i]) continue;
            HF_TRY(const auto letters, store_.ask(DeadLetterQuery{.instance = ids[i], .limit = 1}));
            if (letters.items.empty()) continue;
            places.push_back(i);
            operations.push_back({.cause = cause_of(ids[i]),
                                  .client_key = key_of(ids[i]),
                                  .signal = letters.items.front().signal.id});
        }
        const auto outcomes = coordinator_.run_all(std::move(operations));
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            HF_TRY(verdicts[places[i]], verdict_of(outcomes[i]));
        }
        return {};
    }

    Store& store_;
    Coordinator& coordinator_;
    const BulkJob& job_;
    const Instance& of_;
    const Digest request_;
};

}  // namespace

Result<Verdict> why_refused(const Result<op::Migrate::Outcome>& outcome) {
    return verdict_of(outcome);
}

Result<BulkVerdicts> apply_bulk(Store& store, Coordinator& coordinator, const BulkJob& job,
                                const Instance& of, const std::vector<InstanceId>& ids) {
    Applying applying(store, coordinator, job, of);
    return std::visit([&](const auto& action) { return applying(action, ids); }, job.action);
}

}  // namespace holdfast
