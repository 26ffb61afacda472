// Tells user code when workflows end, without a thread for each that waits.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#include "node/workflow_api.h"

namespace holdfast {

// It is open, but nothing runs it: its continuation is a dead letter.
struct StoppedWorkflow {
    std::string reason;
};

// Safe from any thread. A workflow that this node changes is told about by its commit; others are
// read on the thread `ends`: when another node announces them, and with `look_again`, because
// announcements may be lost.
class Ends {
public:
    using End = std::variant<Ending, StoppedWorkflow, Error>;
    // Runs on a thread that must not be blocked.
    using Told = std::function<void(End)>;

    Ends(Store& store, Coordinator& coordinator);
    // All that still wait are told `shutting_down`.
    ~Ends();

    void wait_for(const InstanceId& id, Told told);
    // Reads every workflow that somebody waits for.
    void look_again();

private:
    struct Wait {
        InstanceId id;
        Told told;
        Watchers::Ticket ticket;
    };
    using WaitNumber = std::uint64_t;

    void see(WaitNumber number, const Instance* instance);
    // Tells the wait, unless it was told before.
    void tell(WaitNumber number, End end);
    void read_soon(WaitNumber number);
    void run(const std::stop_token& stop);
    void read(const std::vector<std::pair<WaitNumber, InstanceId>>& waits);

    Store& store_;
    Coordinator& coordinator_;
    std::mutex mutex_;
    std::condition_variable_any wanted_;
    WaitNumber next_ = 0;
    std::unordered_map<WaitNumber, Wait> waits_;
    std::vector<WaitNumber> unread_;
    std::jthread thread_;
};

// Throws WorkflowFailed, WorkflowStopped, Misuse or Unavailable unless it succeeded.
Json result_of(const std::string& id, const Ends::End& end);

}  // namespace holdfast
