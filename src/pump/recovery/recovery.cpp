#include "pump/recovery/recovery.h"

#include "base/log.h"

namespace holdfast {
namespace {

constexpr std::size_t recovery_page = 256;

// The store may work again later. Anything else is wrong with that instance alone.
bool may_pass(const Error& error) {
    switch (error.code) {
        case ErrorCode::unavailable:
        case ErrorCode::outcome_unknown:
        case ErrorCode::overloaded:
        case ErrorCode::shutting_down: return true;
        default: return false;
    }
}

}  // namespace

Recovery::Recovery(Reads& store, IdSource& ids, Run run)
    : store_(store),
      ids_(ids),
      run_(std::move(run)),
      query_{.statuses = {Status::suspended},
             .content = PageContent::rows,
             .limit = recovery_page,
             .budget = unhurried} {}

Result<RecoveryReport> Recovery::recover(const std::function<bool()>& stop) {
    while (!stop()) {
        HF_TRY(auto page, store_.ask(query_));
        HF_CHECK(recover(page));
        if (!page.next) break;
        query_.cursor = std::move(page.next);
    }
    return report_;
}

Result<void> Recovery::recover(const InstancePage& page) {
    std::vector<op::Recover> operations;
    for (const FoundInstance& found : page.items)
        operations.push_back(
            {.cause = Cause::of_engine(ids_.next<OperationId>()), .instance = found.instance.id});
    if (operations.empty()) return {};
    const Outcomes outcomes = run_(operations);
    for (const auto& outcome : outcomes)
        if (!outcome && may_pass(outcome.error())) return std::unexpected(outcome.error());
    report_.looked_at += operations.size();
    for (std::size_t i = 0; i < outcomes.size(); ++i) count(operations[i].instance, outcomes[i]);
    return {};
}

void Recovery::count(const InstanceId& id, const Result<op::Recover::Outcome>& outcome) {
    if (!outcome) {
        log::warn("recovery.skipped",
                  {{"instance", to_string(id)}, {"message", outcome.error().message}});
        return;
    }
    if (std::holds_alternative<op::CaughtUp>(*outcome)) ++report_.woken;
    if (const auto* repaired = std::get_if<op::Repaired>(&*outcome)) {
        ++report_.repaired;
        log::error("recovery.repaired",
                   {{"index", repaired->index},
                    {"meaning", "a winner was recorded but the instance still waited"}});
    }
}

}  // namespace holdfast
