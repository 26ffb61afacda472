#include "mail.h"

#include <boost/json.hpp>
#include <stdexcept>

namespace holdfast::bench {
namespace {

namespace bj = boost::json;
using http::Method;

constexpr const char* event_name = "reading";

void must_be_distinct(const std::vector<std::vector<std::string>>& by_client) {
    std::vector<std::string_view> ids;
    for (const auto& some : by_client) ids.insert(ids.end(), some.begin(), some.end());
    std::ranges::sort(ids);
    if (std::ranges::adjacent_find(ids) != ids.end())
        throw std::runtime_error("two events have the same id");
}

// An external runner that begins at the workflow's first index.
class Runner {
public:
    Runner(const std::string& url, const std::string& path)
        : connection_(connect(url)), path_(path + "/wait") {}

    // Waits for the next event, without a limit, and returns its value.
    bj::value next() {
        const std::string index = std::to_string(index_);
        bj::value reply =
            request(connection_, Method::post, path_,
                    R"({"run":1,"index":)" + index + R"(,"names":[")" + event_name + "\"]}", {200});
        while (reply.at("outcome") == "suspended")
            reply = request(connection_, Method::get, path_ + "?run=1&timeout=20s&index=" + index,
                            {}, {200});
        ++index_;
        return reply.at("value");
    }

private:
    http::ClientConnection connection_;
    std::string path_;
    std::size_t index_ = 0;
};

}  // namespace

ClientWork Target::send(const ClientLoad& load) {
    std::vector<std::vector<std::string>> ids(load.clients);
    const std::string target = path_ + "/events/" + event_name;
    const auto exchange = [&](http::ClientConnection& connection, std::size_t client,
                              std::size_t n) {
        const std::string body = R"({"value":{"client":)" + std::to_string(client) + R"(,"n":)" +
                                 std::to_string(n) + "}}";
        const bj::value reply = request(connection, Method::post, target, body, {200, 202});
        ids[client].emplace_back(reply.at("id").as_string());
    };
    ClientWork work = run_clients(url_, load, exchange);
    must_be_distinct(ids);
    return work;
}

void Target::send_end() {
    auto connection = connect(url_);
    (void)request(connection, Method::post, path_ + "/events/" + event_name,
                  R"({"value":{"end":true}})", {200, 202});
}

void Target::consume() {
    Runner runner(url_, path_);
    for (;;) {
        const bj::value value = runner.next();
        if (value.as_object().contains("end")) return;
        const auto client = value.at("client").to_number<std::size_t>();
        if (client >= taken_.size()) taken_.resize(client + 1);
        if (value.at("n").to_number<std::size_t>() != taken_[client]++)
            throw std::runtime_error("event out of order for its sender: " + bj::serialize(value));
        ++consumed_;
    }
}

void Target::must_have_consumed(const ClientWork& work) const {
    if (taken_ != work.counts) throw std::runtime_error("not every accepted event was consumed");
}

}  // namespace holdfast::bench
