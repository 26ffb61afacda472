// The second round trip of a round: the statements for every row that the round changed.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "store/postgres/connection/connection.h"
#include "store/recall.h"
#include "store/store.h"

namespace holdfast::postgres {

// Called with the number of write statements queued so far; true makes the next one fail.
using Fault = std::function<bool(std::size_t)>;

struct WriteStatement {
    std::string_view name;  // in the .sql files
    Parameters parameters;
    std::size_t rows = 0;  // in the parameters
};

// One statement per table and kind of change, never one per row; fixed table order, rows by key.
// With `expected` the round has locked nothing: its updates lock the instances, then it is checked.
// The round's own row is written when they are locked.
std::vector<WriteStatement> encode(const RoundId& round, const Changes& changes,
                                   const Expected* expected = nullptr);

// Which of them writes the round's own row; it returns the time.
std::size_t place_of_round(std::span<const WriteStatement> statements);

// Queues the statements and returns the number of rows.
std::size_t queue(Connection& connection, std::span<const WriteStatement> statements,
                  const Fault& fault);

}  // namespace holdfast::postgres
