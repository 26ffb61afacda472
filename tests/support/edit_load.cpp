#include "support/edit_load.h"

#include <boost/json.hpp>
#include <stdexcept>

#include "base/json/canonical.h"
#include "base/json/patch.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

struct Seen {
    Version version = 0;
    bj::value state;
};

enum class ServerState { reachable, lost };

bool is_outcome_unknown(const ServerReply& reply) {
    return reply.status == 503 && reply.problem() == "outcome-unknown";
}

bool is_busy(const ServerReply& reply) { return reply.status == 429 || reply.status == 503; }

}  // namespace

// The requests of one thread to one server, until the connection is lost.
class EditLoad::Writer {
public:
    Writer(EditLoad& load, std::size_t number, std::uint64_t seed)
        : load_(load), number_(number), random_(seed) {}

    void connect(const std::string& url) {
        client_.emplace(url);
        own_.reset();
    }

    ServerState act() {
        const auto dice = random_() % 16;
        if (dice == 0) return start();
        return dice < 8 ? edit_shared() : edit_own();
    }

private:
    // Replaces both documents, so that a partial edit shows as a difference between them.
    ServerState edit_own() {
        const std::string& id = load_.instances_[number_];
        if (!own_ && read(id, own_) == ServerState::lost) return ServerState::lost;
        if (!own_) return ServerState::reachable;
        const std::int64_t n = own_->state.at("n").to_number<std::int64_t>() + 1;
        const bj::object state{{"n", n}, {"padding", std::string(random_() % 300, 'x')}};
        const bj::object metadata{{"n", n}};
        EditAttempt attempt = new_attempt(number_, own_->version);
        attempt.state = json::canonical(state);
        attempt.metadata = json::canonical(metadata);
        const bj::object body{{"state", state}, {"stateMetadata", metadata}};
        return send(std::move(attempt), {.id = id,
                                         .expected = own_->version,
                                         .body = bj::serialize(body),
                                         .content_type = "application/json"});
    }

    ServerState edit_shared() {
        const std::size_t which =
            load_.options_.writers + random_() % load_.options_.shared_instances;
        const std::string& id = load_.instances_[which];
        std::optional<Seen> seen;
        if (read(id, seen) == ServerState::lost) return ServerState::lost;
        if (!seen) return ServerState::reachable;
        const std::int64_t n = seen->state.at("n").to_number<std::int64_t>() + 1;
        const bj::object patch{{"n", n}, {"by" + std::to_string(number_), n}};
        EditAttempt attempt = new_attempt(which, seen->version);
        attempt.state = json::canonical(json::apply_merge_patch(seen->state, patch));
        return send(std::move(attempt),
                    {.id = id, .expected = seen->version, .body = bj::serialize(patch)});
    }

    ServerState start() {
        StartAttempt attempt{.key = unique_name(), .state = bj::object{{"n", random_() % 1000}}};
        const auto reply = client_->start({.definition = definition,
                                           .state = attempt.state,
                                           .business_key = attempt.key,
                                           .idempotency_key = attempt.key});
        attempt.told = outcome_of(reply, 201, "start");
        if (attempt.told == Told::done) attempt.answer = reply->body;
        load_.note(std::move(attempt));
        return reply ? ServerState::reachable : ServerState::lost;
    }

    // `seen` is absent afterwards if the server was busy.
    ServerState read(const std::string& id, std::optional<Seen>& seen) {
        const auto reply = client_->get("/api/v1/workflows/" + id);
        if (!reply) return ServerState::lost;
        if (outcome_of(reply, 200, "GET") == Told::done)
            seen = Seen{reply->body.at("version").to_number<Version>(), reply->body.at("state")};
        return ServerState::reachable;
    }

    ServerState send(EditAttempt attempt, StatePatch patch) {
        patch.correlation = attempt.correlation;
        const auto reply = client_->patch(patch);
        attempt.told = outcome_of(reply, 200, "PATCH");
        if (attempt.instance == number_) own_.reset();
        if (attempt.told == Told::done && attempt.instance == number_)
            own_ = Seen{reply->body.at("version").to_number<Version>(), reply->body.at("state")};
        load_.note(std::move(attempt));
        return reply ? ServerState::reachable : ServerState::lost;
    }

    Told outcome_of(const Result<ServerReply>& reply, int good, const std::string& what) {
        if (!reply)
            return reply.error().code == ErrorCode::unavailable ? Told::refused : Told::unknown;
        if (reply->status == good) return Told::done;
        if (is_outcome_unknown(*reply)) return Told::unknown;
        if (!is_busy(*reply) && reply->problem() != "stale-version")
            load_.note_odd(what + ": unexpected answer " + std::to_string(reply->status) + " " +
                           bj::serialize(reply->body));
        return Told::refused;
    }

    EditAttempt new_attempt(std::size_t instance, Version base) {
        return {.correlation = unique_name(), .instance = instance, .base = base};
    }
    std::string unique_name() {
        return "w" + std::to_string(number_) + "-" + std::to_string(++names_);
    }

    EditLoad& load_;
    const std::size_t number_;
    std::mt19937_64 random_;
    std::optional<ServerClient> client_;
    std::optional<Seen> own_;  // the writer's own instance; absent: not known
    std::uint64_t names_ = 0;
};

EditLoad::EditLoad(const LoadOptions& options, const std::string& url) : options_(options) {
    ServerClient client(url);
    const auto defined = client.define(definition);
    if (!defined || defined->status >= 300) throw std::runtime_error("no definition");
    for (std::size_t i = 0; i < options.writers + options.shared_instances; ++i)
        instances_.push_back(
            client.must_start({.definition = definition, .state = bj::object{{"n", 0}}}));
    for (std::size_t i = 0; i < options.writers; ++i)
        writers_.emplace_back([this, i] { run(i, options_.seed * 1'000'003 + i); });
}

EditLoad::~EditLoad() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
}

void EditLoad::run(std::size_t number, std::uint64_t seed) {
    Writer writer(*this, number, seed);
    std::string connected;
    for (int lost = 0; const auto url = next_turn(lost);) {
        if (*url != connected) writer.connect(connected = *url);
        try {
            if (writer.act() == ServerState::reachable) lost = 0;
        } catch (const std::exception& failure) {
            note_odd(failure.what());
        }
        end_turn();
    }
}

// `lost` is 0 or the server generation that the caller has lost; set to the current one.
std::optional<std::string> EditLoad::next_turn(int& lost) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ending_ || (running_ && generation_ != lost); });
    if (ending_) return std::nullopt;
    lost = generation_;
    ++busy_;
    return url_;
}

void EditLoad::end_turn() {
    {
        const std::lock_guard lock(mutex_);
        --busy_;
    }
    changed_.notify_all();
}

void EditLoad::resume(const std::string& url) {
    {
        const std::lock_guard lock(mutex_);
        url_ = url;
        running_ = true;
        ++generation_;
    }
    changed_.notify_all();
}

void EditLoad::pause() {
    std::unique_lock lock(mutex_);
    running_ = false;
    changed_.wait(lock, [this] { return busy_ == 0; });
}

bool EditLoad::wait_for_acknowledged(std::size_t more, std::chrono::seconds at_most) {
    std::unique_lock lock(mutex_);
    const std::size_t wanted = acknowledged_ + more;
    return changed_.wait_for(lock, at_most, [&] { return acknowledged_ >= wanted; });
}

LoadLog EditLoad::take_log() {
    const std::lock_guard lock(mutex_);
    return std::exchange(log_, {});
}

void EditLoad::note(EditAttempt attempt) {
    const std::lock_guard lock(mutex_);
    acknowledged_ += attempt.told == Told::done;
    log_.edits.push_back(std::move(attempt));
}

void EditLoad::note(StartAttempt attempt) {
    const std::lock_guard lock(mutex_);
    acknowledged_ += attempt.told == Told::done;
    log_.starts.push_back(std::move(attempt));
}

void EditLoad::note_odd(std::string what) {
    const std::lock_guard lock(mutex_);
    log_.odd.push_back(std::move(what));
}

}  // namespace holdfast::testing
