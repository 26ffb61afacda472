// The seam of rounds: every change that an operation decides goes through a writer.
#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "base/result.h"
#include "store/read_set.h"
#include "store/view.h"

namespace holdfast {

struct Round {
    RoundId id;
    ReadSet reads;
};

// Folds the round's operations over the view. May be called again with a fresh view (a row changed
// between load and write): it starts over, and is deterministic for the same view.
using Decide = std::function<void(View&)>;

// The round is on stable storage.
struct Committed {
    std::size_t rows = 0;  // written, all tables
};

// The connection was lost during the commit: neither success nor failure. Call commit_status()
// before answering.
struct Unknown {};

enum class CommitStatus { committed, never };

// Commits rounds. Belongs to one thread at a time; a store may give several.
class Writer {
public:
    virtual ~Writer() = default;

    // Locks and loads what the round reads, lets `decide` change the view, and commits the
    // difference as one transaction: all of it is durable or none. A round that changes nothing
    // writes nothing. refused: a constraint, a size or an encoding, without the operation that
    // caused it; nothing is written. unavailable: the store cannot be reached; nothing is written.
    virtual Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                            const Decide& decide) = 0;

    // Whether a round was committed. Makes the result final: a round that is not committed by now
    // never will be.
    virtual Result<CommitStatus> commit_status(const RoundId& round) = 0;
};

class Rounds {
public:
    virtual ~Rounds() = default;

    // Writers that may work in parallel; SQLite has one.
    virtual std::size_t writer_count() const = 0;
    virtual Result<std::unique_ptr<Writer>> open_writer() = 0;
};

}  // namespace holdfast
