#include "node/journal_reader.h"

#include <algorithm>

#include "base/threads/threads.h"

namespace holdfast {
namespace {

constexpr std::size_t most_at_once = 256;

}  // namespace

JournalReader::JournalReader(Store& store)
    : store_(store), thread_(named_thread("journals", [this](std::stop_token) { run(); })) {}

void JournalReader::read(JournalPart part, Then then) {
    {
        const std::lock_guard lock(mutex_);
        if (!stopping_) {
            questions_.push_back({part, std::move(then)});
            then = nullptr;
        }
    }
    if (then) return then(fail(ErrorCode::shutting_down, "this node stops"));
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
        changed_.wait(lock, [this] { return stopping_ || !questions_.empty(); });
        if (questions_.empty()) return;
        const std::size_t some = std::min(questions_.size(), most_at_once);
        const auto end = questions_.begin() + static_cast<std::ptrdiff_t>(some);
        std::vector<Question> taken(std::make_move_iterator(questions_.begin()),
                                    std::make_move_iterator(end));
        questions_.erase(questions_.begin(), end);
        lock.unlock();
        answer(std::move(taken));
        lock.lock();
    }
}

void JournalReader::answer(std::vector<Question> questions) {
    std::vector<JournalPart> parts;
    for (const Question& question : questions) parts.push_back(question.part);
    auto journals = store_.journals(parts);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        if (journals)
            questions[i].then(std::move((*journals)[i]));
        else
            questions[i].then(std::unexpected(journals.error()));
    }
}

}  // namespace holdfast
