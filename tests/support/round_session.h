// One composite operation on its own PostgreSQL writer, held between its two round trips: locked
// and loaded, nothing written.
#pragma once

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>

#include "round/queued_operation.h"
#include "store/postgres/connection/connection.h"
#include "store/store.h"
#include "support/world.h"

namespace holdfast::testing {

// Observes the server's sessions on a connection to another database.
class SessionWatcher {
public:
    SessionWatcher(const std::string& url, std::string database);

    // The pid of the session that is idle in a transaction.
    std::uint64_t idle_in_transaction();
    // Whether the session waits for a lock that another session holds.
    bool is_blocked(std::uint64_t pid);
    // Whether the session has ended; only then its statistics are complete.
    bool is_gone(std::uint64_t pid);
    std::uint64_t deadlocks();

private:
    std::uint64_t number(const std::string& sql);

    std::unique_ptr<postgres::Connection> connection_;
    std::string database_;
};

// An operation as a session runs it.
struct Work {
    std::function<void(ReadSet&)> reads;
    std::function<std::optional<LoadMore>(View&)> decide;
    std::function<void(const LoadMore&)> add_reads = [](const LoadMore&) {};
    std::function<void()> answer = [] {};
};
Work work_of(std::shared_ptr<QueuedOperation> operation);

class RoundSession {
public:
    RoundSession(World& world, SessionWatcher& watcher);
    ~RoundSession();

    // Runs the first round trip, again as often as the operation needs to load more. True: it waits
    // for a lock and continues by itself when the lock is released.
    bool load(Work work);
    // Releases the second round trip, now or after the first. True: it waits for a lock.
    bool write();
    // Waits until the operation is answered. Empty: no error.
    std::string finish();
    // Closes its connection and waits until the server has ended the session.
    void close();

private:
    enum class At { idle, running, loaded, done };

    std::string run();
    void hold();
    // Waits until it is loaded, done, or waiting for a lock. True: waiting for a lock.
    bool settle();
    At at() const;

    World& world_;
    SessionWatcher& watcher_;
    std::unique_ptr<Writer> writer_;
    std::uint64_t pid_ = 0;
    mutable std::mutex mutex_;
    std::condition_variable moved_;
    At at_ = At::idle;
    bool released_ = false;
    Work work_;
    std::future<std::string> error_;
};

}  // namespace holdfast::testing
