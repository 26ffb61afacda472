// Named threads with a bounded queue, for blocking work.
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

    // False: the queue is full or the pool is shutting down, and the item was not taken.
    bool post(WorkItem& item);
    // Runs the queued items and joins the threads.
    void shutdown();

    // An item does not return: another thread takes the place of the one that runs it.
    void replace_stuck();
    // It returned after all: one thread ends.
    void dismiss_replacement();

private:
    void add_thread();
    void run();
    // Whether to wake an idle thread. A woken thread wakes the next one, so that a burst of short
    // items wakes few threads and long items wake all of them.
    bool wake_locked();

    const std::size_t queue_limit_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<WorkItem> items_;
    std::size_t idle_ = 0;  // threads that wait for an item
    bool waking_ = false;   // one of them was notified and has not run yet
    bool closing_ = false;
    std::size_t surplus_ = 0;  // threads that must end
    const std::string name_;
    std::vector<std::jthread> threads_;
};

}  // namespace holdfast
