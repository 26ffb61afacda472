#include <algorithm>
#include <cmath>

#include "base/ids/id_source.h"
#include "base/json/patch.h"
#include "base/threads/pause.h"
#include "holdfast/client.h"

namespace holdfast::client {
namespace {

using std::chrono::milliseconds;
using Outcome = std::variant<Settled, Conflict>;

bool is_transient(const Failure& failure) {
    return failure.kind == FailureKind::overloaded || failure.kind == FailureKind::unavailable ||
           failure.kind == FailureKind::outcome_unknown;
}

// Counts attempts and waits between them with exponential backoff.
class Backoff {
public:
    Backoff(const RetryOptions& options, IdSource& ids)
        : options_(options), ids_(ids), delay_(static_cast<double>(options.first_delay.count())) {}

    bool is_exhausted() const { return used_ >= options_.attempts; }
    void use() { ++used_; }

    void wait(std::optional<std::chrono::seconds> retry_after = {}) {
        const double share = 1 - options_.jitter * random();
        const auto limit = static_cast<double>(options_.longest_delay.count());
        const double wanted =
            std::max(delay_ * share, retry_after ? retry_after->count() * 1000.0 : 0.0);
        const milliseconds time(std::llround(std::clamp(wanted, 0.0, limit)));
        delay_ = std::min(delay_ * options_.factor, limit);
        options_.sleep ? options_.sleep(time) : pause_for(time);
    }

private:
    double random() {
        if (options_.random) return options_.random();
        return static_cast<double>(ids_.random() >> 11) * 0x1p-53;
    }

    const RetryOptions& options_;
    IdSource& ids_;
    double delay_;
    int used_ = 0;
};

// One change, retried until it is written or given up.
class Retry {
public:
    Retry(Client& client, const std::string& id, const Change& change, const RetryOptions& options)
        : client_(client),
          id_(id),
          change_(change),
          options_(options),
          correlation_(to_string(ids_.next_uuid())),
          backoff_(options, ids_) {}

    Answer<Outcome> run() {
        if (auto failure = read()) return std::unexpected(*std::move(failure));
        mine_ = change_(base_);
        for (;;) {
            if (json::equal(mine_, base_)) return settled(Settled::How::already_so);
            auto answer = write();
            if (!answer) {
                if (auto end = after_failure(answer.error())) return *std::move(end);
                continue;
            }
            if (auto* edited = std::get_if<Edited>(&*answer))
                return Settled{edited->version, std::move(edited->state), Settled::How::written,
                               writes_};
            if (auto end = after_conflict(std::get<Conflict>(*answer))) return *std::move(end);
        }
    }

private:
    // Sets `base_` and `version_` to the server's. Absent: success.
    std::optional<Failure> read() {
        for (;;) {
            auto workflow = client_.get(id_);
            if (workflow) {
                base_ = std::move(workflow->state);
                version_ = workflow->version;
                return std::nullopt;
            }
            backoff_.use();
            if (!is_transient(workflow.error()) || backoff_.is_exhausted())
                return std::move(workflow.error());
            backoff_.wait(workflow.error().retry_after);
        }
    }

    Answer<std::variant<Edited, Conflict>> write() {
        backoff_.use();
        ++writes_;
        return client_.patch_state(id_, {.change = Replace{.state = mine_, .state_metadata = {}},
                                         .expected_version = version_,
                                         .correlation = correlation_});
    }

    // Absent: retry.
    std::optional<Answer<Outcome>> after_failure(const Failure& failure) {
        if (!is_transient(failure)) return std::unexpected(failure);
        if (failure.kind == FailureKind::outcome_unknown) uncertain_ = true;
        if (!backoff_.is_exhausted()) {
            backoff_.wait(failure.retry_after);
            return std::nullopt;
        }
        if (uncertain_ && was_written()) return written_without_response();
        return std::unexpected(failure);
    }

    std::optional<Answer<Outcome>> after_conflict(const Conflict& conflict) {
        if (uncertain_ && was_written()) return written_without_response();
        uncertain_ = false;
        if (backoff_.is_exhausted()) return conflict;
        if (!std::holds_alternative<Reapply>(options_.strategy)) {
            auto next = resolve(options_.strategy, base_, mine_, conflict);
            if (auto* unsettled = std::get_if<Conflict>(&next)) return std::move(*unsettled);
            mine_ = std::get<Json>(std::move(next));
        }
        base_ = conflict.current_state;
        version_ = conflict.current_version;
        if (std::holds_alternative<ServerWins>(options_.strategy))
            return settled(Settled::How::server_won);
        if (std::holds_alternative<Reapply>(options_.strategy)) mine_ = change_(base_);
        backoff_.wait();
        return std::nullopt;
    }

    // Whether the version after `version_` is our edit whose response was lost.
    bool was_written() {
        const auto page = client_.history(id_, version_ + 1, 1);
        return page && !page->items.empty() && page->items.front().version == version_ + 1 &&
               page->items.front().correlation == correlation_;
    }

    Settled written_without_response() {
        return {version_ + 1, std::move(mine_), Settled::How::written, writes_};
    }
    Settled settled(Settled::How how) { return {version_, std::move(base_), how, writes_}; }

    Client& client_;
    const std::string& id_;
    const Change& change_;
    const RetryOptions& options_;
    const SystemClock clock_{};
    IdSource ids_{clock_};
    const std::string correlation_;  // marks this change in the history
    Backoff backoff_;

    Json base_;
    Json mine_;
    Version version_ = 0;
    bool uncertain_ = false;
    int writes_ = 0;
};

}  // namespace

Answer<std::variant<Settled, Conflict>> retry_on_conflict(Client& client, const std::string& id,
                                                          const Change& change,
                                                          const RetryOptions& options) {
    return Retry(client, id, change, options).run();
}

}  // namespace holdfast::client
