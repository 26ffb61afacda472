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
constexpr std::size_t rows_at_once = 256;
constexpr std::size_t bytes_per_row = 2'000;  // reading a row costs as much as parsing that many

// The index for a query: a statement and its parameters after cursor and limit.
struct Plan {
    std::string_view statement = "search_all";
    std::string_view oldest_first = "search_all_oldest";
    std::vector<std::string> keys = {};
    std::optional<std::int64_t> path_id = {};
    std::optional<InstanceId> parent = {};
    std::optional<IdRange> ids = {};
    std::optional<Moment> due_before = {};
    bool sorts = false;  // what its index has: once a page
    bool served = true;  // by an index that leaves few rows to check

    std::size_t batch() const { return sorts ? most_rows_looked_at : rows_at_once; }
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

// The index of those that a person must look at, of a parent or of an awaited name.
std::optional<Plan> narrow_plan(const InstanceQuery& query) {
    const auto sorting = [](std::string_view statement) {
        return Plan{.statement = statement, .oldest_first = statement, .sorts = true};
    };
    if (query.parent) {
        Plan plan = sorting("search_by_parent");
        plan.parent = query.parent;
        return plan;
    }
    if (query.ids) {
        Plan plan = sorting("search_by_ids");
        plan.ids = query.ids;
        return plan;
    }
    if (query.waits_for) {
        Plan plan = sorting("search_by_wait");
        plan.keys = {query.tenant.value_or("default"), *query.waits_for};
        return plan;
    }
    if (query.due_before) {
        Plan plan = sorting("search_by_timer");
        plan.due_before = query.due_before;
        return plan;
    }
    if (query.is_only(Only::incident)) return sorting("search_with_incident");
    if (query.is_only(Only::stuck)) return sorting("search_stuck");
    if (query.has_narrow_filter()) return sorting("search_held");
    return std::nullopt;
}

Result<Plan> choose(Database& database, const InstanceQuery& query) {
    if (query.business_key)
        return Plan{.statement = "search_by_business_key",
                    .oldest_first = "search_by_business_key_oldest",
                    .keys = {*query.business_key}};
    if (auto plan = narrow_plan(query)) return *std::move(plan);
    for (const auto& [path, text] : path_conditions(query)) {
        auto id = ready_path(database, path);
        if (!id) return std::unexpected(id.error());
        if (*id)
            return Plan{.statement = "search_by_state_path",
                        .oldest_first = "search_by_state_path_oldest",
                        .keys = {indexed_text(text)},
                        .path_id = *id};
    }
    const bool row_by_row =
        query.contains || query.meta_contains || !query.paths.empty() || query.filters_rows();
    if (!query.business_parts.empty())
        return Plan{.statement = "search_by_business_part",
                    .oldest_first = "search_by_business_part_oldest",
                    .keys = {query.business_parts[0].first, query.business_parts[0].second}};
    if (query.definition)
        return Plan{.statement = "search_by_definition",
                    .oldest_first = "search_by_definition_oldest",
                    .keys = {*query.definition},
                    .served = !row_by_row};
    if (query.only_open())
        return Plan{.statement = "search_open",
                    .oldest_first = "search_open_oldest",
                    .served = !row_by_row};
    return Plan{.served = !row_by_row};
}

struct Candidate {
    std::int64_t seq;
    InstanceId id;
};

void bind(Statement& statement, const Plan& plan, std::int64_t cursor, std::uint64_t limit,
          PageOrder order) {
    const std::int64_t direction = order == PageOrder::oldest_first ? 1 : -1;
    if (plan.parent)
        statement.bind(cursor, limit, direction, *plan.parent);
    else if (plan.ids)
        statement.bind(cursor, limit, direction, plan.ids->first, plan.ids->last);
    else if (plan.due_before)
        statement.bind(cursor, limit, direction, *plan.due_before);
    else if (plan.sorts && plan.keys.size() == 2)
        statement.bind(cursor, limit, direction, plan.keys[0], plan.keys[1]);
    else if (plan.sorts)
        statement.bind(cursor, limit, direction);
    else if (plan.path_id)
        statement.bind(cursor, limit, *plan.path_id, plan.keys[0]);
    else if (plan.keys.size() == 2)
        statement.bind(cursor, limit, plan.keys[0], plan.keys[1]);
    else if (plan.keys.size() == 1)
        statement.bind(cursor, limit, plan.keys[0]);
    else
        statement.bind(cursor, limit);
}

Result<std::vector<Candidate>> next_candidates(Database& database, const Plan& plan,
                                               std::int64_t cursor, PageOrder order) {
    const bool oldest = order == PageOrder::oldest_first;
    Statement& statement = database[oldest ? plan.oldest_first : plan.statement];
    bind(statement, plan, cursor, plan.batch(), order);
    std::vector<Candidate> candidates;
    auto done = for_each_row(statement, [&](Statement& row) {
        const std::int64_t seq = row.integer();
        candidates.push_back({seq, row.id<InstanceId>()});
    });
    if (!done) return std::unexpected(done.error());
    return candidates;
}

Result<std::int64_t> start_of(const InstanceQuery& query) {
    constexpr std::int64_t behind_all = std::numeric_limits<std::int64_t>::max();
    std::int64_t cursor = query.order == PageOrder::oldest_first ? 0 : behind_all;
    if (!query.cursor) return cursor;
    const char* end = query.cursor->data() + query.cursor->size();
    const auto [stop, error] = std::from_chars(query.cursor->data(), end, cursor);
    if (error != std::errc{} || stop != end)
        return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    return cursor;
}

// One page: candidates in batches, until it is full, there are no more, or its budget is spent.
class Searching {
public:
    Searching(Database& database, const InstanceQuery& query, Plan plan, std::int64_t cursor)
        : database_(database),
          query_(query),
          plan_(std::move(plan)),
          matcher_(query),
          cursor_(cursor),
          effort_(query.budget.effort) {
        page_.scanned = !plan_.served;
    }

    Result<InstancePage> run() {
        while (!done_) {
            HF_TRY(const auto candidates, next_candidates(database_, plan_, cursor_, query_.order));
            for (const Candidate& candidate : candidates) {
                HF_CHECK(look_at(candidate));
                if (done_) break;
                if (is_abandoned()) return std::unexpected(stopped_read());
            }
            done_ = done_ || candidates.size() < plan_.batch();
            if (!done_ && looked_at_ >= most_rows_looked_at) end_early();
            if (!done_ && query_.budget.stop.stop_requested())
                return std::unexpected(stopped_read());
        }
        page_.effort = effort_.spent();
        return std::move(page_);
    }

private:
    // A client that has only ended its side gets its page if it costs little.
    bool is_abandoned() const {
        return query_.budget.stop.stop_requested() && effort_.spent() > effort_.limit() / 16;
    }

    Result<void> look_at(const Candidate& candidate) {
        HF_TRY(auto stored, load(candidate.id));
        if (!stored) return {};
        Instance& instance = stored->row.instance;
        const bool match =
            matcher_.matches_row(instance) && matcher_.matches_documents(instance, effort_);
        if (effort_.is_exhausted()) {
            if (looked_at_ == 0) return std::unexpected(too_much_effort());
            end_early();
            return {};
        }
        if (match) bytes_ += bytes_of(instance, query_.content);
        if (match && bytes_ > query_.budget.bytes && !page_.items.empty()) {
            end_early();
            return {};
        }
        if (match && page_.items.size() == query_.limit) {
            page_.next = std::to_string(cursor_);  // there is at least one more
            done_ = true;
            return {};
        }
        if (match) {
            if (query_.content == PageContent::rows) drop_documents(instance);
            page_.items.push_back({std::move(instance), stored->row.corrupt, {}});
        }
        cursor_ = candidate.seq;
        ++looked_at_;
        return {};
    }

    Result<std::optional<StoredInstance>> load(const InstanceId& id) {
        if (query_.content == PageContent::rows && !matcher_.needs_documents()) {
            effort_.spend_on_bytes(bytes_per_row);
            return load_instance_row(database_, id);
        }
        HF_TRY(auto stored, load_instance(database_, id, Depth::document));
        if (stored)
            effort_.spend_on_bytes(bytes_per_row + stored->row.instance.state.text().size() +
                                   stored->row.instance.state_metadata.text().size());
        return stored;
    }

    // The next page begins after the last row that was looked at.
    void end_early() {
        page_.next = std::to_string(cursor_);
        page_.partial = true;
        done_ = true;
    }

    Database& database_;
    const InstanceQuery& query_;
    const Plan plan_;
    const InstanceMatcher matcher_;
    std::int64_t cursor_;
    Effort effort_;
    InstancePage page_;
    std::size_t looked_at_ = 0;
    std::size_t bytes_ = 0;
    bool done_ = false;
};

}  // namespace

Result<InstancePage> search(Database& database, const InstanceQuery& query) {
    HF_TRY(const std::int64_t cursor, start_of(query));
    HF_TRY(Plan plan, choose(database, query));
    return Searching(database, query, std::move(plan), cursor).run();
}

}  // namespace holdfast::sqlite
