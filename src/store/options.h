// How a store is opened.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/threads/threads.h"
#include "base/time/clock.h"
#include "store/store.h"

namespace holdfast {

struct StoreOptions {
    const Clock* clock = nullptr;  // required; PostgreSQL takes its own time instead
    std::chrono::milliseconds call_timeout = std::chrono::seconds(30);
    std::size_t writers = 0;  // 0: the store's default
    std::size_t readers = 4;
    std::size_t searchers = threads_for_long_work();  // lists that read documents
    // Opens also where a crash of the machine may lose an acknowledged commit (I36).
    bool allow_weak_durability = false;
    // Called once, from a thread that commits, when the SQLite file was deleted, moved or replaced:
    // nothing can be committed any more.
    std::function<void()> file_lost;
    // Called before every commit: how many pages a SQLite file may have. Tests only.
    std::function<std::size_t()> most_pages;
    // Called with the number of writes that a commit has made so far; true makes the next one fail.
    // Tests only.
    std::function<bool(std::size_t)> fault;
    // Called after COMMIT was sent; true loses its result, as a lost connection does. Tests only.
    std::function<bool()> lose_commit;
};

// Opens `memory:`, `sqlite:PATH` or `postgres://...`, applying migrations under a lock.
Result<std::unique_ptr<Store>> open_store(const std::string& url, const StoreOptions& options);

}  // namespace holdfast
