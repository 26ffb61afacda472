// A few named threads and a bounded queue for work that blocks.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace holdfast {

class WorkerPool {
public:
    using WorkItem = std::move_only_function<void()>;

    WorkerPool(const std::string& name, std::size_t threads, std::size_t queue_limit);
    ~WorkerPool() { shutdown(); }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // False: the queue is full and the item was not taken.
    bool post(WorkItem& item);
    // Finishes what is queued and ends the threads.
    void shutdown();

private:
    void run();
    // Whether somebody is to be woken for what is queued. Whoever wakes up passes it on, so that a
    // burst of short jobs wakes few threads and long ones wake all of them.
    bool wake_locked();

    const std::size_t queue_limit_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<WorkItem> items_;
    std::size_t idle_ = 0;  // threads that wait for a item
    bool waking_ = false;   // one of them has been told and has not looked yet
    bool closing_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace holdfast
