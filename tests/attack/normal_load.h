// The clients that an attack must not disturb: each starts workflows, edits, reads, sends events
// and lists, at a steady pace, and remembers what was acknowledged.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "model/instance.h"

namespace holdfast::testing {

class NormalLoad {
public:
    struct Figures {
        std::vector<double> milliseconds;       // of every request
        std::map<std::string, double> slowest;  // of each kind
        std::vector<std::string> wrong;         // other answers than success
        // The most requests of others that were answered while one of these was.
        std::uint64_t overtaken = 0;

        double percentile(double share) const;
        void add(const Figures& others);
    };

    explicit NormalLoad(std::string url);

    // Runs until every client has made that many rounds of requests.
    // `others` counts the requests of others.
    Figures run(int rounds, const std::atomic<std::uint64_t>* others = nullptr);
    // Acknowledged changes that the server does not have.
    std::vector<std::string> lost();

private:
    void run_client(int rounds, Figures& figures, const std::atomic<std::uint64_t>* others);

    const std::string url_;
    std::mutex mutex_;
    struct Acknowledged {
        Version version = 0;
        std::string event;  // the route of its fate; empty: none was accepted
    };
    std::map<std::string, Acknowledged> acknowledged_;  // by workflow
};

}  // namespace holdfast::testing
