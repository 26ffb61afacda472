// The engine's snapshot of an instance as JSON: what a resume needs to know, under a schema version
// of its own (004.12).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/instance.h"

namespace holdfast {

// Goes up when the shape changes; what an older version wrote stays readable.
constexpr std::uint64_t engine_schema_version = 1;

// Where an instance goes on: at its beginning, after its last step, out of a wait, or nowhere.
enum class EntryPoint { start, step, wait, end };

std::string_view name_of(EntryPoint entry);
std::optional<EntryPoint> parse_entry_point(std::string_view text);

struct ResumePointer {
    EntryPoint entry = EntryPoint::start;
    std::optional<std::string> task;       // of a human task that it goes on from
    std::vector<std::string> branch_path;  // into nested branches
    std::uint64_t next_index = 0;

    bool operator==(const ResumePointer&) const = default;
};

struct Snapshot {
    Document state;
    BusinessReference business;
    Status status = Status::running;
    WaitingKind waiting = WaitingKind::none;
    std::optional<TokenId> token;
    std::optional<Moment> until;  // when its timer is due
    ResumePointer resume;

    bool operator==(const Snapshot&) const = default;
};

Snapshot snapshot_of(const Instance& instance);

boost::json::object to_json(const ResumePointer& resume);
boost::json::object snapshot_json(const Instance& instance);
// newer_schema: a newer holdfast wrote it, and it is to be left alone. corrupt: it is no snapshot.
Result<Snapshot> snapshot_from_json(const boost::json::value& value);

// For stores: whether a row with this snapshot_schema_version may be loaded at all.
Result<void> check_snapshot_version(std::uint64_t version);

}  // namespace holdfast
