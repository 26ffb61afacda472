#include "attack/town.h"

#include <algorithm>
#include <stdexcept>

#include "base/time/clock.h"
#include "model/api_key.h"
#include "store/options.h"
#include "store/store.h"
#include "support/eventually.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using http::Method;

const std::string all_workflows = "/api/v1/workflows";

std::string quoted(const std::string& text) { return '"' + text + '"'; }

}  // namespace

bj::value Answer::json() const {
    boost::system::error_code error;
    bj::value value = bj::parse(text, error);
    return error ? bj::value() : value;
}

std::string Answer::at(std::string_view path) const {
    const bj::value body = json();
    boost::system::error_code error;
    const bj::value* const found = body.find_pointer({path.data(), path.size()}, error);
    if (error || !found) return {};
    return found->is_string() ? std::string(found->get_string()) : bj::serialize(*found);
}

std::string Answer::slug() const {
    const std::string type = at("/type");
    return type.substr(type.rfind('/') + 1);
}

std::ostream& operator<<(std::ostream& out, const Answer& answer) {
    return out << answer.status << ' ' << answer.text;
}

Town::Town(const std::string& store) : place_(store) {
    add_keys(place_.url());
    server_ = std::make_unique<ServerProcess>(place_.url());
    connection_ =
        std::make_unique<http::ClientConnection>(*http::ClientConnection::to(server_->url()));
    settle();
}

// Nobody makes keys for another tenant through the API.
void Town::add_keys(const std::string& url) {
    const SystemClock clock;
    auto store = open_store(url, {.clock = &clock});
    if (!store) throw std::runtime_error(store.error().message);
    for (const std::string tenant : {"default", "acme"})
        for (const std::string role : {"admin", "operator", "viewer", "participant", "worker"}) {
            const IssuedKey made = make_key();
            const auto added = (*store)->change_keys({.add = ApiKey{.id = made.id,
                                                                    .tenant = tenant,
                                                                    .name = tenant + '-' + role,
                                                                    .user = "ann",
                                                                    .roles = {role},
                                                                    .definitions = {},
                                                                    .secret = made.secret,
                                                                    .created_at = clock.now()}});
            if (!added) throw std::runtime_error(added.error().message);
            keys_[(tenant == "acme" ? "acme " : "") + role] = made.text;
            if (tenant == "acme" && role == "worker") key_id = made.id;
        }
}

Answer Town::must(const std::string& key, Method method, const std::string& target,
                  const std::string& body, const Fields& headers) {
    Answer answer = ask(key, method, target, body, headers);
    if (answer.status / 100 != 2)
        throw std::runtime_error(target + ": " + std::to_string(answer.status) + answer.text);
    return answer;
}

void Town::settle() {
    const std::string mark = quoted(acmes_mark);
    const std::string boss = "acme operator";
    must(boss, Method::put, "/api/v1/definitions/plan",
         R"({"schema": {"type": "object", "title": )" + mark + "}}");
    must(boss, Method::put, "/api/v1/definitions/waiter", "{}");
    workflow = must(boss, Method::post, all_workflows,
                    R"({"definition": "plan", "businessKey": )" + mark + R"(, "state": {"iban": )" +
                        mark + "}}",
                    {{"Idempotency-Key", "start-1"}})
                   .at("/id");
    const std::string path = all_workflows + '/' + workflow;
    task = must(boss, Method::post, path + "/tasks",
                R"({"run": 1, "index": 0, "name": )" + mark + R"(, "candidateUsers": ["ann"]})")
               .at("/id");
    must(boss, Method::post, path + "/checkpoints", R"({"name": "c"})");
    event =
        must(boss, Method::post, "/api/v1/events/paid",
             R"({"correlationKey": "k-1", "value": )" + mark + "}", {{"Idempotency-Key", "e-1"}})
            .at("/id");
    delayed =
        must(boss, Method::post, "/api/v1/events/late", R"({"after": "1h", "value": )" + mark + "}")
            .at("/id");
    must(boss, Method::put, "/api/v1/schedules/nightly",
         R"({"every": "1000h", "start": {"definition": "plan", "businessKey": )" + mark + "}}");
    bulk_job =
        must(boss, Method::post, "/api/v1/bulk-jobs",
             R"({"query": {"businessKey": "nobody"}, "action": {"do": "pause"}, "reason": )" +
                 mark + "}")
            .at("/id");
    const std::string job = "/api/v1/bulk-jobs/" + bulk_job;
    if (!eventually([&] { return must(boss, Method::get, job).at("/status") == "done"; }))
        throw std::runtime_error("the bulk job does not end");
    must("admin", Method::put, "/api/v1/definitions/mine", "{}");
}

Answer Town::send(Method method, const std::string& target, const std::string& body,
                  const Fields& fields) {
    http::Headers headers;
    for (const auto& [name, value] : fields) headers.add(name, value);
    auto response = connection_->exchange(method, target, headers, body);
    if (!response) return {.status = 0, .headers = {}, .text = response.error().message};
    return {response->status, std::move(response->headers), std::move(response->body)};
}

Answer Town::ask(const std::string& key, Method method, const std::string& target,
                 const std::string& body, const Fields& more) {
    Fields headers = more;
    if (!key.empty()) headers.emplace_back("Authorization", "Bearer " + keys_.at(key));
    const bool typed =
        std::ranges::any_of(more, [](const auto& field) { return field.first == "Content-Type"; });
    if (!body.empty() && !typed) headers.emplace_back("Content-Type", "application/json");
    return send(method, target, body, headers);
}

std::string Town::stream_of(const std::string& key, const std::string& query,
                            const std::string& until) {
    auto connection = http::ClientConnection::to(server_->url());
    http::Headers headers;
    headers.add("Authorization", "Bearer " + keys_.at(key));
    std::string seen;
    const auto ended =
        connection->follow("/api/v1/stream" + query, headers, [&](std::string_view bytes) {
            seen += bytes;
            return !seen.contains(until);
        });
    if (!ended) return seen + "\nlost: " + ended.error().message;
    return seen + (ended->status == 200 ? "" : ended->body);
}

std::string Town::estate() {
    std::string all;
    const std::string path = all_workflows + '/' + workflow;
    for (const std::string& target :
         {path, path + "/history", path + "/checkpoints", std::string(all_workflows + "?limit=200"),
          "/api/v1/tasks/" + task, "/api/v1/tasks/" + task + "/events",
          std::string("/api/v1/pending-events"), std::string("/api/v1/schedules"),
          std::string("/api/v1/definitions"), std::string("/api/v1/definitions/plan"),
          std::string("/api/v1/dead-events"), std::string("/api/v1/conflicts"),
          "/api/v1/event-fates/" + event, "/api/v1/event-fates/" + delayed})
        all += target + ' ' + ask("acme operator", Method::get, target).text + '\n';
    return all;
}

std::string Town::own_workflow(const std::string& definition) {
    return must("operator", Method::post, all_workflows,
                R"({"definition": ")" + definition + R"("})")
        .at("/id");
}

}  // namespace holdfast::testing
