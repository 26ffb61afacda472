// The HTTP API on a store of any kind, in the process of the test, and a client for it.
#pragma once

#include <boost/json.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/threads/worker_pool.h"
#include "http/access/audit_log.h"
#include "http/access/token_issuer.h"
#include "http/api.h"
#include "http/router.h"
#include "http/wire/client_connection.h"
#include "http/wire/server.h"
#include "pump/retention/retention.h"
#include "support/world.h"

namespace holdfast::testing {

class ApiContract;

inline std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

inline const std::string workflows = "/api/v1/workflows";
// A user, and the id of a workflow that does not exist.
inline constexpr const char* alice = "11111111-1111-4111-8111-111111111111";
inline constexpr const char* nobody = "01890a5d-ac96-774b-bcce-b302099a8057";

using http::Method;

using Fields = std::vector<std::pair<std::string, std::string>>;

// A response; `body` is null if it is empty or not JSON.
struct Reply {
    int status = 0;
    http::Headers headers;
    std::string text;
    boost::json::value body;

    // Empty: the header is absent.
    std::string header(std::string_view name) const;
    // A member of the body by JSON Pointer; if it is absent, fails the test and returns null.
    const boost::json::value& at(std::string_view pointer) const;
    std::string text_at(std::string_view pointer) const;
    std::uint64_t number_at(std::string_view pointer) const;
    std::string slug() const;  // the last part of a problem's `type`
};

std::ostream& operator<<(std::ostream& out, const Reply& reply);

// One keep-alive connection; one thread at a time.
class ApiClient {
public:
    // With a contract, a response that is not as /openapi.json describes it fails the test.
    explicit ApiClient(std::uint16_t port, ApiContract* contract = nullptr);

    // Sends the body as application/json unless `headers` has another type. Throws if there is no
    // response.
    Reply call(Method method, const std::string& target, const std::string& body = {},
               const Fields& headers = {});

private:
    http::ClientConnection connection_;
    ApiContract* contract_;
};

struct ApiOptions {
    StoreOptions store = {};
    ShardLimits limits = {};
    http::GateOptions gate = {};
    std::size_t queue_limit = 10'000;
    std::size_t queue_bytes = std::size_t{64} << 20;
    std::size_t open_polls = 64;
    RetentionSettings retention = {};
    // A test that is about other nodes shortens them.
    http::KeyRing::Ages keys = {.fresh_for = std::chrono::hours{1},
                                .usable_for = std::chrono::hours{1}};
    http::KeyRing::SessionTimes sessions = {};
    http::ShareLimits shares = {};
    http::AuditOptions audit = {};
    std::optional<http::IssuerOptions> issuer = {};
    http::WebhookRules webhooks = {};
    // What the routes get in place of the store. Absent: the store.
    std::function<std::unique_ptr<Store>(Store&)> in_between = {};
};

// Does not build declared indexes by itself, so that the test knows when they are ready.
class ApiServer {
public:
    explicit ApiServer(const std::string& kind, ApiOptions options = {});
    ~ApiServer();

    Reply call(Method method, const std::string& target, const std::string& body = {},
               const Fields& headers = {});
    ApiClient client() const;
    std::uint16_t port() const;
    std::vector<http::RouteSummary> routes() const;

    // The first step of a shutdown.
    void drain_polls();
    // Like a restarted process: connections are lost, clients reconnect.
    void restart();
    // These close the store, work on its database, and open it again; not for memory.
    void tamper(const std::string& sql);
    std::string query_closed(const std::string& sql);
    void corrupt_state(const std::string& id);

    // Defines "order" without a schema, and starts an instance of it.
    Reply start(const std::string& state = "{}");
    std::string start_id(const std::string& state = "{}") { return start(state).text_at("/id"); }
    // PATCH as application/json with this If-Match.
    Reply patch(const std::string& id, const std::string& if_match, const std::string& body,
                const std::string& query = "");
    Reply get(const std::string& id) { return call(Method::get, path_of(id)); }
    // The value of one line of /metrics; fails the test if it is absent.
    double metric(const std::string& line);
    // The number of conflicts with that resolution.
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

// The row count of each table and the sums of version and rev: changes with any write. Not for
// memory.
std::string fingerprint(ApiServer& server);

// Base of API tests that run on both durable stores.
class DurableApi : public ::testing::TestWithParam<const char*> {
protected:
    ApiServer server_{GetParam()};
};

inline auto durable_stores() { return ::testing::Values("sqlite", "postgres"); }

}  // namespace holdfast::testing
