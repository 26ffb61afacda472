// The API keys as this node knows them: asked of the store now and then, never for a request.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/threads/worker_pool.h"
#include "base/time/clock.h"
#include "store/store.h"

namespace holdfast::http {

// What a session stands for that no API key stands for.
inline constexpr std::string_view local_credential = "local";
inline constexpr std::string_view token_file_credential = "token-file";
inline constexpr std::string_view token_credential = "token";  // of an identity provider

// What is stored of the text of a key. One that stands for the token file is bound to its token:
// it ends when the file has another.
Digest secret_of(std::string_view text, std::string_view parent,
                 const std::optional<Digest>& token);

// Safe from any thread. The workers outlive the requests.
class KeyRing {
public:
    // With both, a change on another node is known here within 5 s: the store is asked after
    // `fresh_for`, by a request that does not wait for it; after `usable_for` requests wait.
    struct Ages {
        std::chrono::milliseconds fresh_for{2'000};
        std::chrono::milliseconds usable_for{4'000};
    };
    enum class Age { fresh, aging, stale };
    // How long the session of a browser lives after its last request, and in all.
    struct SessionTimes {
        std::chrono::minutes idle{std::chrono::hours(4)};
        std::chrono::minutes length{std::chrono::hours(24)};
    };

    KeyRing(Store& store, const Clock& clock, WorkerPool& workers)
        : KeyRing(store, clock, workers, Ages{}, SessionTimes{}) {}
    KeyRing(Store& store, const Clock& clock, WorkerPool& workers, Ages ages, SessionTimes times);

    // Reads what has changed. Blocks.
    Result<void> refresh();
    // On a store of this process alone the keys are always fresh.
    Age age() const;
    // Refreshes on a worker, unless that is going on already.
    void refresh_soon();

    // Refreshes on a worker, unless they are fresh by then. False: its queue is full.
    bool refresh_then(std::move_only_function<void(const Result<void>&)> go_on);

    // Whether there is or was any key. From then on a credential is needed.
    bool any() const { return any_; }
    // Sessions and links that have ended are not counted.
    std::size_t count(KeyKind kind) const;
    // Those that a user has begun with a credential, the oldest first.
    std::vector<std::shared_ptr<const ApiKey>> sessions_of(const std::string& parent,
                                                           const std::string& user) const;
    const SessionTimes& session_times() const { return times_; }
    // Valid or not. Null: there is none.
    std::shared_ptr<const ApiKey> find_by_id(const std::string& id) const;
    // The valid key of this kind with this text, whose use is noted; a session goes on. Null: there
    // is none. Takes the same time for every wrong text of the form of a key. `token`: of the token
    // file, to which its sessions are bound.
    std::shared_ptr<const ApiKey> find(std::string_view text, KeyKind kind = KeyKind::key,
                                       const std::optional<Digest>& token = {});
    // Whether the key is valid still, and with a session the credential that it stands for.
    bool is_valid(const std::string& id) const;
    const Clock& clock() const { return clock_; }

private:
    struct Entry {
        std::shared_ptr<const ApiKey> key;
        Moment noted_at;  // when its last use was written
    };
    using Steady = std::chrono::steady_clock;

    Result<void> read_changes();
    void forget_ended_sessions();
    void note_use(const std::string& id, Moment now);
    std::optional<RenewKey> renewal_of(const ApiKey& key, Moment now) const;
    bool has_valid_parent(const ApiKey& key, Moment now) const;

    Store& store_;
    const Clock& clock_;
    WorkerPool& workers_;
    const Ages ages_;
    const SessionTimes times_;
    std::mutex refreshing_;
    std::uint64_t newest_ = 0;  // under `refreshing_`
    std::atomic<Steady::time_point> read_at_{Steady::time_point::min()};
    std::atomic<bool> refresh_posted_ = false;
    std::atomic<bool> any_ = false;
    mutable std::shared_mutex mutex_;
    std::map<std::string, Entry, std::less<>> keys_;
};

}  // namespace holdfast::http
