#include "store/sqlite/index_paths.h"

#include "base/json/text_scan.h"
#include "store/sqlite/rows/rows.h"

namespace holdfast::sqlite {

constexpr std::size_t longest_indexed = 200;

// Each is looked up in the text; a text with more is parsed once.
constexpr std::size_t most_looked_up = 8;

Result<std::vector<IndexPath>> load_index_paths(Database& database) {
    std::vector<IndexPath> paths;
    auto done = for_each_row(database["read_index_paths"].bind(), [&](Statement& row) {
        IndexPath path;
        path.id = row.integer();
        auto parsed = json::parse_path(row.view());
        path.ready = row.flag();
        path.backfilled = row.integer();
        if (!parsed) return;
        path.path = *std::move(parsed);
        paths.push_back(std::move(path));
    });
    if (!done) return std::unexpected(done.error());
    return paths;
}

std::string indexed_text(std::string_view text) {
    if (text.size() <= longest_indexed) return std::string(text);
    std::size_t end = longest_indexed;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return std::string(text.substr(0, end));
}

PathValues path_values(const std::vector<IndexPath>& paths, const Document& state) {
    PathValues values;
    if (paths.empty() || state.is_empty_object()) return values;
    const bool is_parsed = paths.size() > most_looked_up;
    const auto value = is_parsed ? state.shared_value() : nullptr;
    for (const IndexPath& path : paths)
        if (const auto text = is_parsed ? json::text_at(*value, path.path)
                                        : json::text_in(state.text(), path.path))
            values.emplace_back(path.id, indexed_text(*text));
    return values;
}

}  // namespace holdfast::sqlite
