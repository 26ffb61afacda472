// One connection to PostgreSQL: named statements, queued and sent in one pipeline, with a deadline
// for the results.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "store/page_budget.h"
#include "store/postgres/connection/binary.h"
#include "store/postgres/connection/failure.h"
#include "store/postgres/connection/rows.h"

struct pg_conn;
struct pg_result;

namespace holdfast::postgres {

class StopSignal;

// Determines the session settings: a writer uses generic index plans regardless of statistics, a
// reader lets the planner decide, maintenance has no timeouts.
enum class Role { writer, reader, maintenance };

struct Address {
    std::string url;
    std::chrono::milliseconds
        call_timeout;  // for connecting, and for every exchange except maintenance
};

using Deadline = std::chrono::steady_clock::time_point;

// Belongs to one thread at a time.
class Connection {
public:
    static Reply<std::unique_ptr<Connection>> open(const Address& address, Role role);

    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Queues a statement of the .sql files; prepares it on first use.
    void queue(std::string_view name, const Parameters& parameters = {});
    // Queues an unprepared statement, planned for these values.
    void queue_once(std::string_view text, const Parameters& parameters = {});
    // Sends the queued statements in one round trip and reads all results. The server skips the
    // statements after the first failure; an open transaction stays open unless the connection is
    // lost.
    Reply<std::vector<Rows>> exchange();
    // corrupt: a row of the last exchange has a column with a value that is none of ours.
    Reply<void> check() const;
    // The same for a page: once its stop is requested and a moment has passed, the statements are
    // cancelled on the server and fail. Rows are received one by one; those after the row that
    // exceeds the bytes of the page are not kept.
    Reply<std::vector<Rows>> exchange(const PageBudget& budget);
    // Runs a text of one or more statements, as one transaction unless it contains its own.
    Reply<void> script(const std::string& text);

    // Waits for notifications and passes their payloads to `take`, until `stop`. Fails when the
    // connection is lost.
    Reply<void> take_notifications(const std::function<void(std::string_view)>& take,
                                   const std::stop_token& stop);

    // Whether everything queued so far can still be sent. The server never sees unsent statements.
    bool takes_more() const { return connection_ && !refused_to_queue_; }

    // Closes the connection at once; the server may still execute what was sent.
    void drop();
    bool is_lost() const { return !connection_; }
    // Neither lost nor inside a transaction.
    bool is_idle() const;

private:
    enum class Await { preparation, rows };
    struct Expected {
        Await what;
        std::string name;
    };
    using Result = std::unique_ptr<pg_result, void (*)(pg_result*)>;

    Connection(pg_conn* connection, const Address& address, Role role);

    Reply<void> finish_connecting();
    Reply<void> apply_settings();
    Reply<void> wait_for_socket(short events, Deadline deadline);
    void cancel_if_stopped();
    void cancel();
    Reply<void> send_all(Deadline deadline);
    Reply<Result> next_result(Deadline deadline);
    Reply<std::vector<Rows>> read_results(const std::vector<Expected>& expected);
    // The rows of the current statement; its last result is the one that `read_results` judges.
    struct PageRows {
        std::vector<Result> rows;
        bool cut = false;  // the last one exceeds the bytes of the page
    };
    Reply<Result> read_rows_of_page(Deadline deadline, PageRows& page);
    Reply<void> read_sync(Deadline deadline);
    Failure failure_of(const pg_result* result);
    Failure lost(std::string message);
    Deadline deadline() const;
    void note_warning(const pg_result* notice);
    void sent(int accepted);

    struct Close {
        void operator()(pg_conn* connection) const;
    };

    std::unique_ptr<pg_conn, Close> connection_;
    std::chrono::milliseconds call_timeout_;
    Role role_;
    std::set<std::string, std::less<>> prepared_;
    std::vector<Expected> expected_;  // results of the queued statements
    bool refused_to_queue_ = false;
    std::string damage_;         // of the rows of the last exchange; empty: they are sound
    bool unreplicated_ = false;  // a COMMIT of this exchange was not replicated
    // Of an exchange that can be stopped.
    const StopSignal* stop_ = nullptr;
    Deadline patience_;           // a stop before this has no effect
    std::size_t page_bytes_ = 0;  // 0: it is no page
};

// Blocks the calling thread in poll(); for the backoff before a retry.
void pause(std::chrono::milliseconds time);

}  // namespace holdfast::postgres
