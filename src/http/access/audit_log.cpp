#include "http/access/audit_log.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "base/log.h"
#include "base/threads/threads.h"
#include "http/responses/problem.h"
#include "http/router.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_at_once = 256;
constexpr std::size_t longest_target = 512;
constexpr std::size_t forgotten_at_once = 10'000;  // by a store; then others have their turn
constexpr std::chrono::milliseconds their_turn{200};

bool is_read(const Request& request) {
    return request.method == Method::get || request.method == Method::head;
}

// Nothing was done, and nothing was shown.
bool is_refusal(const Response& response) {
    return response.status >= 400 && response.status < 500;
}

// Cut between characters: a target was checked for UTF-8.
std::string shortened(std::string text) {
    if (text.size() <= longest_target) return text;
    std::size_t end = longest_target;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end);
}

std::string path_of(const Request& request) {
    return request.target.substr(0, request.target.find('?'));
}

// What came of it.
std::string detail_of(const Response& response) {
    bj::object detail;
    if (const auto made = response.headers.find("Location")) detail["made"] = bj::value(*made);
    return json::canonical(detail);
}

void tell_unwritten(const AuditRow& row, const std::string& message) {
    log::error("audit.not_written",
               {{"message", message}, {"row", bj::serialize(audit_json(row))}});
}

Response not_recorded(const Error& error) {
    Response response = problem(503, "audit-unavailable", "Audit unavailable",
                                "this cannot be recorded, so that its result is not sent; a change "
                                "may have been made: " +
                                    error.message);
    response.headers.add("Retry-After", "1");
    return response;
}

}  // namespace

AuditLog::AuditLog(Store& store, const Clock& clock, AuditOptions options)
    : store_(store),
      clock_(clock),
      options_(std::move(options)),
      forget_at_(options_.keep.count() > 0 ? Steady::now() : Steady::time_point::max()),
      self_(std::make_shared<Self>(this)),
      thread_(named_thread("audit", [this](const std::stop_token& stop) { run(stop); })) {}

AuditLog::~AuditLog() {
    {
        const std::lock_guard lock(self_->mutex);
        self_->log = nullptr;
    }
    thread_.request_stop();
    wake_.notify_all();
}

AuditRow AuditLog::row_of(const Request& request) const {
    return {.tenant = request.caller.tenant,
            .at = clock_.now(),
            .action = request.route->description.id,
            .target = shortened(is_read(request) ? path_of(request) : request.target),
            .user = request.caller.user,
            .by = request.caller.by,
            .credential = request.identity.credential,
            .address = request.sender.address,
            .node = options_.node};
}

Respond AuditLog::recording(const Request& request, Respond respond) {
    auto later = std::make_shared<Respond>(std::move(respond));
    const bool reads = is_read(request);
    std::stop_token gone = later->gone();
    return Respond(
        [self = self_, later, reads, row = row_of(request)](MakeResponse make,
                                                            ResponseSize) mutable {
            Response response = make();
            row.status = static_cast<std::uint32_t>(response.status);
            row.detail = detail_of(response);
            std::unique_lock lock(self->mutex);
            if (!self->log) return;  // nobody waits for the responses of a server that has gone
            row.at = self->log->clock_.now();
            const bool is_told = reads && self->log->was_gathered(row);
            if (!is_told && !is_refusal(response))
                return self->log->record(std::move(row), std::move(*later), std::move(response));
            if (!is_told) self->log->add(std::move(row));
            lock.unlock();
            (*later)(std::move(response));
        },
        std::move(gone));
}

void AuditLog::record(AuditRow row, Respond respond, Response response) {
    struct Answer {
        Respond respond;
        Response response;
    };
    auto answer = std::make_shared<Answer>(std::move(respond), std::move(response));
    Item item{std::move(row), [answer](const Result<void>& stored) {
                  if (!stored) answer->response = not_recorded(stored.error());
                  answer->respond(std::move(answer->response));
              }};
    if (post(item)) return;
    item.done(fail(ErrorCode::overloaded, "too many rows wait to be written"));
}

void AuditLog::refused(const Request& request, const Response& response) {
    AuditRow row = row_of(request);
    row.target = shortened(path_of(request));
    row.status = static_cast<std::uint32_t>(response.status);
    gather(std::move(row));
}

void AuditLog::add(AuditRow row) {
    row.node = options_.node;
    row.at = clock_.now();
    Item item{std::move(row), {}};
    if (!post(item)) tell_unwritten(item.row, "too many rows wait to be written");
}

AuditLog::Kind AuditLog::kind_of(const AuditRow& row) {
    return {row.action, row.target, row.status, row.user, row.credential, row.address};
}

bool AuditLog::was_gathered(const AuditRow& row) {
    const std::lock_guard lock(mutex_);
    if (const auto found = gathered_.find(kind_of(row)); found != gathered_.end()) {
        ++found->second.count;
        found->second.at = row.at;
        return true;
    }
    if (gathered_.size() >= options_.kinds) return false;
    AuditRow& first = gathered_.emplace(kind_of(row), row).first->second;
    first.count = 0;
    begin_gathering();
    return false;
}

// Under the mutex.
void AuditLog::begin_gathering() {
    if (gather_until_ != Steady::time_point::max()) return;
    gather_until_ = Steady::now() + options_.gather_for;
    wake_.notify_one();
}

void AuditLog::gather(AuditRow row) {
    row.node = options_.node;
    row.at = clock_.now();
    const std::lock_guard lock(mutex_);
    if (!gathered_.contains(kind_of(row)) && gathered_.size() >= options_.kinds)
        row = {.at = row.at,
               .action = row.action,
               .target = "others",
               .status = row.status,
               .node = row.node};
    auto [place, is_new] = gathered_.emplace(kind_of(row), row);
    if (!is_new) ++place->second.count;
    place->second.at = row.at;
    begin_gathering();
}

bool AuditLog::post(Item& item) {
    {
        const std::lock_guard lock(mutex_);
        if (queue_.size() >= options_.queue) return false;
        queue_.push_back(std::move(item));
    }
    wake_.notify_one();
    return true;
}

void AuditLog::run(const std::stop_token& stop) {
    for (;;) {
        std::unique_lock lock(mutex_);
        auto items = take(lock, stop);
        const bool ends = stop.stop_requested() && items.empty();
        if (ends) take_gathered(items);
        lock.unlock();
        write(std::move(items));
        if (ends) return;
        forget();
    }
}

std::deque<AuditLog::Item> AuditLog::take(std::unique_lock<std::mutex>& lock,
                                          const std::stop_token& stop) {
    const auto gather_until = gather_until_;
    wake_.wait_until(lock, stop, std::min(gather_until, forget_at_),
                     [&] { return !queue_.empty() || gather_until_ != gather_until; });
    std::deque<Item> items;
    while (!queue_.empty() && items.size() < most_at_once) {
        items.push_back(std::move(queue_.front()));
        queue_.pop_front();
    }
    if (Steady::now() >= gather_until_) take_gathered(items);
    return items;
}

// Under the mutex.
void AuditLog::take_gathered(std::deque<Item>& items) {
    for (auto& [kind, row] : gathered_)
        if (row.count > 0) items.push_back({std::move(row), {}});
    gathered_.clear();
    gather_until_ = Steady::time_point::max();
}

void AuditLog::write(std::deque<Item> items) {
    std::map<std::string, std::vector<Item>> by_tenant;
    for (Item& item : items) by_tenant[item.row.tenant].push_back(std::move(item));
    for (auto& [tenant, rows] : by_tenant) write_of(tenant, std::move(rows));
}

// One commit. What cannot be written is in the log of the server.
void AuditLog::write_of(const std::string& tenant, std::vector<Item> items) {
    AuditAppend append{.tenant = tenant};
    for (Item& item : items) append.rows.push_back(item.row);
    const auto stored = store_.append_audit(append);
    if (!stored)
        for (const AuditRow& row : append.rows) tell_unwritten(row, stored.error().message);
    for (Item& item : items)
        if (item.done) item.done(stored ? Result<void>() : std::unexpected(stored.error()));
}

void AuditLog::forget() {
    if (Steady::now() < forget_at_) return;
    forget_at_ = Steady::now() + options_.forget_every;
    const Moment now = clock_.now();
    const Moment before = now - options_.keep;
    const auto oldest = store_.ask(AuditQuery{.limit = 1});
    if (!oldest || oldest->items.empty() || oldest->items.front().at >= before) return;
    AuditRow row{.at = now,
                 .action = "forgetAudit",
                 .target = "/api/v1/audit",
                 .node = options_.node,
                 .detail = json::canonical(bj::object{{"before", to_iso8601(before)}})};
    const auto removed = store_.append_audit({.rows = {std::move(row)}, .forget_before = before});
    if (!removed) return log::warn("audit.not_forgotten", {{"message", removed.error().message}});
    log::info("audit.forgotten", {{"rows", *removed}});
    if (*removed >= forgotten_at_once) forget_at_ = Steady::now() + their_turn;
}

}  // namespace holdfast::http
