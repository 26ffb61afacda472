#include "store/sqlite/search.h"

#include <charconv>
#include <limits>

#include "base/json/canonical.h"
#include "store/sqlite/index_paths.h"
#include "store/sqlite/rows/rows.h"

namespace holdfast::sqlite {
namespace {

// A page ends after this many rows even if it is not full; its cursor continues from there.
constexpr std::size_t most_rows_looked_at = 20'000;
constexpr std::size_t batch = 256;

// The index for a query: a statement and its parameters after cursor and limit.
struct Plan {
    std::string_view statement = "search_all";
    std::vector<std::string> keys;
    std::optional<std::int64_t> path_id;
    bool served = true;  // by an index that leaves few rows to check
};

Result<std::optional<std::int64_t>> ready_path(Database& database, const json::Path& path) {
    const std::string text = json::to_string(path);
    std::optional<std::int64_t> id;
    auto done = for_each_row(database["find_index_path"].bind(text),
                             [&](Statement& row) { id = row.integer(); });
    if (!done) return std::unexpected(done.error());
    return id;
}

// The path conditions of a query: its path filters, and those implied by its containment filter.
std::vector<std::pair<json::Path, std::string>> path_conditions(const InstanceQuery& query) {
    auto conditions = query.paths;
    if (query.contains)
        for (json::Leaf& leaf : json::leaves(*query.contains))
            conditions.emplace_back(std::move(leaf.path), std::move(leaf.text));
    return conditions;
}

Result<Plan> choose(Database& database, const InstanceQuery& query) {
    if (query.business_key)
        return Plan{.statement = "search_by_business_key", .keys = {*query.business_key}};
    for (const auto& [path, text] : path_conditions(query)) {
        auto id = ready_path(database, path);
        if (!id) return std::unexpected(id.error());
        if (*id)
            return Plan{
                .statement = "search_by_state_path", .keys = {indexed_text(text)}, .path_id = *id};
    }
    const bool row_by_row =
        query.contains || query.meta_contains || !query.paths.empty() || query.filters_rows();
    if (!query.business_parts.empty())
        return Plan{.statement = "search_by_business_part",
                    .keys = {query.business_parts[0].first, query.business_parts[0].second}};
    if (query.definition)
        return Plan{.statement = "search_by_definition",
                    .keys = {*query.definition},
                    .served = !row_by_row};
    if (query.only_open()) return Plan{.statement = "search_open", .served = !row_by_row};
    return Plan{.served = !row_by_row};
}

struct Candidate {
    std::int64_t seq;
    InstanceId id;
};

Result<std::vector<Candidate>> next_candidates(Database& database, const Plan& plan,
                                               std::int64_t before) {
    Statement& statement = database[plan.statement];
    const std::uint64_t limit = batch;
    if (plan.path_id)
        statement.bind(before, limit, *plan.path_id, plan.keys[0]);
    else if (plan.keys.size() == 2)
        statement.bind(before, limit, plan.keys[0], plan.keys[1]);
    else if (plan.keys.size() == 1)
        statement.bind(before, limit, plan.keys[0]);
    else
        statement.bind(before, limit);
    std::vector<Candidate> candidates;
    auto done = for_each_row(statement, [&](Statement& row) {
        const std::int64_t seq = row.integer();
        candidates.push_back({seq, row.id<InstanceId>()});
    });
    if (!done) return std::unexpected(done.error());
    return candidates;
}

Result<std::int64_t> start_of(const InstanceQuery& query) {
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    if (!query.cursor) return before;
    const char* end = query.cursor->data() + query.cursor->size();
    const auto [stop, error] = std::from_chars(query.cursor->data(), end, before);
    if (error != std::errc{} || stop != end)
        return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    return before;
}

}  // namespace

Result<InstancePage> search(Database& database, const InstanceQuery& query) {
    auto before = start_of(query);
    if (!before) return std::unexpected(before.error());
    const auto plan = choose(database, query);
    if (!plan) return std::unexpected(plan.error());
    InstancePage page;
    page.scanned = !plan->served;
    for (std::size_t looked_at = 0;;) {
        const auto candidates = next_candidates(database, *plan, *before);
        if (!candidates) return std::unexpected(candidates.error());
        for (const Candidate& candidate : *candidates) {
            auto stored = load_instance(database, candidate.id, Depth::document);
            if (!stored) return std::unexpected(stored.error());
            const bool match = *stored && matches(query, (*stored)->row.instance);
            if (match && page.items.size() == query.limit) {
                page.next = std::to_string(*before);  // there is at least one more
                return page;
            }
            if (match)
                page.items.push_back({std::move((*stored)->row.instance), (*stored)->row.corrupt});
            *before = candidate.seq;
        }
        if (candidates->size() < batch) return page;
        looked_at += candidates->size();
        if (looked_at >= most_rows_looked_at) {
            page.next = std::to_string(*before);
            return page;
        }
    }
}

}  // namespace holdfast::sqlite
