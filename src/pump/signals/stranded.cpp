#include "pump/signals/stranded.h"

#include "base/log.h"

namespace holdfast {

Result<std::optional<std::chrono::microseconds>> StrandedSearch::look() {
    Pass pass;
    FindStranded query;
    Moment now;
    do {
        HF_TRY(const auto page, parts_.store.ask(query));
        now = page.now;
        auto operations = take(page, pass);
        if (!operations.empty())
            for (const auto& outcome : parts_.report(std::move(operations)))
                if (!outcome) return std::unexpected(outcome.error());
        query.after = page.next;
    } while (query.after);
    missing_since_ = std::move(pass.missing_since);
    parts_.metrics.stranded.Set(static_cast<double>(pass.count));
    if (missing_since_.empty()) return std::nullopt;
    // While a program is missing it looks again: the metric follows what nodes take up.
    return pass.next ? std::min(after_, *pass.next - now) : after_;
}

// A program counts as missing since a pass first missed it: its last node may have left just now.
std::vector<op::ReportStranded> StrandedSearch::take(const StrandedPage& page, Pass& pass) const {
    std::vector<op::ReportStranded> operations;
    for (const Stranded& one : page.items) {
        const auto known = missing_since_.find(one.program);
        const Moment since = known == missing_since_.end() ? page.now : known->second;
        pass.missing_since.try_emplace(one.program, since);
        const Moment due = std::max(since, one.visible_at) + after_;
        if (due > page.now) {
            pass.next = std::min(pass.next.value_or(due), due);
            continue;
        }
        ++pass.count;
        if (one.incident) continue;
        log::warn("workflow.stranded",
                  {{"workflow", to_string(one.instance)}, {"program", one.program}});
        operations.push_back({.cause = Cause::of_engine(parts_.ids.next<OperationId>()),
                              .instance = one.instance,
                              .signal = one.signal,
                              .detail = "no node has the program '" + one.program +
                                        "'; the workflow goes on when a node brings it"});
    }
    return operations;
}

}  // namespace holdfast
