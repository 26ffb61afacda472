// Reads the journals of flows that replay. Whoever wakes many at once wakes them together: what is
// asked for while it reads is read with the next question.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "store/store.h"

namespace holdfast {

// How many entries of a journal are read at once.
inline constexpr std::size_t journal_page = 1'000;

class JournalReader {
public:
    // On the thread that reads; neither blocks nor throws.
    using Then = std::move_only_function<void(Result<std::vector<JournalEntry>>)>;

    explicit JournalReader(Store& store);
    ~JournalReader() { stop(); }

    void read(JournalPart part, Then then);
    // Reads what was asked for, then ends the thread.
    void stop();

private:
    struct Question {
        JournalPart part;
        Then then;
    };

    void run();
    void answer(std::vector<Question> questions);

    Store& store_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Question> questions_;
    bool stopping_ = false;
    std::jthread thread_;
};

}  // namespace holdfast
