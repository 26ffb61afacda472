// Writers that keep editing and starting workflows while a server stops and restarts, and record
// their requests and the answers.
#pragma once

#include <condition_variable>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/server_client.h"

namespace holdfast::testing {

// What the client learned about its request.
enum class Told {
    done,     // acknowledged: must be stored
    refused,  // refused: must not be stored
    unknown,  // no answer: stored completely or not at all
};

struct EditAttempt {
    std::string correlation;  // unique, stored with the edit
    std::size_t instance = 0;
    Version base = 0;
    std::string state;     // of the next version if the edit was committed, canonical
    std::string metadata;  // the same; empty: unchanged
    Told told = Told::unknown;
};

struct StartAttempt {
    std::string key;  // both the Idempotency-Key and the business key
    boost::json::value state;
    Told told = Told::unknown;
    boost::json::value answer;  // if done
};

struct LoadLog {
    std::vector<EditAttempt> edits;
    std::vector<StartAttempt> starts;
    std::vector<std::string> odd;  // unexpected answers
};

struct LoadOptions {
    std::size_t writers = 8;
    std::size_t shared_instances = 2;  // in addition to one per writer
    std::uint64_t seed = 1;
};

// The writers run from construction to destruction and are paused at first.
class EditLoad {
public:
    EditLoad(const LoadOptions& options, const std::string& url);
    ~EditLoad();
    EditLoad(const EditLoad&) = delete;
    EditLoad& operator=(const EditLoad&) = delete;

    static constexpr const char* definition = "load";

    // One per writer, then the shared ones.
    const std::vector<std::string>& instances() const { return instances_; }

    // The writers send requests to this server until it is lost or they are paused.
    void resume(const std::string& url);
    // Returns when no request is in progress.
    void pause();
    // Whether that many more edits and starts were acknowledged in time.
    bool wait_for_acknowledged(std::size_t more, std::chrono::seconds at_most);
    // The log since the last call. Only while paused.
    LoadLog take_log();

private:
    class Writer;

    // The URL of the server; absent: the writer ends.
    std::optional<std::string> next_turn(int& lost);
    void end_turn();
    void run(std::size_t number, std::uint64_t seed);
    void note(EditAttempt attempt);
    void note(StartAttempt attempt);
    void note_odd(std::string what);

    const LoadOptions options_;
    std::vector<std::string> instances_;

    std::mutex mutex_;
    std::condition_variable changed_;
    bool running_ = false;
    bool ending_ = false;
    int generation_ = 0;  // of the server; a writer that lost its connection waits for the next
    std::string url_;
    std::size_t busy_ = 0;
    std::size_t acknowledged_ = 0;
    LoadLog log_;

    std::vector<std::jthread> writers_;
};

}  // namespace holdfast::testing
