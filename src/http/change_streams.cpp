#include "http/change_streams.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/json/canonical.h"
#include "base/log.h"
#include "http/responses/problem.h"

namespace holdfast::http {
namespace {

constexpr std::size_t piece_bytes = 64 * 1024;
constexpr std::size_t records_at_once = 128;
constexpr std::size_t rounds_at_once = 64;
// How long a client waits before it connects again, in milliseconds.
constexpr std::string_view greeting = ": the stream of changes\nretry: 1000\n";

// Whether retention may have deleted something behind the position.
bool is_forgotten(const StreamPosition& position, std::uint64_t forgotten) {
    return position < StreamPosition{forgotten};
}

void append(std::string& text, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    text.append(",\"").append(name).append("\":");
    json::append_canonical_string(text, value);
}

std::string_view name_of_subject(RecordKind kind) {
    switch (kind) {
        case RecordKind::task: return "task";
        case RecordKind::dead_letter: return "deadLetter";
        case RecordKind::dead_event: return "deadEvent";
        default: return "";
    }
}

// The narrowest that has all that the filter takes.
Topic topic_of(const StreamFilter& filter) {
    if (filter.workflow) return {.workflow = filter.workflow};
    return {.definition = filter.definition};
}

std::string end_text(std::string_view reason) {
    return "event: end\ndata: {\"reason\":\"" + std::string(reason) + "\"}\n\n";
}

}  // namespace

bool StreamFilter::takes(const StreamRecord& record) const {
    return record.tenant == tenant && (!definition || record.definition == *definition) &&
           (!business_key || record.business_key == *business_key) &&
           (!workflow || record.instance == *workflow) &&
           (kinds.empty() || std::ranges::find(kinds, record.kind) != kinds.end());
}

std::string record_json(const FeedRecord& item) {
    const StreamRecord& record = item.record;
    std::string text = "{\"kind\":\"";
    text.append(name_of(record.kind)) += '"';
    append(text, "type", record.type);
    append(text, "workflow", to_string(record.instance));
    if (const auto name = name_of_subject(record.kind); !name.empty())
        append(text, name, to_string(record.subject));
    append(text, "definition", record.definition);
    append(text, "businessKey", record.business_key);
    if (record.version > 0) text += ",\"version\":" + std::to_string(record.version);
    append(text, "user", record.user);
    append(text, "at", to_iso8601(item.at));
    return text + "}";
}

std::string event_text(const FeedRecord& item) {
    std::string text = "id: " + to_string(item.position) + "\nevent: ";
    text.append(name_of(item.record.kind)).append("\ndata: ");
    return text + record_json(item) + "\n\n";
}

// Its pieces are taken on the thread of its connection; the feed wakes it from another one, and
// what it reads of the store comes from a worker.
class ChangeStreams::Stream final : public BodySource, public std::enable_shared_from_this<Stream> {
public:
    Stream(ChangeStreams& streams, StreamFilter filter, const StreamPosition& position)
        : streams_(streams),
          count_(streams.count_),
          filter_(std::move(filter)),
          topic_(topic_of(filter_)),
          place_(position),
          first_(std::string(greeting) + place_text()) {}
    ~Stream() override {
        if (ticket_) streams_.feed_.unfollow(*ticket_);
        --*count_;
    }

    void open(std::function<void()> wake) override {
        wake_ = std::move(wake);
        ticket_ = streams_.feed_.follow(
            [weak = weak_from_this()] {
                if (const auto self = weak.lock()) self->wake();
            },
            topic_);
    }

    Piece next() override {
        woken_ = false;
        const std::lock_guard lock(mutex_);
        Piece piece{.bytes = std::exchange(first_, {})};
        while (may_take() && piece.bytes.size() < piece_bytes && take_some(piece.bytes)) {
        }
        if (std::exchange(beat_, false) && piece.bytes.empty()) piece.bytes = ":\n" + place_text();
        piece.is_last = !end_.empty();
        if (piece.is_last) piece.bytes += end_text(end_);
        if (piece.is_last) streams_.ended(end_);
        return piece;
    }

    void keep_alive() override {
        const std::lock_guard lock(mutex_);
        beat_ = true;
    }

    void cut(Cut why) override {
        const std::lock_guard lock(mutex_);
        if (!end_.empty()) return;
        end_ = why == Cut::shutting_down ? "shutting-down" : "slow";
        if (why == Cut::too_slow) streams_.ended(end_);
    }

private:
    // The position alone: a client keeps it without an event.
    std::string place_text() const { return "id: " + to_string(place_) + "\n\n"; }

    void wake() {
        if (!woken_.exchange(true)) wake_();
    }

    // False: it has ended, or waits until it is known whether its key is valid.
    bool may_take() {
        if (!end_.empty() || checking_) return false;
        if (!filter_.keys) return true;
        if (filter_.keys->age() == KeyRing::Age::stale) {
            check_key();
            return false;
        }
        if (filter_.keys->age() == KeyRing::Age::aging) filter_.keys->refresh_soon();
        if (!filter_.keys->is_valid(filter_.key)) end_ = "unauthorized";
        return end_.empty();
    }

    void check_key() {
        checking_ = true;
        WorkerPool::WorkItem work = [self = shared_from_this()] {
            const auto checked = self->filter_.keys->refresh();
            {
                const std::lock_guard lock(self->mutex_);
                self->checking_ = false;
                if (!checked) self->end_ = "store-unavailable";
            }
            self->wake();
        };
        if (streams_.workers_.post(work)) return;
        checking_ = false;
        end_ = "overloaded";
    }

    void add(std::string& bytes, const FeedRecords& records) {
        for (const auto& record : records)
            if (filter_.takes(record->record)) bytes += event_text(*record);
    }

    // False: there is no more for now.
    bool take_some(std::string& bytes) {
        if (page_) {
            const auto [records, reached] = *std::exchange(page_, std::nullopt);
            add(bytes, records);
            place_ = std::max(place_, reached);
            return true;
        }
        if (reading_) return false;  // what it reads, the feed may have by now too
        const auto part = streams_.feed_.after(place_, records_at_once, topic_);
        if (part) {
            add(bytes, part->records);
            place_ = part->reached;
            live_ = true;
            return part->records.size() == records_at_once;
        }
        // It had all of the feed, and has lost touch: it reads more slowly than things happen.
        if (live_)
            end_ = "slow";
        else
            read();
        return false;
    }

    void read() {
        reading_ = true;
        WorkerPool::WorkItem work = [self = shared_from_this(), place = place_] {
            const StreamQuery query{.after = read_after(place), .limit = rounds_at_once};
            self->take(self->streams_.reads_.ask(query), place);
        };
        if (streams_.workers_.post(work)) return;
        reading_ = false;
        end_ = "overloaded";
    }

    void take(const Result<StreamPage>& page, const StreamPosition& place) {
        {
            const std::lock_guard lock(mutex_);
            reading_ = false;
            if (!page)
                end_ = "store-unavailable";
            else if (is_forgotten(place, page->forgotten))
                end_ = "position-gone";
            else if (page->reached > place.round || !page->rows.empty())
                page_.emplace(feed_records(*page, place), StreamPosition{page->reached});
            else
                return;  // what comes next is being committed: its end wakes the feed
        }
        wake();
    }

    ChangeStreams& streams_;
    const std::shared_ptr<std::atomic<std::size_t>> count_;
    const StreamFilter filter_;
    const Topic topic_;
    std::function<void()> wake_;
    std::optional<ChangeFeed::Ticket> ticket_;
    std::atomic<bool> woken_ = false;
    std::mutex mutex_;
    StreamPosition place_;  // all before was taken
    std::string first_;
    std::string end_;                                             // why; empty: it goes on
    std::optional<std::pair<FeedRecords, StreamPosition>> page_;  // read and not taken
    bool live_ = false;      // it has had all that the feed had
    bool reading_ = false;   // a worker reads for it
    bool checking_ = false;  // a worker asks whether its key is valid
    bool beat_ = false;
};

ChangeStreams::ChangeStreams(ChangeFeed& feed, Reads& reads, WorkerPool& workers, Ended ended,
                             std::size_t limit)
    : feed_(feed),
      reads_(reads),
      workers_(workers),
      ended_(std::move(ended)),
      limit_(limit),
      count_(std::make_shared<std::atomic<std::size_t>>(0)) {}

void ChangeStreams::ended(std::string_view reason) {
    ended_(reason);
    if (reason == "slow") log::info("stream.cut_off", {{"reason", reason}});
}

void ChangeStreams::start(StreamFilter filter, std::optional<StreamPosition> position,
                          Respond respond) {
    const auto answer = std::make_shared<Respond>(std::move(respond));
    WorkerPool::WorkItem work = [this, answer, filter = std::move(filter), position]() mutable {
        (*answer)(open(std::move(filter), position));
    };
    if (!workers_.post(work, answer->gone()))
        (*answer)(problem(
            Error{ErrorCode::overloaded, "the server's read queue is full; retry shortly", {}}));
}

Response ChangeStreams::open(StreamFilter filter, std::optional<StreamPosition> position) {
    const auto now = reads_.ask(StreamQuery{});
    if (!now) return problem(now.error());
    const StreamPosition place = position.value_or(StreamPosition{now->reached});
    if (is_forgotten(place, now->forgotten) || place.round > now->newest)
        return problem(410, "position-gone", "The position is gone",
                       "what happened behind this position is not kept any more, or the position "
                       "is of another database; load what you show again, then follow the stream "
                       "without a position",
                       {{"position", to_string(place)}});
    if (count_->fetch_add(1) >= limit_) {
        --*count_;
        return problem(Error{ErrorCode::overloaded,
                             "too many streams are open; retry shortly",
                             {{"limit", limit_}}});
    }
    Response response;
    response.headers.add("Content-Type", "text/event-stream");
    response.headers.add("X-Accel-Buffering", "no");  // a proxy in between passes it on at once
    response.source = std::make_shared<Stream>(*this, std::move(filter), place);
    return response;
}

}  // namespace holdfast::http
