#include "faults/relay_load.h"

#include <boost/json.hpp>
#include <map>
#include <stdexcept>

#include "base/threads/pause.h"
#include "base/threads/threads.h"
#include "http/wire/client_connection.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using namespace std::chrono_literals;
using http::Method;

constexpr auto pause_after_failure = 20ms;

// The driver gives up the relay: the test ends, or an answer was unexpected.
struct Abandoned {};

struct Request {
    Method method;
    std::string target;
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
};

struct Answer {
    int status = 0;
    bj::value body;

    std::string text(const char* member) const { return std::string(body.at(member).as_string()); }
    std::optional<Version> version() const {
        const bj::object* object = body.if_object();
        const bj::value* found = object ? object->if_contains("version") : nullptr;
        if (!found) return std::nullopt;
        return found->to_number<Version>();
    }
    std::string slug() const {
        const bj::object* object = body.if_object();
        const bj::value* type = object ? object->if_contains("type") : nullptr;
        if (!type) return "";
        const std::string whole(type->as_string());
        return whole.substr(whole.rfind('/') + 1);
    }
};

std::string make_uuid(std::mt19937_64& random) {
    std::string text = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
    for (char& letter : text)
        if (letter == 'x') letter = "0123456789abcdef"[random() % 16];
    return text;
}

std::string body_at(std::uint64_t index) {
    return R"({"run": 1, "index": )" + std::to_string(index) + ", ";
}

}  // namespace

// One thread's work: one relay after the other.
class RelayLoad::Driver {
public:
    Driver(RelayLoad& load, std::size_t number)
        : load_(load), random_(load.options_.seed * 1'000 + number), node_(number) {}

    void drive(std::size_t relay, const std::string& key) {
        relay_ = relay;
        const bool by_nodes = load_.options_.runner == Runner::nodes;
        start(key, by_nodes ? definition_of_nodes : definition);
        by_nodes ? follow_program() : run_stages(key);
    }

private:
    void start(const std::string& key, const std::string& of) {
        const std::string state = R"({"stages": )" + std::to_string(load_.options_.stages) + "}";
        const Answer started =
            send_until_answered({.relay = relay_, .action = Action::start, .key = key},
                                {.method = Method::post,
                                 .target = "/api/v1/workflows",
                                 .body = R"({"definition": ")" + of + R"(", "businessKey": ")" +
                                         key + R"(", "state": )" + state + "}",
                                 .headers = {{"Idempotency-Key", key}}});
        id_ = started.text("id");
        const std::lock_guard lock(load_.mutex_);
        load_.ledger_.relays[relay_].id = id_;
    }

    void run_stages(const std::string& key) {
        std::uint64_t index = 0;
        for (int stage = 0; stage < load_.options_.stages; ++stage) {
            random_() % 3 == 0 ? sleep(index) : wait_for_event(index);
            const Version version = record(index + 1);
            if (random_() % 2 == 0) edit(version, key + "-" + std::to_string(stage));
            index += 2;
        }
        complete(index);
    }

    // Sends the events of the program, which waits for one in every other stage, and waits for its
    // end.
    void follow_program() {
        for (int stage = 0; stage < load_.options_.stages; stage += 2) send(make_uuid(random_));
        const Request read{.method = Method::get, .target = path("")};
        while (true) {
            const auto answer = exchange(read);
            if (answer && answer->status != 200 && answer->status != 503 && answer->status != 429)
                give_up("a read", *answer);
            if (answer && answer->status == 200 && answer->text("status") == "succeeded") return;
            if (!answer || answer->status != 200) try_next_node();
            pause_for(pause_after_failure);
        }
    }

    std::string path(const std::string& rest) const { return "/api/v1/workflows/" + id_ + rest; }

    void sleep(std::uint64_t index) {
        const auto time = load_.options_.timer + std::chrono::milliseconds(random_() % 30);
        {
            const std::lock_guard lock(load_.mutex_);
            load_.ledger_.relays[relay_].timers[index] = time;
        }
        if (!wait(index, R"("after": ")" + std::to_string(time.count()) + "ms\"}")) await(index);
    }

    // Sends the event before the wait, or after it.
    void wait_for_event(std::uint64_t index) {
        const std::string event = make_uuid(random_);
        const bool first = random_() % 2 == 0;
        if (first) send(event);
        const bool met = wait(index, R"("names": ["go"]})");
        if (!first) send(event);
        if (!met) await(index);
    }

    // Whether the wait ended at once.
    bool wait(std::uint64_t index, const std::string& condition) {
        const Answer answer = send_until_answered(
            {.relay = relay_, .action = Action::wait, .key = std::to_string(index)},
            {.method = Method::post, .target = path("/wait"), .body = body_at(index) + condition});
        return answer.text("outcome") == "delivered";
    }

    void send(const std::string& event) {
        send_until_answered(
            {.relay = relay_, .action = Action::send, .key = event},
            {.method = Method::post,
             .target = path("/events/go"),
             .body = R"({"id": ")" + event + R"(", "value": {"event": ")" + event + "\"}}"});
    }

    void await(std::uint64_t index) {
        const Request poll{.method = Method::get,
                           .target = path("/wait?timeout=300ms&index=" + std::to_string(index))};
        while (true) {
            const auto answer = exchange(poll);
            if (!answer || answer->status == 503 || answer->status == 429) {
                try_next_node();
                continue;
            }
            if (answer->status != 200) give_up("a poll", *answer);
            if (answer->text("outcome") == "delivered") return;
            // Poll again: another node may have delivered it, and this one was not notified.
            pause();
        }
    }

    Version record(std::uint64_t index) {
        const std::string body = R"({"run": 1, "name": "work", "inputHash": ")" +
                                 std::string(64, 'a') + R"(", "value": {"n": )" +
                                 std::to_string(index) + "}}";
        const Answer answer = send_until_answered(
            {.relay = relay_, .action = Action::step, .key = std::to_string(index)},
            {.method = Method::put,
             .target = path("/steps/" + std::to_string(index)),
             .body = body});
        if (const auto version = answer.version()) return *version;
        // No version: an unanswered attempt had already recorded the step.
        return read_version();
    }

    Version read_version() {
        while (true) {
            const auto answer = exchange({.method = Method::get, .target = path("")});
            if (answer && answer->status == 200) return *answer->version();
            if (answer && answer->status != 503 && answer->status != 429)
                give_up("a read", *answer);
            try_next_node();
        }
    }

    // Only this driver changes the workflow, so that its version is known.
    void edit(Version version, const std::string& correlation) {
        send_until_answered({.relay = relay_, .action = Action::edit, .key = correlation},
                            {.method = Method::patch,
                             .target = path("/state"),
                             .body = R"({"by": ")" + correlation + "\"}",
                             .headers = {{"Content-Type", "application/merge-patch+json"},
                                         {"If-Match", "\"" + std::to_string(version) + "\""},
                                         {"X-Correlation-Id", correlation}}});
    }

    void complete(std::uint64_t index) {
        send_until_answered({.relay = relay_, .action = Action::complete},
                            {.method = Method::post,
                             .target = path("/complete"),
                             .body = body_at(index) + R"("result": {"done": true}})"});
    }

    // Repeats the request until a node answers it.
    Answer send_until_answered(const Call& call, const Request& request) {
        bool unknown = false;
        while (true) {
            Call attempt = call;
            const auto answer = exchange(request);
            attempt.told = told(call, answer, unknown);
            if (attempt.told == Told::done) {
                if (answer->status < 300) attempt.version = answer->version();
                // The answer to a repeated request has the current version, not that of the
                // request.
                if (call.action == Action::start || unknown) attempt.version.reset();
                load_.note(std::move(attempt));
                return *answer;
            }
            unknown |= attempt.told == Told::unknown;
            load_.note(std::move(attempt));
            try_next_node();
        }
    }

    Told told(const Call& call, const Result<Answer>& answer, bool unknown) {
        if (!answer)
            return answer.error().code == ErrorCode::unavailable ? Told::refused : Told::unknown;
        if (answer->status < 300) return Told::done;
        const std::string slug = answer->slug();
        if (answer->status == 503 || answer->status == 429)
            return slug == "outcome-unknown" ? Told::unknown : Told::refused;
        // Only this driver ends and edits it: an unanswered attempt must have succeeded.
        if (unknown && call.action == Action::complete && slug == "ended") return Told::done;
        if (unknown && call.action == Action::edit && slug == "stale-version") return Told::done;
        give_up(name_of(call.action), *answer);
    }

    [[noreturn]] void give_up(const std::string& what, const Answer& answer) {
        load_.note_unexpected(what + " of " + id_ + " was answered with " +
                              std::to_string(answer.status) + " " +
                              bj::serialize(answer.body).substr(0, 300));
        throw Abandoned{};
    }

    Result<Answer> exchange(const Request& request) {
        pause();
        const std::string url = load_.url_of(node_);
        if (url.empty()) return fail(ErrorCode::unavailable, "the node is down");
        http::Headers headers;
        for (const auto& [name, value] : request.headers) headers.add(name, value);
        if (!request.body.empty() && !headers.find("Content-Type"))
            headers.add("Content-Type", "application/json");
        HF_TRY(auto response,
               connection_to(url).exchange(request.method, request.target, headers, request.body));
        const bool busy = response.status == 503 || response.status == 429;
        if (busy && !response.headers.find("Retry-After"))
            load_.note_unexpected("a 503 or 429 without Retry-After: " +
                                  response.body.substr(0, 300));
        load_.refusals_ += response.status == 503;
        return Answer{response.status,
                      response.body.empty() ? bj::value() : json_of(response.body)};
    }

    http::ClientConnection& connection_to(const std::string& url) {
        const auto found = connections_.find(url);
        if (found != connections_.end()) return found->second;
        auto made = http::ClientConnection::to(
            url, {.connect_time = 2s, .exchange_time = load_.options_.answer_time});
        if (!made) throw std::runtime_error(made.error().message);
        return connections_.emplace(url, *std::move(made)).first->second;
    }

    void pause() const {
        if (load_.abandoned_) throw Abandoned{};
        pause_for(load_.options_.pause);
    }
    void try_next_node() {
        ++node_;
        pause_for(pause_after_failure);
    }

    RelayLoad& load_;
    std::mt19937_64 random_;
    std::size_t node_;
    std::size_t relay_ = 0;
    std::string id_;
    std::map<std::string, http::ClientConnection> connections_;
};

RelayLoad::RelayLoad(const RelayOptions& options, std::vector<std::string> urls)
    : options_(options), urls_(std::move(urls)) {
    ServerClient client(urls_.front());
    if (options.runner == Runner::drivers) {
        const auto reply = client.define(definition);
        if (!reply || reply->status >= 300)
            throw std::runtime_error("could not create the definition");
    }
    for (std::size_t i = 0; i < options.drivers; ++i)
        drivers_.push_back(named_thread("driver", [this, i](std::stop_token) { run(i); }));
}

RelayLoad::~RelayLoad() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    abandoned_ = true;
}

void RelayLoad::run(std::size_t number) {
    Driver driver(*this, number);
    while (const auto relay = begin_relay(number)) {
        try {
            driver.drive(*relay, ledger_key(*relay));
        } catch (const Abandoned&) {
        } catch (const std::exception& failure) {
            note_unexpected(failure.what());
        }
        const std::lock_guard lock(mutex_);
        --at_work_;
        changed_.notify_all();
    }
}

std::optional<std::size_t> RelayLoad::begin_relay(std::size_t driver) {
    const std::lock_guard lock(mutex_);
    const std::size_t number = ledger_.relays.size();
    if (ending_ || number >= options_.most_relays) return std::nullopt;
    ledger_.relays.push_back(
        {.key = options_.name + "-" + std::to_string(driver) + "-" + std::to_string(number),
         .by_nodes = options_.runner == Runner::nodes});
    ++at_work_;
    return number;
}

std::string RelayLoad::ledger_key(std::size_t relay) {
    const std::lock_guard lock(mutex_);
    return ledger_.relays[relay].key;
}

std::string RelayLoad::url_of(std::size_t node) {
    const std::lock_guard lock(mutex_);
    return urls_[node % urls_.size()];
}

void RelayLoad::move(std::size_t node, const std::string& url) {
    const std::lock_guard lock(mutex_);
    urls_[node] = url;
}

bool RelayLoad::wait_for(std::size_t more, std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    const std::size_t wanted = acknowledged_ + more;
    return changed_.wait_for(lock, at_most, [&] { return acknowledged_ >= wanted; });
}

Ledger RelayLoad::finish(std::chrono::seconds at_most) {
    {
        std::unique_lock lock(mutex_);
        ending_ = true;
        changed_.wait_for(lock, at_most, [this] { return at_work_ == 0; });
    }
    abandoned_ = true;
    drivers_.clear();
    return std::move(ledger_);
}

void RelayLoad::note(Call call) {
    const std::lock_guard lock(mutex_);
    acknowledged_ += call.told == Told::done;
    ledger_.calls.push_back(std::move(call));
    changed_.notify_all();
}

void RelayLoad::note_unexpected(std::string what) {
    const std::lock_guard lock(mutex_);
    ledger_.unexpected.push_back(std::move(what));
}

}  // namespace holdfast::testing
