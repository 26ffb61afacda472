// Commits rounds to the maps of a memory store, one at a time.
#pragma once

#include "store/memory/store.h"

namespace holdfast::memory {

class MemoryWriter final : public Writer {
public:
    explicit MemoryWriter(MemoryStore& store) : store_(store) {}

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override;
    Result<CommitStatus> commit_status(const RoundId& round) override;

private:
    MemoryStore& store_;
};

}  // namespace holdfast::memory
