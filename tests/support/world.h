// A store of any kind with a coordinator, ready to run the operations of a test.
#pragma once

#include <gtest/gtest.h>
#include <prometheus/registry.h>

#include <memory>
#include <string>

#include "base/ids/id_source.h"
#include "base/json/parse.h"
#include "base/time/clock.h"
#include "round/coordinator.h"
#include "store/options.h"
#include "support/private_postgres.h"

namespace holdfast::testing {

// The channel of events without a correlation key, in the usual tenant.
inline ChannelKey channel(const std::string& name) { return {"default", name}; }

// The server that all tests of a program share; each test gets its own database.
PrivatePostgres& shared_postgres();

// An empty location for a store of that kind ("memory", "sqlite", "postgres"), removed by the
// destructor. Files are created in `parent`, or in the temporary directory.
class StorePlace {
public:
    // What a new PostgreSQL database holds: the newest schema, copied from a template, or nothing.
    enum class Content { newest_schema, nothing };

    explicit StorePlace(const std::string& kind, const std::string& parent = "",
                        Content content = Content::newest_schema);
    ~StorePlace();
    StorePlace(const StorePlace&) = delete;
    StorePlace& operator=(const StorePlace&) = delete;

    const std::string& url() const { return url_; }
    const std::string& kind() const { return kind_; }
    // Runs SQL directly on the database. A SQLite store must be closed.
    void execute(const std::string& sql) const;
    std::string query(const std::string& sql) const;

private:
    std::string kind_;
    std::string directory_;
    std::string url_;
};

class World {
public:
    explicit World(const std::string& kind, StoreOptions options = {}, ShardLimits limits = {});
    ~World();

    // Runs one operation to its outcome; fails the test on an error.
    template <class Op>
    typename Op::Outcome run(Op op) {
        auto outcome = coordinator->submit(std::move(op)).get();
        EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : outcome.error().message);
        if (!outcome) throw std::runtime_error(outcome.error().message);
        return *std::move(outcome);
    }
    Cause cause(std::string user = {}) {
        return {.operation = ids.next<OperationId>(), .caller = {.user = std::move(user)}};
    }

    // Closes and opens the same store, like a restarted process.
    void restart();
    // Closes the store, runs SQL on its database, opens it again. Not for memory.
    void tamper(const std::string& sql);
    // Makes the stored state fail its checksum.
    void corrupt_state(const InstanceId& id);

    void define(const std::string& key, const std::string& schema = "",
                std::vector<std::string> indexes = {});
    // Creates a definition with a program; on first use also joins a node, which has the program.
    void define_program(const std::string& key);
    Instance start(const std::string& definition, const std::string& state,
                   BusinessReference business = {}, const std::string& metadata = "{}");
    Instance read(const InstanceId& id);
    std::vector<HistoryRow> history(const InstanceId& id);

    StorePlace place;
    SystemClock clock;
    IdSource ids;
    prometheus::Registry registry;
    CoordinatorMetrics metrics;
    StoreOptions options;
    ShardLimits limits;
    Self self;  // the node of this world, and the programs whose signals it leases
    std::unique_ptr<Store> store;
    std::unique_ptr<Coordinator> coordinator;

private:
    void open();
    void close();
};

boost::json::value json_of(const std::string& text);
Document document(const std::string& text);

// For parameterised tests over the three stores.
inline auto all_stores() { return ::testing::Values("memory", "sqlite", "postgres"); }
inline std::string store_name(const ::testing::TestParamInfo<const char*>& info) {
    return info.param;
}

}  // namespace holdfast::testing
