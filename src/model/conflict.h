// A stale edit: the user, the expected and the actual version, and how it was resolved (002.6).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/uuid.h"
#include "model/caller.h"
#include "model/instance.h"

namespace holdfast {

// How a stale edit asks to be resolved.
enum class OnConflict { reject, server_wins, client_wins, merge };

std::string_view name_of(OnConflict strategy);
std::optional<OnConflict> parse_on_conflict(std::string_view text);

enum class Resolution { rejected, server_wins, client_wins, merged, overlapping, base_missing };

std::string_view name_of(Resolution resolution);
std::optional<Resolution> parse_resolution(std::string_view text);

struct ConflictRow {
    OperationId id;  // of the edit
    InstanceId instance;
    Caller caller;  // its tenant is that of the instance
    Version expected = 0;
    Version actual = 0;
    std::vector<std::string> paths;  // JSON Pointers that the edit changes, or where it overlaps
    Resolution resolution = Resolution::rejected;
    Moment at;

    bool operator==(const ConflictRow&) const = default;
};

}  // namespace holdfast
