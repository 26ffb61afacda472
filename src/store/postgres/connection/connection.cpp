#include "store/postgres/connection/connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/assert.h"
#include "store/postgres/connection/stop_signal.h"
#include "store/postgres/connection/verification.h"
#include "store/sql.h"

namespace holdfast::postgres {
namespace {

using Clock = std::chrono::steady_clock;

// A client that ends its side with its request still gets the response to a quick read.
constexpr std::chrono::milliseconds stop_delay{100};

std::string field(const pg_result* result, int code) {
    const char* text = PQresultErrorField(result, code);
    return text ? text : "";
}

std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

std::string text_of(std::string_view name) {
    return std::string(sql::text_of(sql::postgres_statements(), name));
}

// Pointers into parameters, in the form that libpq expects.
struct Bound {
    explicit Bound(const Parameters& parameters) {
        for (const auto& value : parameters.values()) {
            values.push_back(value ? value->data() : nullptr);
            lengths.push_back(value ? static_cast<int>(value->size()) : 0);
            formats.push_back(1);
        }
    }
    int size() const { return static_cast<int>(values.size()); }

    std::vector<const char*> values;
    std::vector<int> lengths;
    std::vector<int> formats;
};

pg_conn* start_connecting(const std::string& url) {
    // libpq expands the URL in place: what comes before it are defaults, what comes later overrides
    // it.
    auto settings = verification_defaults(url);
    settings.insert(settings.end(), {{"dbname", url},
                                     {"application_name", "holdfast"},
                                     {"client_encoding", "UTF8"},
                                     {"target_session_attrs", "read-write"},
                                     {"keepalives", "1"},
                                     {"keepalives_idle", "10"},
                                     {"keepalives_interval", "5"},
                                     {"keepalives_count", "3"},
                                     {"tcp_user_timeout", "20000"}});
    std::vector<const char*> keywords;
    std::vector<const char*> values;
    for (const auto& [keyword, value] : settings) {
        keywords.push_back(keyword.c_str());
        values.push_back(value.c_str());
    }
    keywords.push_back(nullptr);
    values.push_back(nullptr);
    return PQconnectStartParams(keywords.data(), values.data(), 1);
}

}  // namespace

void pause(std::chrono::milliseconds time) { ::poll(nullptr, 0, static_cast<int>(time.count())); }

void Connection::Close::operator()(pg_conn* connection) const { PQfinish(connection); }

Connection::Connection(pg_conn* connection, const Address& address, Role role)
    : connection_(connection), call_timeout_(address.call_timeout), role_(role) {}

Connection::~Connection() = default;

Reply<std::unique_ptr<Connection>> Connection::open(const Address& address, Role role) {
    std::unique_ptr<Connection> opened(
        new Connection(start_connecting(address.url), address, role));
    if (auto done = opened->finish_connecting(); !done) return std::unexpected(done.error());
    if (auto done = opened->apply_settings(); !done) return std::unexpected(done.error());
    return opened;
}

Reply<void> Connection::finish_connecting() {
    if (!connection_) return std::unexpected(lost("out of memory"));
    const Deadline deadline = Clock::now() + call_timeout_;
    PostgresPollingStatusType status = PGRES_POLLING_WRITING;
    while (PQstatus(connection_.get()) != CONNECTION_BAD && status != PGRES_POLLING_OK) {
        if (status == PGRES_POLLING_FAILED) break;
        const short events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        if (auto ready = wait_for_socket(events, deadline); !ready) return ready;
        status = PQconnectPoll(connection_.get());
    }
    if (status != PGRES_POLLING_OK)
        return std::unexpected(lost(explained(trimmed(PQerrorMessage(connection_.get())))));
    PQsetnonblocking(connection_.get(), 1);
    PQsetNoticeReceiver(
        connection_.get(),
        [](void* self, const pg_result* notice) {
            static_cast<Connection*>(self)->note_warning(notice);
        },
        this);
    HF_ASSERT(PQenterPipelineMode(connection_.get()) == 1,
              "an idle connection can enter pipeline mode");
    return {};
}

Reply<void> Connection::apply_settings() {
    queue_once(text_of("session_settings"));
    if (role_ == Role::writer) queue_once(text_of("writer_settings"));
    if (role_ == Role::maintenance) queue_once(text_of("maintenance_settings"));
    if (auto done = exchange(); !done) return std::unexpected(done.error());
    return {};
}

void Connection::note_warning(const pg_result* notice) {
    if (means_unreplicated(field(notice, PG_DIAG_SOURCE_FUNCTION))) unreplicated_ = true;
}

Deadline Connection::deadline() const {
    return role_ == Role::maintenance ? Deadline::max() : Clock::now() + call_timeout_;
}

bool Connection::is_idle() const {
    return connection_ && expected_.empty() &&
           PQtransactionStatus(connection_.get()) == PQTRANS_IDLE;
}

void Connection::drop() { connection_.reset(); }

Failure Connection::lost(std::string message) {
    drop();
    return {FailureKind::lost, "", trimmed(std::move(message))};
}

// libpq's queue is unbounded, so a failure to queue means that the connection broke.
void Connection::sent(int accepted) {
    if (accepted == 0) refused_to_queue_ = true;
}

void Connection::queue(std::string_view name, const Parameters& parameters) {
    if (is_lost()) return;
    const std::string id(name);
    if (prepared_.insert(id).second) {
        sent(PQsendPrepare(connection_.get(), id.c_str(), text_of(name).c_str(), 0, nullptr));
        expected_.push_back({Await::preparation, id});
    }
    const Bound bound(parameters);
    sent(PQsendQueryPrepared(connection_.get(), id.c_str(), bound.size(), bound.values.data(),
                             bound.lengths.data(), bound.formats.data(), 1));
    expected_.push_back({Await::rows, id});
}

void Connection::queue_once(std::string_view text, const Parameters& parameters) {
    if (is_lost()) return;
    const Bound bound(parameters);
    sent(PQsendQueryParams(connection_.get(), std::string(text).c_str(), bound.size(), nullptr,
                           bound.values.data(), bound.lengths.data(), bound.formats.data(), 1));
    expected_.push_back({Await::rows, ""});
}

Reply<std::vector<Rows>> Connection::exchange() {
    const std::vector<Expected> expected = std::exchange(expected_, {});
    unreplicated_ = false;
    if (is_lost()) return std::unexpected(lost("the connection is closed"));
    sent(PQpipelineSync(connection_.get()));
    if (std::exchange(refused_to_queue_, false))
        return std::unexpected(lost(PQerrorMessage(connection_.get())));
    auto results = read_results(expected);
    damage_.clear();
    if (results)
        for (Rows& rows : *results) rows.note_damage(damage_);
    if (!unreplicated_) return results;
    return std::unexpected(Failure{
        FailureKind::unreplicated, "",
        "the change is committed on this server, but the wait for its standby was cancelled"});
}

Reply<void> Connection::check() const {
    if (damage_.empty()) return {};
    return std::unexpected(Failure{FailureKind::corrupt, "", damage_});
}

Reply<std::vector<Rows>> Connection::exchange(const PageBudget& budget) {
    std::optional<StopSignal> stopped;
    if (budget.stop.stop_possible()) stop_ = &stopped.emplace(budget.stop);
    patience_ = Clock::now() + stop_delay;
    page_bytes_ = budget.bytes;
    auto results = exchange();
    page_bytes_ = 0;
    stop_ = nullptr;
    return results;
}

// The cancelled statement fails; its result is awaited as before.
void Connection::cancel_if_stopped() {
    pollfd stopped{stop_->descriptor(), POLLIN, 0};
    if (Clock::now() < patience_ || ::poll(&stopped, 1, 0) <= 0) return;
    stop_ = nullptr;
    cancel();
}

void Connection::cancel() {
    std::array<char, 256> ignored{};
    if (PGcancel* cancel = PQgetCancel(connection_.get())) {
        PQcancel(cancel, ignored.data(), static_cast<int>(ignored.size()));
        PQfreeCancel(cancel);
    }
}

Reply<void> Connection::wait_for_socket(short events, Deadline deadline) {
    while (true) {
        const auto now = Clock::now();
        const bool impatient = stop_ && now >= patience_;
        const Deadline next = stop_ && !impatient ? std::min(deadline, patience_) : deadline;
        int wait = -1;
        if (next != Deadline::max()) {
            if (now >= deadline) return std::unexpected(lost("timed out"));
            wait = static_cast<int>(std::max<std::int64_t>(
                std::chrono::ceil<std::chrono::milliseconds>(next - now).count(), 0));
        }
        pollfd both[] = {{PQsocket(connection_.get()), events, 0},
                         {impatient ? stop_->descriptor() : -1, POLLIN, 0}};
        const int ready = ::poll(both, 2, wait);
        if (ready < 0 && errno != EINTR) return std::unexpected(lost("poll failed"));
        if (ready > 0 && both[0].revents != 0) return {};
        if (stop_) cancel_if_stopped();
    }
}

// Reads while it writes: a server that cannot send its results stops reading our statements.
Reply<void> Connection::send_all(Deadline deadline) {
    while (PQflush(connection_.get()) == 1) {
        if (auto ready = wait_for_socket(POLLIN | POLLOUT, deadline); !ready) return ready;
        if (PQconsumeInput(connection_.get()) == 0)
            return std::unexpected(lost(PQerrorMessage(connection_.get())));
    }
    return {};
}

Reply<Connection::Result> Connection::next_result(Deadline deadline) {
    if (auto done = send_all(deadline); !done) return std::unexpected(done.error());
    while (PQisBusy(connection_.get()) != 0) {
        if (auto ready = wait_for_socket(POLLIN, deadline); !ready)
            return std::unexpected(ready.error());
        if (PQconsumeInput(connection_.get()) == 0) break;  // the next result has the error
    }
    return Result(PQgetResult(connection_.get()), [](pg_result* result) { PQclear(result); });
}

Failure Connection::failure_of(const pg_result* result) {
    const std::string severity = field(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    // Without the detail: it quotes the row, and messages are logged and sent to clients.
    std::string message = field(result, PG_DIAG_MESSAGE_PRIMARY);
    if (message.empty()) message = trimmed(PQresultErrorMessage(result));
    if (severity == "FATAL" || severity == "PANIC" ||
        PQstatus(connection_.get()) == CONNECTION_BAD) {
        Failure failure = lost(std::move(message));
        failure.sqlstate = field(result, PG_DIAG_SQLSTATE);
        return failure;
    }
    const std::string sqlstate = field(result, PG_DIAG_SQLSTATE);
    const FailureKind kind = classify(sqlstate);
    if (kind == FailureKind::lost) drop();
    return {kind, sqlstate, std::move(message)};
}

Reply<std::vector<Rows>> Connection::read_results(const std::vector<Expected>& expected) {
    const Deadline until = deadline();
    std::vector<Rows> results;
    std::optional<Failure> failure;
    for (const Expected& one : expected) {
        const bool paged = page_bytes_ > 0 && one.what == Await::rows;
        PageRows page;
        auto result = paged ? read_rows_of_page(until, page) : next_result(until);
        if (!result) return std::unexpected(result.error());
        if (!*result) return std::unexpected(lost(PQerrorMessage(connection_.get())));
        const ExecStatusType status = PQresultStatus(result->get());
        const bool done = page.cut || status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
        if (!done && !failure) failure = failure_of(result->get());
        if (is_lost()) return std::unexpected(*failure);
        if (!done && one.what == Await::preparation) prepared_.erase(one.name);
        if (one.what == Await::rows) results.emplace_back(result->release());
        for (Result& row : page.rows) results.back().add(row.release());
        if (page.cut) results.back().cut();
        // A null result ends the results of each statement.
        if (auto end = next_result(until); !end) return std::unexpected(end.error());
    }
    if (auto synced = read_sync(until); !synced) return std::unexpected(synced.error());
    if (failure) return std::unexpected(*std::move(failure));
    return results;
}

Reply<Connection::Result> Connection::read_rows_of_page(Deadline deadline, PageRows& page) {
    PQsetSingleRowMode(connection_.get());
    std::size_t bytes = 0;
    while (true) {
        auto result = next_result(deadline);
        if (!result || !*result || PQresultStatus(result->get()) != PGRES_SINGLE_TUPLE)
            return result;
        if (page.cut) continue;  // sent before the server was asked to stop
        bytes += Rows::bytes_of(result->get());
        page.rows.push_back(*std::move(result));
        page.cut = bytes > page_bytes_ && page.rows.size() > 1;
        if (page.cut) cancel();
    }
}

Reply<void> Connection::read_sync(Deadline deadline) {
    auto sync = next_result(deadline);
    if (!sync) return std::unexpected(sync.error());
    if (*sync && PQresultStatus(sync->get()) == PGRES_PIPELINE_SYNC) return {};
    if (*sync) return std::unexpected(failure_of(sync->get()));
    return std::unexpected(lost(PQerrorMessage(connection_.get())));
}

Reply<void> Connection::script(const std::string& text) {
    if (is_lost()) return std::unexpected(lost("the connection is closed"));
    HF_ASSERT(expected_.empty(), "no statements are queued before a script");
    PQexitPipelineMode(connection_.get());
    if (PQsendQuery(connection_.get(), text.c_str()) == 0)
        return std::unexpected(lost(PQerrorMessage(connection_.get())));
    const Deadline until = deadline();
    std::optional<Failure> failure;
    while (true) {
        auto result = next_result(until);
        if (!result) return std::unexpected(result.error());
        if (!*result) break;
        const ExecStatusType status = PQresultStatus(result->get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_EMPTY_QUERY)
            failure = failure_of(result->get());
        if (is_lost()) return std::unexpected(*failure);
    }
    PQenterPipelineMode(connection_.get());
    if (failure) return std::unexpected(*std::move(failure));
    return {};
}

}  // namespace holdfast::postgres
