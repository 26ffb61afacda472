// Many clients that hold a stream of changes open and read what comes.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace holdfast::bench {

// Raises the limit of open files of this process; throws if it cannot be that high.
void allow_open_files(std::size_t count);

class CrowdOfStreams {
public:
    // `url` is "http://127.0.0.1:port"; `target` the stream. Returns once each has got the
    // beginning of its response; throws if one is refused.
    CrowdOfStreams(const std::string& url, const std::string& target, std::size_t count);
    ~CrowdOfStreams();
    CrowdOfStreams(const CrowdOfStreams&) = delete;
    CrowdOfStreams& operator=(const CrowdOfStreams&) = delete;

    // Throws if the server ended one.
    void check() const;

private:
    void read(const std::stop_token& stop);

    int poll_ = -1;
    std::vector<int> sockets_;
    std::atomic<std::size_t> ended_ = 0;
    std::jthread reader_;
};

}  // namespace holdfast::bench
