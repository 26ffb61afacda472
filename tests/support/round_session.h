// One composite operation on a PostgreSQL writer of its own, held between its two trips: locks and
// load done, nothing written.
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

// Looks at the server's sessions from outside their database.
class SessionWatcher {
public:
    SessionWatcher(const std::string& url, std::string database);

    // Of the one session that is inside a transaction and does nothing.
    std::uint64_t idle_in_transaction();
    // Whether that session waits for a lock that another one holds.
    bool is_blocked(std::uint64_t pid);
    // Whether that session has ended; only then its statistics are complete.
    bool is_gone(std::uint64_t pid);
    std::uint64_t deadlocks();

private:
    std::uint64_t ask(const std::string& sql);

    std::unique_ptr<postgres::Connection> connection_;
    std::string database_;
};

// An operation as a session runs it.
struct Work {
    std::function<void(ReadSet&)> reads;
    std::function<std::optional<LoadMore>(View&)> decide;
    std::function<void(LoadMore)> add_reads = [](const LoadMore&) {};
    std::function<void()> answer = [] {};
};
Work work_of(std::shared_ptr<QueuedOperation> operation);

class RoundSession {
public:
    RoundSession(World& world, SessionWatcher& watcher);
    ~RoundSession();

    // Runs the first trip, repeated as often as the operation asks for more. True: it waits for a
    // lock; it goes on by itself when that comes free.
    bool load(Work work);
    // Lets the second trip go, now or when the first one is over. True: it waits for a lock.
    bool write();
    // Waits until the operation is answered. Empty: no error.
    std::string finish();
    // Gives its connection back and waits until the server has ended the session.
    void close();

private:
    enum class At { idle, running, loaded, done };

    std::string run();
    void hold();
    // Until it is loaded, over, or waits for a lock.
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
