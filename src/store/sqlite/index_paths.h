// The declared index paths of a SQLite file, and the index rows of a state.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json/contains.h"
#include "model/instance.h"
#include "store/sqlite/database.h"

namespace holdfast::sqlite {

struct IndexPath {
    std::int64_t id = 0;
    json::Path path;
    bool ready = false;
    std::int64_t backfilled = 0;  // seq of the last instance that the backfill indexed
};

Result<std::vector<IndexPath>> load_index_paths(Database& database);

// Long values are indexed by a prefix; a search compares the full value afterwards.
std::string indexed_text(std::string_view text);

// (path id, indexed text), sorted, for every path that has a scalar in the state.
using PathValues = std::vector<std::pair<std::int64_t, std::string>>;
PathValues path_values(const std::vector<IndexPath>& paths, const Document& state);

}  // namespace holdfast::sqlite
