// Bulk jobs: the same change for every workflow that a query finds. A job is a workflow of the
// engine's own definition, whose state says what to do and how far it is: starts, stops, lists,
// history and what survives a kill are those of workflows (ADR 44).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "operations/operation.h"

namespace holdfast {

inline constexpr std::string_view bulk_definition = "holdfast.bulk";

// What is done to each: as a value whose instance, cause and key are still to be set.
using BulkAction =
    std::variant<op::Migrate, op::Cancel, op::Pause, op::Resume, op::Retry, op::SendEvent>;

struct BulkRefusal {
    std::string why;
    std::uint64_t count = 0;
    std::string example;  // id of a workflow

    bool operator==(const BulkRefusal&) const = default;
};

struct BulkJob {
    // The filters of the list of workflows, as its parameters.
    std::map<std::string, std::string> query;
    BulkAction action;
    std::string reason;

    std::optional<std::uint64_t> matched;  // absent: not counted yet
    std::uint64_t done = 0;
    std::uint64_t refused = 0;
    std::vector<BulkRefusal> refusals;  // the first most_refusals kinds
    // Those that are being done, written before the first of them: what is done twice, because the
    // process ended meanwhile, is recognised by its key and counted once.
    std::vector<InstanceId> batch;
    std::optional<std::string> cursor;  // behind the batch
    bool all_read = false;              // nothing is behind the batch

    std::uint64_t left() const;
    void note_refusal(std::string why, const InstanceId& id);
};

inline constexpr std::size_t most_refusals = 20;

// invalid_argument: says what of it is wrong.
Result<BulkJob> bulk_job_from(const boost::json::value& state);
boost::json::object to_json(const BulkJob& job);
// {"do": "migrate", "to": 3, ...}
Result<BulkAction> bulk_action_from(const boost::json::value& action);
boost::json::object to_json(const BulkAction& action);

}  // namespace holdfast
