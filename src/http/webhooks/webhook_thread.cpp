#include "http/webhooks/webhook_thread.h"

#include <algorithm>

#include "base/threads/threads.h"
#include "pump/outage.h"

namespace holdfast::http {
namespace {

constexpr std::chrono::milliseconds start_pause{500};
// Changes of one moment go into one post.
constexpr std::chrono::milliseconds gather{20};

}  // namespace

void WebhookThread::start(WebhookSender::Parts parts) {
    look_at(Steady::now() + start_pause);
    thread_ = named_thread(
        "webhooks",
        [this, parts = std::move(parts)](const std::stop_token& stop) mutable {
            ChangeFeed& feed = parts.feed;
            WebhookSender sender(std::move(parts));
            run(sender, feed, stop);
            sender.finish();
        },
        Priority::background);
}

void WebhookThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void WebhookThread::committed(const Touched& touched) {
    const bool is_webhook =
        std::ranges::any_of(touched.instances, [](const TouchedInstance& touch) {
            return touch.instance && touch.instance->definition.key == webhook_definition;
        });
    if (is_webhook) look_for_webhooks();
}

void WebhookThread::look_for_webhooks() {
    changed_webhooks_ = true;
    look_soon();
}

void WebhookThread::look_soon() { look_at(Steady::now() + gather); }

void WebhookThread::look_at(Steady::time_point then) {
    const std::lock_guard lock(mutex_);
    if (next_ && *next_ <= then) return;
    next_ = then;
    changed_.notify_one();
}

void WebhookThread::run(WebhookSender& sender, ChangeFeed& feed, const std::stop_token& stop) {
    Outage outage("webhooks");
    std::optional<ChangeFeed::Ticket> ticket;
    while (true) {
        sleep(stop);
        if (stop.stop_requested()) break;
        {
            const std::lock_guard lock(mutex_);
            next_.reset();
        }
        if (changed_webhooks_.exchange(false)) sender.look_for_webhooks();
        const auto next = sender.run(stop);
        if (!next) {
            look_at(Steady::now() + outage.failed(next.error()));
            continue;
        }
        outage.over();
        if (next->sends && !ticket) {
            ticket = feed.follow([this] { look_soon(); });
            look_soon();  // what happened before it followed
        }
        if (!next->sends && ticket) feed.unfollow(*std::exchange(ticket, std::nullopt));
        if (next->again) look_at(Steady::now() + *next->again);
    }
    if (ticket) feed.unfollow(*ticket);
}

void WebhookThread::sleep(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (stop.stop_requested() || (next_ && *next_ <= Steady::now())) return;
        const auto planned = next_;
        const auto changed = [&] { return next_ != planned; };
        if (planned)
            changed_.wait_until(lock, stop, *planned, changed);
        else
            changed_.wait(lock, stop, changed);
    }
}

}  // namespace holdfast::http
