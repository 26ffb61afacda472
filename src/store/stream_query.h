// Reading the stream of changes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/stream.h"

namespace holdfast {

struct StreamPage {
    struct Row {
        std::uint64_t position = 0;
        RoundRecords round;
    };
    std::vector<Row> rows;
    std::uint64_t reached = 0;  // every row up to here is in this page, or was before it
    std::uint64_t newest =
        0;  // the last position that was given: beyond `reached` it is on its way
    std::uint64_t forgotten = 0;  // retention has deleted rows up to here
};

// The rounds behind a position, in order, as far as no earlier one can still appear: every node
// reads the same.
struct StreamQuery {
    using Answer = StreamPage;

    std::optional<std::uint64_t> after;  // absent: only where the stream is now
    std::size_t limit = 128;             // rounds
};

}  // namespace holdfast
