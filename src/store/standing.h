// What operators ask: why an instance does not move, and how much there is of what they watch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/history.h"
#include "model/signal.h"

namespace holdfast {

// What its row does not say of why an instance does not move.
struct Standing {
    std::optional<SignalRow> continuation;  // of a running instance that a node runs
    std::optional<HistoryRow> incident;     // the newest one, of the last thousand changes
};

struct FindStanding {
    using Answer = Standing;

    InstanceId id;
};

// How many waits on a channel come before one, counted up to a limit.
struct CountWaitsBefore {
    using Answer = std::uint64_t;

    ChannelKey channel;
    Moment began_at;
    OperationId operation;
    TokenId token;
    std::uint64_t most = 10'000;
};

// How much there is of what operators watch; each is counted up to a limit.
struct Backlog {
    // Open instances of a definition, by status.
    struct Open {
        std::string definition;
        std::string status;
        std::uint64_t count = 0;
    };
    std::vector<Open> open;  // the most frequent ones
    std::uint64_t incidents = 0;
    std::uint64_t tasks = 0;  // open ones
    std::uint64_t dead_letters = 0;
    std::uint64_t dead_events = 0;
    std::uint64_t signals = 0;            // queued, leased or not
    std::optional<Moment> oldest_signal;  // of those that may be claimed: since when
    std::uint64_t timers = 0;
    std::optional<Moment> next_timer;
    Moment now;
};

struct CountBacklog {
    using Answer = Backlog;

    std::uint64_t most = 10'000;
    std::uint64_t groups = 100;  // of `open`
};

}  // namespace holdfast
