// The thread that posts webhooks: follows the node's feed while it posts any, and wakes when one
// changes here. Without webhooks it sleeps and runs no statement.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "http/webhooks/webhook_sender.h"
#include "round/commit_listener.h"

namespace holdfast::http {

// Constructed before the coordinator, as its listener.
class WebhookThread final : public CommitListener {
public:
    ~WebhookThread() override { stop(); }

    void start(WebhookSender::Parts parts);
    // Waits for the post that is on its way, and writes how far all are.
    void stop();

    void committed(const Touched& touched) override;
    // There may be webhooks that nobody posts any more.
    void look_for_webhooks();

private:
    using Steady = std::chrono::steady_clock;
    void run(WebhookSender& sender, ChangeFeed& feed, const std::stop_token& stop);
    void sleep(const std::stop_token& stop);
    void look_soon();
    void look_at(Steady::time_point then);

    std::atomic<bool> changed_webhooks_ = true;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Steady::time_point> next_;  // absent: until something happens
    std::jthread thread_;
};

}  // namespace holdfast::http
