#include "pump/recovery/recovery.h"

#include "base/log.h"

namespace holdfast {
namespace {

constexpr std::size_t recovery_page = 256;

}  // namespace

Result<RecoveryReport> Recovery::recover(const std::function<bool()>& stop) {
    RecoveryReport report;
    InstanceQuery query{.statuses = {Status::suspended}, .limit = recovery_page};
    while (!stop()) {
        HF_TRY(auto page, store_.search(query));
        HF_CHECK(recover(page, report));
        if (!page.next) break;
        query.cursor = std::move(page.next);
    }
    return report;
}

Result<void> Recovery::recover(const InstancePage& page, RecoveryReport& report) {
    std::vector<op::Recover> operations;
    for (const FoundInstance& found : page.items)
        operations.push_back(
            {.cause = {.operation = ids_.next<OperationId>()}, .instance = found.instance.id});
    report.looked_at += operations.size();
    if (operations.empty()) return {};
    for (const auto& outcome : run_(std::move(operations))) {
        if (!outcome) return std::unexpected(outcome.error());
        if (std::holds_alternative<op::Woken>(*outcome)) ++report.woken;
        if (const auto* repaired = std::get_if<op::Repaired>(&*outcome)) {
            ++report.repaired;
            log::error("recovery.repaired",
                       {{"index", repaired->index},
                        {"meaning", "a winner was recorded but the instance still waited"}});
        }
    }
    return {};
}

}  // namespace holdfast
