#include "store/postgres/store.h"

#include "base/ids/id_source.h"
#include "store/postgres/connection/durability.h"
#include "store/postgres/index_builder.h"
#include "store/postgres/read/read.h"
#include "store/postgres/read/read_mail.h"
#include "store/postgres/read/search.h"
#include "store/postgres/read/tasks.h"
#include "store/postgres/schema.h"
#include "store/postgres/write/writer.h"

namespace holdfast::postgres {
namespace {

constexpr std::size_t default_writers = 2;
constexpr std::size_t node_connections = 4;

std::string new_sender() {
    const SystemClock clock;
    return to_string(IdSource(clock).next_uuid());
}

}  // namespace

Result<std::unique_ptr<Store>> open_postgres(const std::string& url, const StoreOptions& options) {
    const Address address{url, options.call_timeout};
    if (auto done = migrate(address); !done) return std::unexpected(done.error());
    if (!options.allow_weak_durability)
        if (auto checked = check_durability(address); !checked)
            return std::unexpected(checked.error());
    return std::make_unique<PostgresStore>(address, options);
}

PostgresStore::PostgresStore(const Address& address, const StoreOptions& options)
    : sender_(new_sender()),
      address_(address),
      options_(options),
      browse_pool_(address, options.readers + options.searchers, Role::reader),
      lookup_pool_(address, options.readers, Role::writer),
      keyed_list_pool_(address, options.readers + options.searchers, Role::writer),
      node_pool_(address, node_connections, Role::writer) {}

std::size_t PostgresStore::writer_count() const {
    return options_.writers ? options_.writers : default_writers;
}

Result<std::unique_ptr<Writer>> PostgresStore::open_writer() {
    const std::lock_guard lock(writers_mutex_);
    const auto& doubts = doubts_.emplace_back(std::make_shared<Doubts>());
    return std::make_unique<PostgresWriter>(address_, options_, definitions_, doubts);
}

void PostgresStore::read(const AnyQuestion& question) {
    answer_by([this](const auto& query) { return answer(query); }, question);
}

Result<std::optional<FoundInstance>> PostgresStore::answer(const FindInstance& query) {
    return look_up(
        [&](Connection& connection) { return postgres::find(connection, query.id, query.depth); });
}

Result<std::vector<Instance>> PostgresStore::answer(const FindRows& query) {
    return look_up(
        [&](Connection& connection) { return postgres::find_rows(connection, query.ids); });
}

Result<InstancePage> PostgresStore::answer(const InstanceQuery& query) {
    if (auto checked = search_parameters(query, {}); !checked)
        return std::unexpected(checked.error());
    auto page = browse([&](Connection& connection) { return postgres::search(connection, query); });
    if (!page && page.error().code == ErrorCode::refused)
        page.error().code = ErrorCode::invalid_argument;  // a text that cannot be in a document
    if (!page && query.budget.stop.stop_requested()) return std::unexpected(stopped_read());
    return page;
}

Result<Standing> PostgresStore::answer(const FindStanding& query) {
    return look_up(
        [&](Connection& connection) { return postgres::standing(connection, query.id); });
}

Result<std::uint64_t> PostgresStore::answer(const CountWaitsBefore& query) {
    return list_by_key(
        [&](Connection& connection) { return postgres::count_waits_before(connection, query); });
}

Result<HistoryPage> PostgresStore::answer(const HistoryQuery& query) {
    return list_by_key([&](Connection& connection) {
        return postgres::history(connection, query.instance, query.from, query.limit);
    });
}

Result<ConflictPage> PostgresStore::answer(const ConflictQuery& query) {
    return browse([&](Connection& connection) { return postgres::conflicts(connection, query); });
}

Result<CheckpointPage> PostgresStore::answer(const CheckpointQuery& query) {
    return list_by_key(
        [&](Connection& connection) { return postgres::checkpoints(connection, query); });
}

Result<std::shared_ptr<const Definition>> PostgresStore::answer(const FindDefinition& query) {
    return look_up([&](Connection& connection) {
        return postgres::definition(connection, {query.tenant, query.ref}, definitions_);
    });
}

Result<KnownEvent> PostgresStore::answer(const FindEvent& query) {
    return look_up([&](Connection& connection) { return known_event(connection, query.id); });
}

Result<PendingPage> PostgresStore::answer(const PendingEventQuery& query) {
    return browse(
        [&](Connection& connection) { return postgres::pending_events(connection, query.events); });
}

Result<DeadPage> PostgresStore::answer(const DeadEventQuery& query) {
    return browse(
        [&](Connection& connection) { return postgres::dead_events(connection, query.events); });
}

Result<std::optional<JournalEntry>> PostgresStore::answer(const FindJournalEntry& query) {
    return look_up([&](Connection& connection) {
        return journal_entry(connection, query.instance, query.index);
    });
}

Result<DueTimers> PostgresStore::answer(const FindDueTimers& query) {
    return look_up(
        [&](Connection& connection) { return postgres::due_timers(connection, query.limit); });
}

Result<std::optional<HumanTask>> PostgresStore::answer(const FindTask& query) {
    return look_up([&](Connection& connection) { return postgres::task(connection, query.id); });
}

Result<TaskPage> PostgresStore::answer(const TaskQuery& query) {
    return browse([&](Connection& connection) { return postgres::tasks(connection, query); });
}

Result<TaskEventPage> PostgresStore::answer(const TaskEventQuery& query) {
    return list_by_key(
        [&](Connection& connection) { return postgres::task_events(connection, query); });
}

Result<std::vector<IndexState>> PostgresStore::answer(const ListIndexes&) {
    return browse([](Connection& connection) { return postgres::indexes(connection); });
}

Result<void> PostgresStore::build_indexes(std::stop_token stop) {
    return build_declared_indexes(address_, stop);
}

Result<void> PostgresStore::answer(const Ping&) {
    return look_up([](Connection& connection) { return postgres::ping(connection); });
}

}  // namespace holdfast::postgres
