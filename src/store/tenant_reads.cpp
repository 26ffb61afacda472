#include "store/tenant_reads.h"

#include <algorithm>

namespace holdfast {

Result<std::optional<FoundInstance>> TenantReads::ask(const FindInstance& query) const {
    HF_TRY(auto found, reads_->ask(query));
    if (found && found->instance.tenant != tenant_) found.reset();
    return found;
}

Result<std::vector<Instance>> TenantReads::ask(const FindRows& query) const {
    HF_TRY(auto rows, reads_->ask(query));
    std::erase_if(rows, [&](const Instance& row) { return row.tenant != tenant_; });
    return rows;
}

Result<bool> TenantReads::has(const InstanceId& id) const {
    HF_TRY(const auto rows, ask(FindRows{{&id, 1}}));
    return !rows.empty();
}

// After its end, or trimmed to nothing: the instance itself tells whose it is.
Result<HistoryPage> TenantReads::ask(const HistoryQuery& query) const {
    HF_TRY(auto page, reads_->ask(query));
    if (page.items.empty() && !page.anchor) return page;
    bool mine = false;
    if (page.items.empty()) {
        HF_TRY(mine, has(query.instance));
    } else {
        mine = page.items.front().cause.tenant() == tenant_;
    }
    return mine ? std::move(page) : HistoryPage{};
}

Result<Standing> TenantReads::ask(const FindStanding& query) const {
    HF_TRY(const bool mine, has(query.id));
    if (!mine) return Standing{};
    return reads_->ask(query);
}

Result<CheckpointPage> TenantReads::ask(const CheckpointQuery& query) const {
    HF_TRY(const bool mine, has(query.instance));
    if (!mine) return CheckpointPage{};
    return reads_->ask(query);
}

Result<KnownEvent> TenantReads::ask(const FindEvent& query) const {
    HF_TRY(auto known, reads_->ask(query));
    const std::string* tenant = known.tenant();
    return tenant && *tenant == tenant_ ? std::move(known) : KnownEvent{};
}

Result<std::optional<JournalEntry>> TenantReads::ask(const FindJournalEntry& query) const {
    HF_TRY(const bool mine, has(query.instance));
    if (!mine) return std::nullopt;
    return reads_->ask(query);
}

Result<std::optional<HumanTask>> TenantReads::ask(const FindTask& query) const {
    HF_TRY(auto task, reads_->ask(query));
    if (task && task->tenant != tenant_) task.reset();
    return task;
}

Result<TaskEventPage> TenantReads::ask(const TaskEventQuery& query) const {
    HF_TRY(auto page, reads_->ask(query));
    if (!page.items.empty() && page.items.front().caller.tenant != tenant_) return TaskEventPage{};
    return page;
}

Result<std::optional<DeadLetter>> TenantReads::ask(const FindDeadLetter& query) const {
    HF_TRY(auto letter, reads_->ask(query));
    if (letter && letter->tenant != tenant_) letter.reset();
    return letter;
}

Result<StrandedPage> TenantReads::ask(const FindStranded& query) const {
    HF_TRY(auto page, reads_->ask(query));
    std::vector<InstanceId> ids;
    for (const Stranded& one : page.items) ids.push_back(one.instance);
    HF_TRY(const auto mine, ask(FindRows{ids}));
    std::erase_if(page.items, [&](const Stranded& one) {
        return std::ranges::find(mine, one.instance, &Instance::id) == mine.end();
    });
    return page;
}

}  // namespace holdfast
