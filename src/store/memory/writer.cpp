#include "store/memory/writer.h"

namespace holdfast::memory {

Result<std::variant<Committed, Unknown>> MemoryWriter::commit(const Round& round,
                                                              const Decide& decide) {
    const std::lock_guard lock(store_.mutex_);
    Tables& tables = store_.tables_;
    tables.latest = std::max(tables.latest, store_.options_.clock->now());
    View view(round.reads, load(tables, round.reads));
    decide(view);
    const Changes& changes = view.changes();
    if (changes.empty()) return Committed{0};
    if (auto fits = check(tables, changes); !fits) return std::unexpected(fits.error());
    const std::size_t rows = count_rows(changes);
    for (std::size_t row = 0; store_.options_.fault && row < rows; ++row)
        if (store_.options_.fault(row)) return fail(ErrorCode::refused, "a fault was injected");
    apply(tables, round.id, changes);
    if (store_.options_.lose_commit && store_.options_.lose_commit()) return Unknown{};
    return Committed{rows};
}

Result<CommitStatus> MemoryWriter::commit_status(const RoundId& round) {
    const std::lock_guard lock(store_.mutex_);
    return store_.tables_.rounds.emplace(round, CommitStatus::never).first->second;
}

}  // namespace holdfast::memory
