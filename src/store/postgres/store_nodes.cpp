#include "store/postgres/connection/notify.h"
#include "store/postgres/nodes.h"
#include "store/postgres/prune.h"
#include "store/postgres/read/read_signals.h"
#include "store/postgres/store.h"

namespace holdfast::postgres {

Result<std::vector<std::vector<JournalEntry>>> PostgresStore::answer(const ListJournals& query) {
    return look_up(
        [&](Connection& connection) { return postgres::journals(connection, query.parts); });
}

Result<void> PostgresStore::join(const Joining& joining) {
    return run([&](Connection& connection) { return postgres::join(connection, joining); });
}

Result<Beat> PostgresStore::beat(const NodeId& id, std::chrono::microseconds lease,
                                 const std::vector<std::string>& programs) {
    return run([&](Connection& connection) {
        return postgres::beat(connection, id, lease, programs, follows_);
    });
}

Result<void> PostgresStore::leave(const NodeId& id) {
    return run([&](Connection& connection) { return postgres::leave(connection, id); });
}

Result<std::vector<NodeRow>> PostgresStore::answer(const ListNodes&) {
    return browse([](Connection& connection) { return postgres::nodes(connection); });
}

Result<std::optional<NodeRow>> PostgresStore::answer(const FindNode& query) {
    return look_up([&](Connection& connection) { return postgres::node(connection, query.id); });
}

Result<Claimed> PostgresStore::claim(const Claim& claim) {
    return run([&](Connection& connection) { return postgres::claim(connection, claim); });
}

Result<void> PostgresStore::give_back(const SignalId& id, const Lease& lease,
                                      std::chrono::microseconds pause, GiveBack attempt) {
    return run([&](Connection& connection) {
        return postgres::give_back(connection, id, lease, pause, attempt);
    });
}

Result<std::optional<DeadLetter>> PostgresStore::answer(const FindDeadLetter& query) {
    return look_up(
        [&](Connection& connection) { return postgres::dead_letter(connection, query.id); });
}

Result<DeadLetterPage> PostgresStore::answer(const DeadLetterQuery& query) {
    return browse(
        [&](Connection& connection) { return postgres::dead_letters(connection, query); });
}

Result<JobPage> PostgresStore::answer(const JobQuery& query) {
    return browse([&](Connection& connection) { return postgres::jobs(connection, query); });
}

Result<IncidentPage> PostgresStore::answer(const IncidentQuery& query) {
    return browse([&](Connection& connection) { return postgres::incidents(connection, query); });
}

Result<void> PostgresStore::announce(const Announcement& announcement) {
    return run([&](Connection& connection) {
        return postgres::announce(connection, announcement, sender_);
    });
}

Result<void> PostgresStore::listen(const std::function<void()>& listening,
                                   const std::function<void(const Announcement&)>& heard,
                                   std::stop_token stop) {
    const auto doubt = [this](const Announcement& announcement) {
        const std::lock_guard lock(writers_mutex_);
        for (const auto& doubts : doubts_) doubts->add(announcement);
    };
    return postgres::listen(
        address_, sender_,
        [&] {
            doubt({.everyone = true});  // earlier ones were missed
            listening();
        },
        [&](const Announcement& announcement) {
            doubt(announcement);
            heard(announcement);
        },
        stop);
}

Result<std::optional<HostLock>> PostgresStore::lock_host(const std::string& name,
                                                         const std::string& owner,
                                                         std::chrono::microseconds time) {
    return run(
        [&](Connection& connection) { return postgres::lock_host(connection, name, owner, time); });
}

Result<std::vector<HostLock>> PostgresStore::answer(const ListHostLocks&) {
    return browse([](Connection& connection) { return postgres::host_locks(connection); });
}

Result<Backlog> PostgresStore::answer(const CountBacklog& query) {
    return browse([&](Connection& connection) { return postgres::backlog(connection, query); });
}

Result<StreamPage> PostgresStore::answer(const StreamQuery& query) {
    return list_by_key([&](Connection& connection) { return postgres::stream(connection, query); });
}

Result<std::optional<Moment>> PostgresStore::answer(const FindMark& query) {
    return run([&](Connection& connection) { return postgres::mark(connection, query.name); });
}

Result<void> PostgresStore::set_mark(const std::string& name, Moment at) {
    return run([&](Connection& connection) { return postgres::set_mark(connection, name, at); });
}

Result<Moment> PostgresStore::answer(const FindTime&) {
    return run([](Connection& connection) { return postgres::now(connection); });
}

Result<Pruned> PostgresStore::prune(const Prune& prune) {
    return run([&](Connection& connection) { return postgres::prune(connection, prune); });
}

Result<TrimmedHistories> PostgresStore::trim_histories(const TrimHistories& trim) {
    return run([&](Connection& connection) { return postgres::trim_histories(connection, trim); });
}

Result<StalePage> PostgresStore::answer(const FindStale& query) {
    return browse([&](Connection& connection) { return postgres::find_stale(connection, query); });
}

Result<StrandedPage> PostgresStore::answer(const FindStranded& query) {
    return browse(
        [&](Connection& connection) { return postgres::find_stranded(connection, query); });
}

Result<std::map<std::string, Retention>> PostgresStore::answer(const ListRetentions&) {
    return browse([](Connection& connection) { return postgres::retentions(connection); });
}

Result<std::vector<DefinitionSummary>> PostgresStore::answer(const DefinitionQuery& query) {
    return browse([&](Connection& connection) { return postgres::definitions(connection, query); });
}

Result<std::vector<DefinitionSummary>> PostgresStore::answer(const VersionQuery& query) {
    return browse([&](Connection& connection) { return postgres::versions(connection, query); });
}

}  // namespace holdfast::postgres
