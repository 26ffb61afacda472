#include "node/spans/span_thread.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/log.h"
#include "base/plain_name.h"
#include "base/threads/threads.h"
#include "http/input/trace_context.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_queued = 10'000;
constexpr std::size_t workflows_at_once = 16;
constexpr std::size_t most_rows = 1'000;  // of one history: the rest of a longer one is not sent
constexpr std::size_t most_parents = 16;
constexpr int most_tries = 4;
constexpr auto first_pause = 250ms;
constexpr auto farewell = 2s;  // for what is queued when the node stops
const http::ClientOptions patience{
    .connect_time = 2s, .exchange_time = 5s, .body_limit = std::size_t{1} << 20};

std::string trace_id_of(const InstanceId& workflow) {
    std::string text = to_string(workflow);
    std::erase(text, '-');
    return text;
}

}  // namespace

SpanThread::SpanThread(prometheus::Registry& registry)
    : sent_(prometheus::BuildCounter()
                .Name("holdfast_spans_sent_total")
                .Help("Spans that the collector took.")
                .Register(registry)
                .Add({})),
      not_queued_(prometheus::BuildCounter()
                      .Name("holdfast_traces_dropped_total")
                      .Help("Ended workflows whose spans were not made: the queue was full, or the "
                            "history could not be read.")
                      .Register(registry)
                      .Add({})),
      not_taken_(prometheus::BuildCounter()
                     .Name("holdfast_spans_dropped_total")
                     .Help("Spans that the collector did not take.")
                     .Register(registry)
                     .Add({})) {}

Result<void> SpanThread::start(Reads& reads, Options options) {
    HF_TRY(connection_, http::ClientConnection::to(options.endpoint, patience));
    reads_ = &reads;
    options_ = std::move(options);
    {
        const std::lock_guard lock(mutex_);
        started_ = true;
    }
    thread_ = named_thread(
        "spans", [this](const std::stop_token& stop) { run(stop); }, Priority::background);
    return {};
}

void SpanThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void SpanThread::committed(const Touched& touched) {
    const std::lock_guard lock(mutex_);
    if (!started_) return;
    for (const TouchedInstance& touch : touched.instances) {
        const Instance* instance = touch.instance.get();
        if (!instance || instance->completed_at != instance->updated_at ||
            is_engine_key(instance->definition.key))
            continue;
        if (ended_.size() == most_queued)
            not_queued_.Increment();
        else
            ended_.push_back(instance->id);
    }
    changed_.notify_one();
}

std::vector<InstanceId> SpanThread::take(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [this] { return !ended_.empty(); });
    const auto count = static_cast<std::ptrdiff_t>(std::min(workflows_at_once, ended_.size()));
    std::vector<InstanceId> some(ended_.begin(), ended_.begin() + count);
    ended_.erase(ended_.begin(), ended_.begin() + count);
    return some;
}

void SpanThread::run(const std::stop_token& stop) {
    std::optional<std::chrono::steady_clock::time_point> end;
    for (;;) {
        const auto some = take(stop);
        const auto now = std::chrono::steady_clock::now();
        if (stop.stop_requested() && !end) end = now + farewell;
        if (some.empty() || (end && (failing_ || now > *end))) return;
        std::vector<Span> spans;
        for (const InstanceId& id : some) {
            auto of_one = read(id);
            if (!of_one) not_queued_.Increment();
            if (of_one) std::ranges::move(*of_one, std::back_inserter(spans));
        }
        if (!spans.empty()) send(spans, stop);
    }
}

// Empty: its caller does not want it recorded, or it is gone.
Result<std::vector<Span>> SpanThread::read(const InstanceId& id) {
    HF_TRY(auto rows, reads_->ask(FindRows{{&id, 1}}));
    if (rows.empty()) return std::vector<Span>{};
    HF_TRY(const auto place, place_of(rows.front()));
    if (!place) return std::vector<Span>{};
    HF_TRY(const auto history, reads_->ask(HistoryQuery{.instance = id, .limit = most_rows}));
    return spans_of(rows.front(), history.items, *place);
}

// A child belongs to the trace of the first of its parents, whose start may have brought one with
// it. Absent: not to be recorded.
Result<std::optional<TracePlace>> SpanThread::place_of(Instance workflow) {
    TracePlace place;
    for (std::size_t i = 0; i < most_parents && workflow.parent; ++i) {
        const InstanceId parent = *workflow.parent;
        HF_TRY(auto rows, reads_->ask(FindRows{{&parent, 1}}));
        if (rows.empty() || is_engine_key(rows.front().definition.key)) break;
        if (place.parent.empty()) place.parent = span_id_of(parent);
        workflow = std::move(rows.front());
    }
    HF_TRY(const auto first, reads_->ask(HistoryQuery{.instance = workflow.id, .limit = 1}));
    const bool is_start = !first.items.empty() && first.items.front().version == 1;
    const auto context =
        is_start ? http::parse_traceparent(first.items.front().cause.correlation) : std::nullopt;
    if (context && !context->sampled) return std::nullopt;
    place.trace = context ? context->trace : trace_id_of(workflow.id);
    if (context && place.parent.empty()) place.parent = context->span;
    return place;
}

void SpanThread::send(const std::vector<Span>& spans, const std::stop_token& stop) {
    const std::string body = boost::json::serialize(otlp_of(spans, options_.node));
    auto time = std::chrono::milliseconds(first_pause);
    for (int tries = 1;; ++tries) {
        const auto posted = post(body);
        if (posted) {
            if (std::exchange(failing_, false)) log::info("spans.resumed");
            sent_.Increment(static_cast<double>(spans.size()));
            return;
        }
        if (!std::exchange(failing_, true))
            log::warn("spans.failed",
                      {{"message", posted.error().message},
                       {"next", "spans are dropped until the collector takes them"}});
        if (tries == most_tries || !pause(time, stop)) break;
        time *= 2;
    }
    not_taken_.Increment(static_cast<double>(spans.size()));
}

Result<void> SpanThread::post(const std::string& body) {
    http::Headers headers;
    headers.add("Content-Type", "application/json");
    HF_TRY(const auto answer,
           connection_->exchange(http::Method::post, "/v1/traces", headers, body));
    if (answer.status >= 200 && answer.status < 300) return {};
    return fail(ErrorCode::unavailable, "it answered " + std::to_string(answer.status));
}

// False: it stops.
bool SpanThread::pause(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

}  // namespace holdfast
