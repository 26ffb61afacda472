// The clients that an attack must not disturb: each starts workflows, edits, reads, sends events
// and lists, at a steady pace, and remembers what was acknowledged.
#pragma once

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
        std::vector<double> milliseconds;  // of every request
        std::vector<std::string> wrong;    // other answers than success

        double percentile(double share) const;
    };

    explicit NormalLoad(std::string url);

    // Runs until every client has made that many rounds of requests.
    Figures run(int rounds);
    // Acknowledged changes that the server does not have.
    std::vector<std::string> lost();

private:
    void run_client(int rounds, Figures& figures);

    const std::string url_;
    std::mutex mutex_;
    std::map<std::string, Version> acknowledged_;  // by workflow
};

}  // namespace holdfast::testing
