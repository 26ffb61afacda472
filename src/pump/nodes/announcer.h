// Tells other nodes what commits of this one left for them: collected, sent from a thread of its
// own, one message at a time, none while nothing happens or nobody else is alive (I32).
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "pump/metrics.h"
#include "round/commit_listener.h"
#include "store/store.h"

namespace holdfast {

class Announcer final : public CommitListener {
public:
    void start(Store& store, PumpMetrics& metrics);
    // What is not sent by now is never sent.
    void stop();

    void committed(const Touched& touched) override;
    // How many other nodes a heartbeat has found alive.
    void set_other_nodes(std::size_t count);
    // There is at least one: it has been heard.
    void saw_other_node();
    // Says that this node is there, whatever is known of others.
    void announce_self();

private:
    void run(Store& store, PumpMetrics& metrics, std::stop_token stop);
    Announcement take_locked();

    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool is_alone_ = true;
    bool signals_ = false;
    std::optional<Moment> due_;
    std::optional<Moment> announced_due_;  // the earliest since the last heartbeat
    std::set<InstanceId> awoken_;
    bool everyone_ = false;
    std::jthread thread_;
};

}  // namespace holdfast
