// Writes the audit: what is done waits until its row is stored. A thread of its own writes what has
// gathered while it wrote the last rows.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>

#include "base/result.h"
#include "base/time/clock.h"
#include "http/wire/message.h"
#include "model/audit_row.h"
#include "store/store.h"

namespace holdfast::http {

struct AuditOptions {
    std::string node;
    std::chrono::microseconds keep{0};             // rows are removed after this; 0: never
    std::chrono::milliseconds gather_for{60'000};  // what is told in one row
    std::chrono::milliseconds forget_every{3'600'000};
    std::size_t queue = 4'096;
    std::size_t kinds = 64;  // that are gathered at a time
};

// Safe from any thread.
class AuditLog {
public:
    AuditLog(Store& store, const Clock& clock, AuditOptions options);
    // Writes what is left.
    ~AuditLog();

    // A response to this request is passed on once its row is stored, a refusal (4xx) at once.
    // 503: it cannot be stored.
    Respond recording(const Request& request, Respond respond);
    // Tells of a request that was not admitted, together with others like it.
    void refused(const Request& request, const Response& response);
    // The same for something that nobody waits for.
    void add(AuditRow row);
    // Told together with others that differ in nothing but their time: one row for all of a minute.
    // Others than the first kinds of a minute are told as one.
    void gather(AuditRow row);

private:
    using Steady = std::chrono::steady_clock;
    // Responses may come later than the log lives.
    struct Self {
        explicit Self(AuditLog* log) : log(log) {}
        std::mutex mutex;
        AuditLog* log;
    };
    using Done = std::move_only_function<void(const Result<void>&)>;
    struct Item {
        AuditRow row;
        Done done;
    };
    // Action, target, status, user, credential and address.
    using Kind =
        std::tuple<std::string, std::string, std::uint32_t, std::string, std::string, std::string>;

    static Kind kind_of(const AuditRow& row);
    // Without what came of it.
    AuditRow row_of(const Request& request) const;
    void record(AuditRow row, Respond respond, Response response);
    // False: it is the first of its kind in this minute.
    bool was_gathered(const AuditRow& row);
    void begin_gathering();
    bool post(Item& item);
    void run(const std::stop_token& stop);
    std::deque<Item> take(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    void take_gathered(std::deque<Item>& items);
    void write(std::deque<Item> items);
    void write_of(const std::string& tenant, std::vector<Item> items);
    // Removes what is older than it is to be kept, and says so in a row.
    void forget();

    Store& store_;
    const Clock& clock_;
    const AuditOptions options_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Item> queue_;
    std::map<Kind, AuditRow> gathered_;  // with how often, since the row that was written
    Steady::time_point gather_until_ = Steady::time_point::max();
    Steady::time_point forget_at_;  // of the thread
    const std::shared_ptr<Self> self_;
    std::jthread thread_;  // last: it uses all above
};

}  // namespace holdfast::http
