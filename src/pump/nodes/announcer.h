// Announces to other nodes what the commits of this one left for them: collected and sent from its
// own thread, one message at a time; none while nothing happens or no other node is alive (I32).
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "pump/metrics.h"
#include "round/commit_listener.h"
#include "store/hints.h"

namespace holdfast {

class Announcer final : public CommitListener {
public:
    void start(Hints& store, PumpMetrics& metrics);
    // Drops what is not sent yet.
    void stop();

    void committed(const Touched& touched) override;
    // How many other nodes a heartbeat found alive.
    void set_other_nodes(std::size_t count);
    // An announcement of another node was received.
    void saw_other_node();
    // Announces this node, also if no other node is known.
    void announce_self();
    // Another node has readers of the stream, as it announced or as a heartbeat found: it hears of
    // every commit until two heartbeats in a row found none.
    void set_followed(Following others);
    // This node has its first reader.
    void announce_follower();

private:
    void run(Hints& store, PumpMetrics& metrics, std::stop_token stop);
    Announcement take_locked();
    bool has_news_locked() const;

    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool is_alone_ = true;
    bool signals_ = false;
    std::optional<Moment> due_;
    std::optional<Moment> announced_due_;  // the earliest since the last heartbeat
    std::set<InstanceId> awoken_;
    bool everyone_ = false;
    bool changes_ = false;
    bool follows_ = false;
    int followed_ = 0;  // heartbeats left
    std::jthread thread_;
};

}  // namespace holdfast
