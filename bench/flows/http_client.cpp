#include "http_client.h"

#include <boost/json.hpp>
#include <optional>

#include "http/wire/client_connection.h"
#include "measures/crowd.h"

namespace holdfast::bench {
namespace {

namespace bj = boost::json;

// A caller with its own connection.
class Caller {
public:
    explicit Caller(const std::string& url) : connection_(*http::ClientConnection::to(url)) {}

    bj::value call(http::Method method, const std::string& target, const bj::value& body = {}) {
        http::Headers headers;
        std::string text;
        if (!body.is_null()) {
            headers.add("Content-Type", "application/json");
            text = bj::serialize(body);
        }
        const auto response = connection_.exchange(method, target, headers, text);
        if (!response) throw std::runtime_error(response.error().message);
        if (response->status >= 300) throw std::runtime_error(response->body);
        return bj::parse(response->body);
    }
    std::string start(const std::string& flow, bj::array arguments) {
        const bj::value started =
            call(http::Method::post, "/api/v1/workflows",
                 bj::object{{"definition", flow}, {"arguments", std::move(arguments)}});
        return std::string(started.at("id").as_string());
    }
    void wait_for(const std::string& id) {
        const bj::value ended =
            call(http::Method::get, "/api/v1/workflows/" + id + "/result?timeout=60s");
        if (ended.at("status").as_string() != "succeeded")
            throw std::runtime_error("a workflow did not succeed: " + bj::serialize(ended));
    }

private:
    http::ClientConnection connection_;
};

Caller& caller_of(const std::string& url) {
    thread_local std::optional<Caller> caller;
    thread_local std::string connected;
    if (connected != url) caller.emplace(url);
    connected = url;
    return *caller;
}

}  // namespace

Rate run_steps_over_http(const std::string& url, const Callers& load, int steps) {
    return run_callers(load, [&](std::size_t) {
        Caller& caller = caller_of(url);
        caller.wait_for(caller.start("steps", {steps}));
    });
}

Rate run_events_over_http(const std::string& url, const Callers& load) {
    std::vector<std::string> ids(load.workflows);
    run_callers(load, [&](std::size_t i) { ids[i] = caller_of(url).start("waiter", {}); });
    return run_callers(load, [&](std::size_t i) {
        Caller& caller = caller_of(url);
        caller.call(http::Method::post, "/api/v1/workflows/" + ids[i] + "/events/go",
                    bj::object{{"value", 7}});
        caller.wait_for(ids[i]);
    });
}

}  // namespace holdfast::bench
