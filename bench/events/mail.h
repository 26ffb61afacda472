// Senders of numbered events to one workflow, and the external runner that consumes and checks
// them.
#pragma once

#include <atomic>

#include "clients.h"

namespace holdfast::bench {

// One workflow in its first run, and the events sent to it.
class Target {
public:
    Target(std::string url, const std::string& id)
        : url_(std::move(url)), path_("/api/v1/workflows/" + id) {}

    // Throws std::runtime_error if a response is not 200 or 202, or if two events have the same id.
    ClientWork send(const ClientLoad& load);
    // Sends the last event; the runner stops at it.
    void send_end();

    // Consumes events up to the last one. Throws std::runtime_error if the events of a sender do
    // not arrive in order, each exactly once.
    void consume();
    // How many events `consume` has taken so far; from any thread.
    std::size_t consumed() const { return consumed_; }
    // Throws std::runtime_error unless `consume` has taken all events that these senders sent.
    void must_have_consumed(const ClientWork& work) const;

private:
    std::string url_;
    std::string path_;
    std::atomic<std::size_t> consumed_ = 0;
    std::vector<std::size_t> taken_;  // by client
};

}  // namespace holdfast::bench
