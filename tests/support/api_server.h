// The HTTP API over a store of any kind, inside the test's own process, and a client for it.
#pragma once

#include <boost/json.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/threads/worker_pool.h"
#include "http/api.h"
#include "http/router.h"
#include "http/wire/client_connection.h"
#include "http/wire/server.h"
#include "pump/retention/retention.h"
#include "support/world.h"

namespace holdfast::testing {

using http::Method;

using Fields = std::vector<std::pair<std::string, std::string>>;

// An answer; `body` is null where it is empty or not JSON.
struct Reply {
    int status = 0;
    http::Headers headers;
    std::string text;
    boost::json::value body;

    // Empty: not sent.
    std::string header(std::string_view name) const;
    // A member of the body by JSON Pointer; fails the test and gives null where there is none.
    const boost::json::value& at(std::string_view pointer) const;
    std::string text_at(std::string_view pointer) const;
    std::uint64_t number_at(std::string_view pointer) const;
    std::string slug() const;  // the last part of a problem's `type`
};

std::ostream& operator<<(std::ostream& out, const Reply& reply);

// One kept-alive connection; one thread at a time.
class ApiClient {
public:
    explicit ApiClient(std::uint16_t port);

    // A body goes out as application/json unless `headers` name another type. Throws when the
    // server does not answer.
    Reply call(Method method, const std::string& target, const std::string& body = {},
               const Fields& headers = {});

private:
    http::ClientConnection connection_;
};

struct ApiOptions {
    StoreOptions store = {};
    ShardLimits limits = {};
    http::GateOptions gate = {};
    std::size_t queue_limit = 10'000;
    std::size_t open_polls = 64;
    RetentionSettings retention = {};
};

// Declared indexes are built when the test asks, so that it knows when they are ready.
class ApiServer {
public:
    explicit ApiServer(const std::string& kind, ApiOptions options = {});
    ~ApiServer();

    Reply call(Method method, const std::string& target, const std::string& body = {},
               const Fields& headers = {});
    ApiClient client() const { return ApiClient(port()); }
    std::uint16_t port() const;
    std::vector<http::RouteSummary> routes() const;

    // As a server that is told to end does first.
    void drain_polls();
    // As a restarted process would; connections are lost, clients connect again by themselves.
    void restart();
    // Work on the closed database and open it again; not for memory.
    void tamper(const std::string& sql);
    std::string query_closed(const std::string& sql);
    void corrupt_state(const std::string& id);

    // Defines "order" without a schema, once, and starts an instance of it.
    Reply start(const std::string& state = "{}");
    std::string start_id(const std::string& state = "{}") { return start(state).text_at("/id"); }
    // PATCH as application/json with this If-Match.
    Reply patch(const std::string& id, const std::string& if_match, const std::string& body,
                const std::string& query = "");
    Reply get(const std::string& id) { return call(Method::get, path_of(id)); }
    // The value of one line of /metrics; fails the test where there is none.
    double metric(const std::string& line);
    // Rows in `conflicts` of that resolution.
    std::size_t conflicts(const std::string& resolution);

    static std::string path_of(const std::string& id) { return "/api/v1/workflows/" + id; }

    World world;

private:
    struct Site;

    void open();
    void close();

    const ApiOptions options_;
    std::unique_ptr<Site> site_;
    std::optional<ApiClient> client_;
};

// Of each table the number of its rows, and the sums of what a touch moves. Not for memory.
std::string fingerprint(ApiServer& server);

// For an API test that runs on both durable stores as server_.
class DurableApi : public ::testing::TestWithParam<const char*> {
protected:
    ApiServer server_{GetParam()};
};

inline auto durable_stores() { return ::testing::Values("sqlite", "postgres"); }

}  // namespace holdfast::testing
