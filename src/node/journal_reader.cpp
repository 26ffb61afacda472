#include "node/journal_reader.h"

#include <algorithm>

#include "base/threads/threads.h"

namespace holdfast {
namespace {

constexpr std::size_t most_at_once = 256;

}  // namespace

JournalReader::JournalReader(Reads& store)
    : store_(store), thread_(named_thread("journals", [this](std::stop_token) { run(); })) {}

void JournalReader::read(JournalPart part, Then then) {
    {
        const std::lock_guard lock(mutex_);
        if (!stopping_) {
            requests_.push_back({part, std::move(then)});
            then = nullptr;
        }
    }
    if (then) return then(fail(ErrorCode::shutting_down, "the node is shutting down"));
    changed_.notify_one();
}

void JournalReader::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void JournalReader::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || !requests_.empty(); });
        if (requests_.empty()) return;
        const std::size_t some = std::min(requests_.size(), most_at_once);
        const auto end = requests_.begin() + static_cast<std::ptrdiff_t>(some);
        std::vector<ReadRequest> taken(std::make_move_iterator(requests_.begin()),
                                       std::make_move_iterator(end));
        requests_.erase(requests_.begin(), end);
        lock.unlock();
        read_batch(std::move(taken));
        lock.lock();
    }
}

void JournalReader::read_batch(std::vector<ReadRequest> requests) {
    std::vector<JournalPart> parts;
    for (const ReadRequest& request : requests) parts.push_back(request.part);
    auto journals = store_.ask(ListJournals{parts});
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (journals)
            requests[i].then(std::move((*journals)[i]));
        else
            requests[i].then(std::unexpected(journals.error()));
    }
}

}  // namespace holdfast
