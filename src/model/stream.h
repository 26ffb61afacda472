// The stream of changes: records of what each commit did to workflows, tasks, dead letters and
// incidents, in an order that every node tells alike.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/instance.h"

namespace holdfast {

enum class RecordKind : std::uint8_t { workflow, incident, task, dead_letter, dead_event };

std::string_view name_of(RecordKind kind);
std::optional<RecordKind> parse_record_kind(std::string_view text);

struct StreamRecord {
    RecordKind kind = RecordKind::workflow;
    // Of the history row or the task's event; of a dead letter or event: `Buried` or `Removed`.
    std::string type;
    InstanceId instance;
    std::string tenant;
    std::string definition;    // key; empty: not known any more
    std::string business_key;  // empty: none
    Version version = 0;       // of the workflow; of a task its own; of a dead letter 0
    std::string user;          // empty: the engine
    Uuid subject = {};         // the id of the task, dead letter or dead event

    bool operator==(const StreamRecord&) const = default;
};

// What one commit did, in its order.
struct RoundRecords {
    Moment at;
    std::vector<StreamRecord> records;

    bool operator==(const RoundRecords&) const = default;
};

// A few bytes a record: texts and workflows that repeat are stored once.
std::string encode(const RoundRecords& round);
// corrupt: not written by `encode`.
Result<RoundRecords> decode_records(std::string_view bytes);

// A place between two records: behind the first `seen` records of a round. Those behind it are
// what a reader has not got.
struct StreamPosition {
    static constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t round = 0;
    std::uint64_t seen = all;

    auto operator<=>(const StreamPosition&) const = default;
};

// "17" behind a whole round, "17.3" within one.
std::string to_string(const StreamPosition& position);
std::optional<StreamPosition> parse_stream_position(std::string_view text);

}  // namespace holdfast
