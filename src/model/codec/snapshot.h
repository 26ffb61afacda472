// The engine's snapshot of an instance as JSON: the data needed to resume it, with its own schema
// version (004.12).
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

// Incremented when the format changes; older versions stay readable.
constexpr std::uint64_t engine_schema_version = 1;

// Where an instance resumes: at its start, after its last step, from a wait, or not at all.
enum class EntryPoint { start, step, wait, end };

std::string_view name_of(EntryPoint entry);
std::optional<EntryPoint> parse_entry_point(std::string_view text);

struct ResumePointer {
    EntryPoint entry = EntryPoint::start;
    std::optional<std::string> task;       // name of the human task it resumes from
    std::vector<std::string> branch_path;  // through nested branches
    std::uint64_t next_index = 0;

    bool operator==(const ResumePointer&) const = default;
};

struct Snapshot {
    Document state;
    BusinessReference business;
    Status status = Status::running;
    WaitingKind waiting = WaitingKind::none;
    std::optional<TokenId> token;
    std::optional<Moment> until;  // due time of its timer
    ResumePointer resume;

    bool operator==(const Snapshot&) const = default;
};

Snapshot snapshot_of(const Instance& instance);

boost::json::object to_json(const ResumePointer& resume);
boost::json::object snapshot_json(const Instance& instance);
// newer_schema: written by a newer holdfast, do not touch it. corrupt: not a snapshot.
Result<Snapshot> snapshot_from_json(const boost::json::value& value);

// For stores: whether this version can load a row with this snapshot_schema_version.
Result<void> check_snapshot_version(std::uint64_t version);

}  // namespace holdfast
