// Posts the stream's records to the URLs of webhooks: of each in order, at least once, from the
// position that its state has. One node does it, under a host lock.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/ids/id_source.h"
#include "http/webhooks/webhook_connection.h"
#include "pump/stream/change_feed.h"
#include "round/coordinator.h"
#include "store/store.h"

namespace holdfast::http {

// Belongs to one thread.
class WebhookSender {
public:
    struct Parts {
        Store& store;
        ChangeFeed& feed;  // followed while `Next::sends`
        Coordinator& coordinator;
        IdSource& ids;
        const Clock& clock;
        std::string node;
        const WebhookRules& rules;
        std::chrono::microseconds lock_time = std::chrono::seconds(10);
        std::function<void(WebhookAnswer::Outcome)> count = [](WebhookAnswer::Outcome) {};
    };

    explicit WebhookSender(Parts parts) : parts_(std::move(parts)) {}

    struct Next {
        bool sends = false;  // this node posts, and wants to hear of every change
        std::optional<std::chrono::milliseconds> again = {};  // when to look without a change
    };
    // Posts what there is, of each webhook a bounded part.
    Result<Next> run(const std::stop_token& stop);
    // Webhooks were added, changed or removed.
    void look_for_webhooks() { look_ = true; }
    // The last time: writes how far it is.
    void finish();

private:
    using Steady = std::chrono::steady_clock;
    // What this node knows of a webhook beyond its state.
    struct Progress {
        Instance instance;
        std::optional<Webhook> webhook;  // absent: its state is none
        WebhookConnection connection;
        Steady::time_point next_try{};
        std::size_t at_once = 0;     // records in a post; fewer after a refusal
        std::uint64_t refusals = 0;  // in a row, of the record that comes next
        bool unsaved = false;
        Steady::time_point saved_at{};
    };
    // The next records of a webhook, and how far they reach.
    struct Ahead {
        FeedRecords records;
        StreamPosition reached;
        bool more = false;
    };

    Result<bool> hold_lock();
    Result<void> find_webhooks();
    Result<void> load(const InstanceId& id);
    // Whether there may be more right now.
    Result<bool> advance(Progress& progress, const std::stop_token& stop);
    Result<Ahead> look_ahead(Progress& progress);
    enum class Step { done, again, wait };
    Result<Step> post_next(Progress& progress, const FeedRecords& wanted);
    Result<bool> post_again(Progress& progress);
    WebhookAnswer post(Progress& progress, boost::json::array records);
    void note_taken(Progress& progress, const FeedRecords& part);
    void note_failure(Progress& progress, const std::string& why);
    bool set_aside(Progress& progress, const FeedRecord& record, const std::string& why);
    // False: somebody else wrote it meanwhile.
    Result<bool> save(Progress& progress);
    Result<void> save_sometimes(Progress& progress);

    Parts parts_;
    std::map<InstanceId, Progress> progress_;
    bool look_ = true;
    Steady::time_point looked_at_{};
    Steady::time_point locked_at_{};
};

}  // namespace holdfast::http
