#include "http/webhooks/webhook_sender.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/log.h"
#include "store/page_budget.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using namespace std::chrono_literals;
using Outcome = WebhookAnswer::Outcome;

constexpr const char* webhook_lock = "webhooks";
constexpr std::size_t webhooks_at_once = 200;  // in a page of them
constexpr std::size_t rounds_at_once = 64;
constexpr std::size_t records_ahead = 500;
constexpr std::size_t records_in_post = 50;
// A slow receiver keeps the others waiting for one post, not for many.
constexpr auto turn = 250ms;
constexpr auto first_pause = 200ms;
constexpr auto longest_pause = 300'000ms;
// Each write is a row of history; what is not written is posted again after a kill.
constexpr auto save_pause = 10s;
// So that retention does not overtake a webhook that wants none of what happens.
constexpr auto save_skipped_pause = 10min;

std::chrono::milliseconds pause_after(std::uint64_t failures) {
    const auto doubled = first_pause * (1 << std::min<std::uint64_t>(failures - 1, 11));
    return std::min<std::chrono::milliseconds>(doubled, longest_pause);
}

// Of one record in a row, before it is set aside. A 500 may also be a receiver in trouble: seven
// minutes.
std::uint64_t most_refusals(int status) { return status >= 500 ? 12 : 5; }

bj::object json_of(const FeedRecord& record) {
    bj::object object = bj::parse(record_json(record)).get_object();
    object["position"] = to_string(record.position);
    return object;
}

std::chrono::milliseconds until(std::chrono::steady_clock::time_point time) {
    return std::max(
        0ms, std::chrono::ceil<std::chrono::milliseconds>(time - std::chrono::steady_clock::now()));
}

}  // namespace

Result<WebhookSender::Next> WebhookSender::run(const std::stop_token& stop) {
    const auto renewal =
        std::chrono::duration_cast<std::chrono::milliseconds>(parts_.lock_time / 3);
    const bool is_shared = parts_.store.is_shared();
    if (look_ || (is_shared && Steady::now() - looked_at_ >= renewal)) HF_CHECK(find_webhooks());
    if (progress_.empty()) return Next{};
    Next next{.sends = true};
    const auto look_in = [&](std::chrono::milliseconds time) {
        next.again = std::min(next.again.value_or(time), time);
    };
    if (is_shared) look_in(renewal);
    for (auto& [id, progress] : progress_) {
        if (stop.stop_requested()) break;
        HF_TRY(const bool held, hold_lock());
        if (!held) {
            progress_.clear();
            look_ = true;
            return Next{.sends = false, .again = renewal};
        }
        if (!progress.webhook) continue;
        bool more = false;
        if (progress.next_try <= Steady::now()) {
            HF_TRY(more, advance(progress, stop));
        }
        HF_CHECK(save_sometimes(progress));
        if (progress.next_try > Steady::now())
            look_in(until(progress.next_try));
        else if (more)
            look_in(0ms);
        if (progress.unsaved) look_in(until(progress.saved_at + save_pause));
    }
    if (look_) look_in(0ms);
    return next;
}

void WebhookSender::finish() {
    for (auto& [id, progress] : progress_)
        if (progress.webhook && progress.unsaved) (void)save(progress);
}

// On an embedded store nobody else can be there.
Result<bool> WebhookSender::hold_lock() {
    if (!parts_.store.is_shared()) return true;
    if (Steady::now() - locked_at_ < parts_.lock_time / 3) return true;
    HF_TRY(const auto lock, parts_.store.lock_host(webhook_lock, parts_.node, parts_.lock_time));
    if (!lock) return false;
    locked_at_ = Steady::now();
    return true;
}

Result<void> WebhookSender::find_webhooks() {
    InstanceQuery query{.statuses = {Status::running, Status::suspended},
                        .definition = std::string(webhook_definition),
                        .content = PageContent::rows,
                        .limit = webhooks_at_once,
                        .budget = unhurried};
    std::map<InstanceId, Version> open;
    do {
        HF_TRY(auto page, parts_.store.ask(query));
        for (const FoundInstance& one : page.items)
            if (!one.instance.paused) open[one.instance.id] = one.instance.version;
        query.cursor = std::move(page.next);
    } while (query.cursor);
    std::erase_if(progress_, [&](const auto& known) {
        const auto now = open.find(known.first);
        return now == open.end() || now->second != known.second.instance.version;
    });
    for (const auto& [id, version] : open)
        if (!progress_.contains(id)) HF_CHECK(load(id));
    look_ = false;
    looked_at_ = Steady::now();
    return {};
}

Result<void> WebhookSender::load(const InstanceId& id) {
    HF_TRY(auto found, parts_.store.ask(FindInstance{id, Depth::document}));
    if (!found || found->corrupt) return {};
    auto webhook = webhook_from(found->instance.state.value());
    Progress progress{.instance = std::move(found->instance),
                      .webhook = {},
                      .connection = {parts_.rules, parts_.clock},
                      .at_once = records_in_post,
                      .saved_at = Steady::now()};
    if (webhook) {
        progress.webhook = *std::move(webhook);
        progress.webhook->filter.tenant = progress.instance.tenant;
    } else {
        log::error("webhook.unreadable",
                   {{"webhook", to_string(id)}, {"message", webhook.error().message}});
    }
    progress_.emplace(id, std::move(progress));
    return {};
}

Result<bool> WebhookSender::advance(Progress& progress, const std::stop_token& stop) {
    const auto end = Steady::now() + turn;
    HF_TRY(const bool goes_on, post_again(progress));
    if (!goes_on) return false;
    Webhook& webhook = *progress.webhook;
    while (!stop.stop_requested()) {
        HF_TRY(auto ahead, look_ahead(progress));
        // Records of webhooks themselves are never told: telling them would make the next ones.
        std::erase_if(ahead.records, [&](const auto& one) {
            const bool is_webhook = one->record.definition == webhook_definition;
            look_ |= is_webhook;  // another node may have changed one
            return is_webhook || !webhook.filter.takes(one->record);
        });
        for (FeedRecords& left = ahead.records; !left.empty();) {
            HF_TRY(const bool held, hold_lock());
            if (!held) return true;
            HF_TRY(const Step step, post_next(progress, left));
            if (step == Step::wait) return false;
            std::erase_if(left,
                          [&](const auto& one) { return one->position <= webhook.delivered; });
            if (Steady::now() >= end || stop.stop_requested()) return true;
        }
        webhook.delivered = std::max(webhook.delivered, ahead.reached);
        if (!ahead.more) return false;
        if (Steady::now() >= end) return true;
    }
    return true;
}

// From the node's memory, or while it is behind that, from the store.
Result<WebhookSender::Ahead> WebhookSender::look_ahead(Progress& progress) {
    Webhook& webhook = *progress.webhook;
    if (auto part = parts_.feed.after(webhook.delivered, records_ahead))
        return Ahead{std::move(part->records), part->reached,
                     part->records.size() == records_ahead};
    HF_TRY(const auto page, parts_.store.ask(StreamQuery{.after = read_after(webhook.delivered),
                                                         .limit = rounds_at_once}));
    if (webhook.delivered < StreamPosition{page.forgotten}) {
        log::error("webhook.gap", {{"webhook", to_string(progress.instance.id)},
                                   {"after", to_string(webhook.delivered)},
                                   {"upto", page.forgotten}});
        webhook.delivered = StreamPosition{page.forgotten};
        ++webhook.gaps;
        progress.unsaved = true;
        return Ahead{{}, webhook.delivered, true};
    }
    return Ahead{feed_records(page, webhook.delivered), StreamPosition{page.reached},
                 page.rows.size() == rounds_at_once};
}

Result<WebhookSender::Step> WebhookSender::post_next(Progress& progress,
                                                     const FeedRecords& wanted) {
    const std::size_t count = std::min(progress.at_once, wanted.size());
    const FeedRecords part(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(count));
    bj::array records;
    for (const auto& record : part) records.push_back(json_of(*record));
    const WebhookAnswer posted = post(progress, std::move(records));
    if (posted.outcome == Outcome::taken) {
        note_taken(progress, part);
        return Step::again;
    }
    // Fewer, until it is alone: only what is refused is set aside.
    if (posted.outcome == Outcome::refused && count > 1) {
        progress.at_once = count / 2;
        return Step::again;
    }
    note_failure(progress, posted.why);
    progress.refusals = posted.outcome == Outcome::refused ? progress.refusals + 1 : 0;
    const std::uint64_t failures = progress.webhook->failures;
    if (progress.refusals > 0 && progress.refusals >= most_refusals(posted.status) &&
        set_aside(progress, *part.front(), posted.why)) {
        HF_TRY(const bool saved, save(progress));
        return saved ? Step::again : Step::wait;
    }
    // Not each of the many failures of a receiver that is down for long.
    if ((failures & (failures - 1)) == 0) HF_CHECK(save(progress));
    return Step::wait;
}

void WebhookSender::note_taken(Progress& progress, const FeedRecords& part) {
    Webhook& webhook = *progress.webhook;
    if (webhook.failures > 0)
        log::info("webhook.resumed",
                  {{"webhook", to_string(progress.instance.id)}, {"failures", webhook.failures}});
    webhook.delivered = part.back()->position;
    webhook.count += part.size();
    webhook.failures = 0;
    progress.refusals = 0;
    progress.at_once = std::min(records_in_post, progress.at_once * 2);
    progress.unsaved = true;
}

// What was set aside and shall be tried again, beside the order.
Result<bool> WebhookSender::post_again(Progress& progress) {
    auto& refused = progress.webhook->refused;
    for (auto one = refused.begin(); one != refused.end();) {
        if (!one->again) {
            ++one;
            continue;
        }
        const WebhookAnswer posted = post(progress, bj::array{one->record});
        if (posted.outcome == Outcome::failed) {
            note_failure(progress, posted.why);
            return false;
        }
        if (posted.outcome == Outcome::taken) {
            one = refused.erase(one);
            ++progress.webhook->count;
        } else {
            one->again = false;
            one->why = posted.why;
            ++one;
        }
        HF_TRY(const bool saved, save(progress));
        if (!saved) return false;
    }
    return true;
}

WebhookAnswer WebhookSender::post(Progress& progress, bj::array records) {
    const bj::object message{{"webhook", to_string(progress.instance.id)},
                             {"records", std::move(records)}};
    WebhookAnswer posted =
        progress.connection.post(progress.instance.id, progress.webhook->url, message);
    parts_.count(posted.outcome);
    return posted;
}

void WebhookSender::note_failure(Progress& progress, const std::string& why) {
    Webhook& webhook = *progress.webhook;
    ++webhook.failures;
    webhook.failure = why;
    webhook.failed_at = to_iso8601(parts_.clock.now());
    progress.unsaved = true;
    progress.next_try = Steady::now() + pause_after(webhook.failures);
    const log::Fields fields{{"webhook", to_string(progress.instance.id)},
                             {"failures", webhook.failures},
                             {"message", why}};
    if (webhook.failures == 1)
        log::warn("webhook.failed", fields);
    else
        log::debug("webhook.failed", fields);
}

// False: there is no room for more; it waits for an operator.
bool WebhookSender::set_aside(Progress& progress, const FeedRecord& record,
                              const std::string& why) {
    Webhook& webhook = *progress.webhook;
    if (webhook.refused.size() >= most_refused_records) return false;
    webhook.refused.push_back({.position = to_string(record.position),
                               .record = json_of(record),
                               .why = why,
                               .at = webhook.failed_at});
    webhook.delivered = record.position;
    webhook.failures = 0;
    progress.refusals = 0;
    progress.next_try = {};
    log::error("webhook.refused", {{"webhook", to_string(progress.instance.id)},
                                   {"position", to_string(record.position)},
                                   {"message", why}});
    return true;
}

Result<void> WebhookSender::save_sometimes(Progress& progress) {
    const auto age = Steady::now() - progress.saved_at;
    if (age >= save_skipped_pause || (progress.unsaved && age >= save_pause))
        HF_CHECK(save(progress));
    return {};
}

Result<bool> WebhookSender::save(Progress& progress) {
    HF_TRY(const auto outcome,
           parts_.coordinator
               .submit(op::EditState{
                   .cause = Cause::of_engine(parts_.ids.next<OperationId>()),
                   .instance = progress.instance.id,
                   .expected = progress.instance.version,
                   .edit = op::Replace{.state = Document::of(webhook_state(*progress.webhook)),
                                       .state_metadata = {}}})
               .get());
    progress.saved_at = Steady::now();
    const auto* edited = std::get_if<op::Edited>(&outcome);
    // Otherwise somebody wrote it: the next look loads what is there now.
    if (edited) progress.instance.version = edited->version;
    if (edited) progress.unsaved = false;
    look_ |= !edited;
    return edited != nullptr;
}

}  // namespace holdfast::http
