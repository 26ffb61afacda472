// What a caller can read: the read side, without what belongs to other tenants. An id of another
// tenant is answered like one that does not exist.
#pragma once

#include "model/caller.h"
#include "store/reads.h"

namespace holdfast {

// A value; the reads outlive it. What is about the engine itself is asked of the store.
class TenantReads {
public:
    TenantReads(Reads& reads, const Caller& caller) : reads_(&reads), tenant_(caller.tenant) {}

    Result<std::optional<FoundInstance>> ask(const FindInstance& query) const;
    Result<Standing> ask(const FindStanding& query) const;
    Result<std::vector<Instance>> ask(const FindRows& query) const;
    // Also of a cleared instance.
    Result<HistoryPage> ask(const HistoryQuery& query) const;
    Result<CheckpointPage> ask(const CheckpointQuery& query) const;
    Result<KnownEvent> ask(const FindEvent& query) const;
    Result<std::optional<JournalEntry>> ask(const FindJournalEntry& query) const;
    Result<std::optional<HumanTask>> ask(const FindTask& query) const;
    Result<TaskEventPage> ask(const TaskEventQuery& query) const;
    Result<std::optional<DeadLetter>> ask(const FindDeadLetter& query) const;
    Result<StrandedPage> ask(const FindStranded& query) const;
    // Queries with a tenant among their conditions.
    template <class Query>
        requires requires(Query query, std::string tenant) { query.tenant = tenant; }
    Result<typename Query::Answer> ask(Query query) const {
        query.tenant = tenant_;
        return reads_->ask(query);
    }
    template <class Query>
        requires requires(Query query, std::string tenant) { query.events.tenant = tenant; }
    Result<typename Query::Answer> ask(Query query) const {
        query.events.tenant = tenant_;
        return reads_->ask(query);
    }
    template <class Query>
        requires requires(Query query, std::string tenant) { query.channel.tenant = tenant; }
    Result<typename Query::Answer> ask(Query query) const {
        query.channel.tenant = tenant_;
        return reads_->ask(query);
    }

private:
    Result<bool> has(const InstanceId& id) const;

    Reads* reads_;
    std::string tenant_;
};

}  // namespace holdfast
