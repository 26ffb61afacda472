// Named threads with a bounded queue, for blocking work.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/threads/threads.h"

namespace holdfast {

class WorkerPool {
public:
    using WorkItem = std::move_only_function<void()>;

    WorkerPool(const std::string& name, std::size_t threads, std::size_t queue_limit,
               Priority priority = Priority::usual);
    ~WorkerPool() { shutdown(); }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // False: the queue is full or the pool is shutting down, and the item was not taken.
    bool post(WorkItem& item) { return post(item, {}); }
    // Once `gone` is requested nobody waits for the item: it gives up its place in the queue and
    // runs after all the others. If too many such items are left, the oldest are dropped unrun.
    bool post(WorkItem& item, std::stop_token gone);
    // Runs the queued items, without those that nobody waits for, and joins the threads.
    void shutdown();

    // An item does not return: another thread takes the place of the one that runs it.
    void replace_stuck();
    // It returned after all: one thread ends.
    void dismiss_replacement();

private:
    // Safe to destroy without the mutex only: that waits for its callback.
    struct Queued {
        enum class Place { nowhere, queue, left };

        WorkItem item;
        Place place = Place::nowhere;
        bool is_gone = false;
        std::optional<std::stop_callback<std::function<void()>>> on_gone;
    };
    using Queue = std::list<Queued>;

    void add_thread();
    void run();
    void leave(Queue::iterator queued);
    void add_left_locked(Queue& from, Queue::iterator queued, Queue& dropped);
    // The next item to run, as a list of one; empty: none.
    Queue take_locked();
    // Whether to wake an idle thread. A woken thread wakes the next one, so that a burst of short
    // items wakes few threads and long items wake all of them.
    bool wake_locked();

    const std::size_t queue_limit_;
    std::mutex mutex_;
    std::condition_variable wake_;
    Queue items_;
    Queue left_;            // nobody waits for these
    std::size_t idle_ = 0;  // threads that wait for an item
    bool waking_ = false;   // one of them was notified and has not run yet
    bool closing_ = false;
    std::size_t surplus_ = 0;  // threads that must end
    const std::string name_;
    const Priority priority_;
    std::vector<std::jthread> threads_;
};

}  // namespace holdfast
