#include "support/world.h"

#include <libpq-fe.h>
#include <sqlite3.h>

#include <filesystem>

#include "base/json/canonical.h"
#include "program/flow.h"
#include "store/memory/store.h"

namespace holdfast::testing {
namespace {

std::string make_directory(const std::filesystem::path& parent) {
    std::string pattern = (parent / "holdfast-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary directory");
    return pattern;
}

std::string postgres_query(const std::string& url, const std::string& sql) {
    std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(url.c_str()), &PQfinish);
    std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), sql.c_str()),
                                                         &PQclear);
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        throw std::runtime_error(PQerrorMessage(connection.get()));
    return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
}

std::string sqlite_query(const std::string& path, const std::string& sql) {
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    std::string first;
    const auto take_first = [](void* out, int, char** values, char**) {
        auto& text = *static_cast<std::string*>(out);
        if (text.empty() && values[0]) text = values[0];
        return 0;
    };
    char* problem = nullptr;
    sqlite3_exec(database, sql.c_str(), take_first, &first, &problem);
    const std::string message = problem ? problem : "";
    sqlite3_free(problem);
    sqlite3_close(database);
    if (!message.empty()) throw std::runtime_error(message);
    return first;
}

}  // namespace

PrivatePostgres& shared_postgres() {
    static PrivatePostgres server;
    return server;
}

namespace {

// A copy takes a third of the time that the migrations take.
const std::string& migrated_template() {
    static const std::string name = [] {
        shared_postgres().create_database("migrated");
        SystemClock clock;
        auto store = open_store(shared_postgres().url("migrated"), {.clock = &clock});
        if (!store) throw std::runtime_error(store.error().message);
        return std::string("migrated");
    }();
    return name;
}

}  // namespace

StorePlace::StorePlace(const std::string& kind, const std::string& parent, Content content)
    : kind_(kind) {
    static int databases = 0;
    if (kind == "memory") url_ = "memory:";
    if (kind == "sqlite") {
        directory_ = make_directory(parent.empty() ? std::filesystem::temp_directory_path().string()
                                                   : parent);
        url_ = "sqlite:" + directory_ + "/holdfast.db";
    }
    if (kind == "postgres") {
        const std::string name = "test_" + std::to_string(++databases);
        shared_postgres().create_database(
            name, content == Content::newest_schema ? migrated_template() : "template1");
        url_ = shared_postgres().url(name);
    }
}

StorePlace::~StorePlace() {
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
}

void StorePlace::execute(const std::string& sql) const { (void)query(sql); }

std::string StorePlace::query(const std::string& sql) const {
    return kind_ == "postgres" ? postgres_query(url_, sql) : sqlite_query(url_.substr(7), sql);
}

World::World(const std::string& kind, StoreOptions given, ShardLimits shard_limits)
    : place(kind), ids(clock), metrics(registry), options(std::move(given)), limits(shard_limits) {
    if (!options.clock) options.clock = &clock;
    open();
}

World::~World() { close(); }

void World::open() {
    auto opened = open_store(place.url(), options);
    if (!opened) throw std::runtime_error(opened.error().message);
    store = *std::move(opened);
    auto coordinating = Coordinator::open(*store, ids, metrics,
                                          {.self = [this] { return self; }, .limits = limits});
    if (!coordinating) throw std::runtime_error(coordinating.error().message);
    coordinator = *std::move(coordinating);
}

void World::close() {
    coordinator.reset();
    store.reset();
}

void World::restart() {
    close();
    open();
}

void World::tamper(const std::string& sql) {
    close();
    place.execute(sql);
    open();
}

void World::corrupt_state(const InstanceId& id) {
    if (auto* memory = dynamic_cast<memory::MemoryStore*>(store.get()))
        return memory->corrupt_state(id);
    if (place.kind() == "postgres")
        return tamper("update documents set state = '{\"rotten\": true}' where instance_id = '" +
                      to_string(id) + "'");
    tamper(
        "update documents set state = '{\"rotten\":true}' where instance = (select seq from "
        "instances "
        "where hex(id) = upper(replace('" +
        to_string(id) + "', '-', '')))");
}

void World::define(const std::string& key, const std::string& schema,
                   std::vector<std::string> indexes) {
    op::Define define{.cause = cause(), .key = key};
    if (!schema.empty()) {
        define.schema = json::canonical(json_of(schema));
        define.compiled = *StateSchema::compile(*define.schema);
    }
    for (const std::string& path : indexes) define.indexes.push_back(*json::parse_path(path));
    run(std::move(define));
}

void World::define_program(const std::string& key) {
    run(op::Define{.cause = cause(), .key = key, .kind = "flow", .program = flow_program()});
    if (!self.node) {
        const NodeId node = ids.next<NodeId>();
        if (!store->join({node, "node", std::chrono::hours(1)}))
            throw std::runtime_error("the node could not join the store");
        self.node = node;
    }
    self.programs.insert(key);
}

Instance World::start(const std::string& definition, const std::string& state,
                      BusinessReference business, const std::string& metadata) {
    const auto outcome = run(op::Start{.cause = cause(),
                                       .definition = definition,
                                       .business = std::move(business),
                                       .state = document(state),
                                       .state_metadata = document(metadata)});
    return std::get<op::Started>(outcome).instance;
}

Instance World::read(const InstanceId& id) {
    const auto outcome =
        run(op::Read{.cause = Cause::of_engine(ids.next<OperationId>()), .instance = id});
    return std::get<op::Found>(outcome).instance;
}

std::vector<HistoryRow> World::history(const InstanceId& id) {
    auto page = store->ask(HistoryQuery{id, 0, 100'000});
    EXPECT_TRUE(page.has_value());
    return page ? page->items : std::vector<HistoryRow>{};
}

boost::json::value json_of(const std::string& text) {
    auto value = json::parse(text);
    if (!value) throw std::runtime_error("not JSON: " + text);
    return *std::move(value);
}

Document document(const std::string& text) { return Document::of(json_of(text)); }

}  // namespace holdfast::testing
