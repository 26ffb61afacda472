// Reads the journals of flows that replay, in batches: requests that arrive during a read share
// the next query.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "store/reads.h"

namespace holdfast {

// How many entries of a journal are read at once.
inline constexpr std::size_t journal_page = 1'000;

class JournalReader {
public:
    // Called on the reader's thread; must neither block nor throw.
    using Then = std::move_only_function<void(Result<std::vector<JournalEntry>>)>;

    explicit JournalReader(Reads& store);
    ~JournalReader() { stop(); }

    void read(JournalPart part, Then then);
    // Serves the queued requests, then ends the thread.
    void stop();

private:
    struct ReadRequest {
        JournalPart part;
        Then then;
    };

    void run();
    void read_batch(std::vector<ReadRequest> requests);

    Reads& store_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<ReadRequest> requests_;
    bool stopping_ = false;
    std::jthread thread_;
};

}  // namespace holdfast
