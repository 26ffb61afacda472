#include "support/round_session.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

constexpr int most_rounds = 8;
constexpr int most_looks = 20'000;

}  // namespace

SessionWatcher::SessionWatcher(const std::string& url, std::string database)
    : connection_(*postgres::Connection::open({url, 30s}, postgres::Role::maintenance)),
      database_(std::move(database)) {}

std::uint64_t SessionWatcher::number(const std::string& sql) {
    connection_->queue_once(sql);
    auto results = connection_->exchange();
    if (!results) throw std::runtime_error(results.error().message);
    return results->back()[0].int8();
}

std::uint64_t SessionWatcher::idle_in_transaction() {
    return number("select max(pid)::bigint from pg_stat_activity where datname = '" + database_ +
                  "' and state = 'idle in transaction'");
}

bool SessionWatcher::is_blocked(std::uint64_t pid) {
    return number("select cardinality(pg_blocking_pids(" + std::to_string(pid) + "))::bigint") > 0;
}

bool SessionWatcher::is_gone(std::uint64_t pid) {
    return number("select count(*) from pg_stat_activity where pid = " + std::to_string(pid)) == 0;
}

std::uint64_t SessionWatcher::deadlocks() {
    return number("select deadlocks::bigint from pg_stat_database where datname = '" + database_ +
                  "'");
}

Work work_of(std::shared_ptr<QueuedOperation> operation) {
    return {.reads = [operation](ReadSet& reads) { operation->reads(reads); },
            .decide = [operation](View& view) { return operation->decide(view); },
            .add_reads = [operation](const LoadMore& more) { operation->add_reads(more); },
            .answer = [operation] { operation->answer(); }};
}

RoundSession::RoundSession(World& world, SessionWatcher& watcher)
    : world_(world), watcher_(watcher), writer_(*world.store->open_writer()) {
    ReadSet nothing;
    const auto looked = writer_->commit({world.ids.next<RoundId>(), nothing},
                                        [&](View&) { pid_ = watcher_.idle_in_transaction(); });
    EXPECT_TRUE(looked.has_value());
}

RoundSession::~RoundSession() {
    if (error_.valid()) {
        write();
        error_.wait();
    }
}

bool RoundSession::load(Work work) {
    work_ = std::move(work);
    {
        const std::lock_guard lock(mutex_);
        at_ = At::running;
        released_ = false;
    }
    error_ = std::async(std::launch::async, [this] {
        std::string error = run();
        const std::lock_guard lock(mutex_);
        at_ = At::done;
        moved_.notify_all();
        return error;
    });
    return settle();
}

bool RoundSession::write() {
    {
        const std::lock_guard lock(mutex_);
        released_ = true;
        if (at_ == At::loaded) at_ = At::running;
        moved_.notify_all();
    }
    return settle();
}

std::string RoundSession::finish() { return error_.get(); }

void RoundSession::close() {
    writer_.reset();
    for (int look = 0; look < most_looks && !watcher_.is_gone(pid_); ++look) postgres::pause(1ms);
}

std::string RoundSession::run() {
    for (int number = 0; number < most_rounds; ++number) {
        Round round{world_.ids.next<RoundId>(), {}};
        work_.reads(round.reads);
        std::optional<LoadMore> more;
        const auto done = writer_->commit(round, [&](View& view) {
            more = work_.decide(view);
            if (more)
                view.roll_back();
            else
                hold();
        });
        if (!done) return done.error().message;
        if (more) {
            work_.add_reads(*std::move(more));
            continue;
        }
        work_.answer();
        return "";
    }
    return "the operation wanted to load more in every round";
}

void RoundSession::hold() {
    std::unique_lock lock(mutex_);
    if (released_) return;
    at_ = At::loaded;
    moved_.notify_all();
    moved_.wait(lock, [this] { return released_; });
}

RoundSession::At RoundSession::at() const {
    const std::lock_guard lock(mutex_);
    return at_;
}

bool RoundSession::settle() {
    for (int look = 0; look < most_looks; ++look) {
        if (at() != At::running) return false;
        if (watcher_.is_blocked(pid_)) return true;
        std::unique_lock lock(mutex_);
        moved_.wait_for(lock, 1ms, [this] { return at_ != At::running; });
    }
    ADD_FAILURE() << "a session neither continues nor waits for a lock";
    return false;
}

}  // namespace holdfast::testing
