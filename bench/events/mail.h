// Senders of numbered events to one workflow, and the outside runner that takes them and checks
// them.
#pragma once

#include <atomic>

#include "clients.h"

namespace holdfast::bench {

// One workflow of the first run, and what is sent to it.
class Target {
public:
    Target(std::string url, const std::string& id)
        : url_(std::move(url)), path_("/api/v1/workflows/" + id) {}

    // Every answer is 200 or 202, and no two events have one id; std::runtime_error otherwise.
    ClientWork send(const ClientLoad& load);
    // The last event: the runner stops at it.
    void send_end();

    // Takes events until it finds the last one. They come in the order of each sender and all of
    // them once, with none left out in between; std::runtime_error otherwise.
    void consume();
    // What `consume` has taken so far, from any thread.
    std::size_t consumed() const { return consumed_; }
    // Whether `consume` has taken what these senders sent, all of it; std::runtime_error otherwise.
    void must_have_consumed(const ClientWork& work) const;

private:
    std::string url_;
    std::string path_;
    std::atomic<std::size_t> consumed_ = 0;
    std::vector<std::size_t> taken_;  // by client
};

}  // namespace holdfast::bench
