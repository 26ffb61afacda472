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
      browse_pool_(address, options.readers, Role::reader),
      lookup_pool_(address, options.readers, Role::writer),
      keyed_list_pool_(address, options.readers, Role::writer),
      node_pool_(address, node_connections, Role::writer) {}

std::size_t PostgresStore::writer_count() const {
    return options_.writers ? options_.writers : default_writers;
}

Result<std::unique_ptr<Writer>> PostgresStore::open_writer() {
    return std::make_unique<PostgresWriter>(address_, options_, definitions_);
}

Result<std::optional<FoundInstance>> PostgresStore::find(const InstanceId& id, Depth depth) {
    return look_up([&](Connection& connection) { return postgres::find(connection, id, depth); });
}

Result<std::vector<Instance>> PostgresStore::find_rows(std::span<const InstanceId> ids) {
    return look_up([&](Connection& connection) { return postgres::find_rows(connection, ids); });
}

Result<InstancePage> PostgresStore::search(const InstanceQuery& query) {
    if (auto checked = search_parameters(query, {}); !checked)
        return std::unexpected(checked.error());
    auto page = browse([&](Connection& connection) { return postgres::search(connection, query); });
    if (!page && page.error().code == ErrorCode::refused)
        page.error().code = ErrorCode::invalid_argument;  // a text that cannot be in a document
    if (!page && query.budget.stop.stop_requested()) return std::unexpected(stopped_read());
    return page;
}

Result<HistoryPage> PostgresStore::history(const InstanceId& id, Version from, std::size_t limit) {
    return list_by_key(
        [&](Connection& connection) { return postgres::history(connection, id, from, limit); });
}

Result<ConflictPage> PostgresStore::conflicts(const ConflictQuery& query) {
    return browse([&](Connection& connection) { return postgres::conflicts(connection, query); });
}

Result<std::vector<Checkpoint>> PostgresStore::checkpoints(const InstanceId& id) {
    return list_by_key(
        [&](Connection& connection) { return postgres::checkpoints(connection, id); });
}

Result<std::shared_ptr<const Definition>> PostgresStore::definition(const DefinitionRef& ref) {
    return look_up([&](Connection& connection) {
        return postgres::definition(connection, ref, definitions_);
    });
}

Result<KnownEvent> PostgresStore::event(const EventId& id) {
    return look_up([&](Connection& connection) { return known_event(connection, id); });
}

Result<PendingPage> PostgresStore::pending_events(const EventQuery& query) {
    return browse(
        [&](Connection& connection) { return postgres::pending_events(connection, query); });
}

Result<DeadPage> PostgresStore::dead_events(const EventQuery& query) {
    return browse([&](Connection& connection) { return postgres::dead_events(connection, query); });
}

Result<std::optional<JournalEntry>> PostgresStore::journal(const InstanceId& id,
                                                           std::uint64_t index) {
    return look_up([&](Connection& connection) { return journal_entry(connection, id, index); });
}

Result<DueTimers> PostgresStore::due_timers(std::size_t limit) {
    return look_up([&](Connection& connection) { return postgres::due_timers(connection, limit); });
}

Result<std::optional<HumanTask>> PostgresStore::task(const TaskId& id) {
    return look_up([&](Connection& connection) { return postgres::task(connection, id); });
}

Result<TaskPage> PostgresStore::tasks(const TaskQuery& query) {
    return browse([&](Connection& connection) { return postgres::tasks(connection, query); });
}

Result<std::vector<TaskEvent>> PostgresStore::task_events(const TaskId& id) {
    return list_by_key(
        [&](Connection& connection) { return postgres::task_events(connection, id); });
}

Result<std::vector<IndexState>> PostgresStore::indexes() {
    return browse([](Connection& connection) { return postgres::indexes(connection); });
}

Result<void> PostgresStore::build_indexes(std::stop_token stop) {
    return build_declared_indexes(address_, stop);
}

Result<void> PostgresStore::ping() {
    return look_up([](Connection& connection) { return postgres::ping(connection); });
}

}  // namespace holdfast::postgres
