#include "store/postgres/read/search.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/assert.h"
#include "base/json/canonical.h"
#include "store/postgres/load/decode.h"
#include "store/sql.h"

namespace holdfast::postgres {
namespace {

constexpr std::uint64_t most_scanned = 20'000;

// Every document contains {}, even one without a row.
std::optional<Jsonb> containment(const std::optional<boost::json::value>& part) {
    if (!part || (part->is_object() && part->get_object().empty())) return std::nullopt;
    return Jsonb{json::canonical(*part)};
}

std::optional<Jsonb> parts_json(const InstanceQuery& query) {
    if (query.business_parts.empty()) return std::nullopt;
    boost::json::object parts;
    for (const auto& [name, value] : query.business_parts) parts[name] = value;
    return Jsonb{json::canonical(parts)};
}

// Whether only instances with a row in documents can match.
bool filters_documents(const InstanceQuery& query) {
    return containment(query.contains) || containment(query.meta_contains) || !query.paths.empty();
}

std::optional<bool> only_if(bool condition) {
    return condition ? std::optional(true) : std::nullopt;
}

void add_paths(Parameters& parameters, const InstanceQuery& query) {
    HF_ASSERT(query.paths.size() <= most_path_filters, "a query has at most 4 path filters");
    for (const auto& [path, text] : query.paths) parameters.array(path.segments).add(text);
    for (std::size_t i = query.paths.size(); i < most_path_filters; ++i) parameters.null().null();
}

// Two filters on the same part with different values match nothing.
bool contradicts_itself(const InstanceQuery& query) {
    return std::ranges::any_of(query.business_parts, [&](const auto& one) {
        return std::ranges::any_of(query.business_parts, [&](const auto& other) {
            return one.first == other.first && one.second != other.second;
        });
    });
}

// The GIN index has scalars only: a filter without a scalar cannot use it.
bool has_scalar(const boost::json::value& part) {
    if (const auto* object = part.if_object())
        return std::ranges::any_of(*object,
                                   [](const auto& member) { return has_scalar(member.value()); });
    if (const auto* array = part.if_array()) return std::ranges::any_of(*array, has_scalar);
    return true;
}

// Whether an index narrows the query regardless of its path filters.
bool is_narrow(const InstanceQuery& query) {
    return query.business_key || !query.business_parts.empty() ||
           (query.contains && has_scalar(*query.contains)) ||
           (query.meta_contains && has_scalar(*query.meta_contains));
}

bool is_built_in(const InstanceQuery& query, const std::string& path) {
    return path == "agentContext.currentAgent" || (path == "currentStep" && query.only_open());
}

struct Scan {
    bool needed = false;
    std::optional<InstanceId> floor;  // absent: fewer rows than the limit remain
};

std::optional<InstanceId> cursor_of(const InstanceQuery& query) {
    return query.cursor ? parse_id<InstanceId>(*query.cursor) : std::nullopt;
}

Reply<bool> has_indexed_path(Connection& connection, const InstanceQuery& query) {
    if (query.paths.empty()) return false;
    connection.queue("read_index_paths");
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    std::set<std::string> ready;
    for (Row row : results->front()) {
        std::string path = row.text();
        if (row.boolean()) ready.insert(std::move(path));
    }
    return std::ranges::any_of(query.paths, [&](const auto& wanted) {
        const std::string path = json::to_string(wanted.first);
        return is_built_in(query, path) || ready.contains(path);
    });
}

Reply<Scan> plan_scan(Connection& connection, const InstanceQuery& query) {
    if (is_narrow(query) || !(filters_documents(query) || query.filters_rows())) return Scan{};
    const auto indexed = has_indexed_path(connection, query);
    if (!indexed) return std::unexpected(indexed.error());
    if (*indexed) return Scan{};
    Parameters bound;
    bound.add(cursor_of(query)).add(std::uint64_t{most_scanned - 1});
    connection.queue_once(sql::text_of(sql::postgres_statements(), "search_floor"), bound);
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    Scan scan{.needed = true};
    if (results->front().size() == 1) scan.floor = results->front()[0].id<InstanceId>();
    return scan;
}

InstancePage page_of(const Rows& rows, std::size_t limit, const Scan& scan) {
    InstancePage page;
    page.scanned = scan.needed;
    for (std::size_t i = 0; i < std::min(rows.size(), limit); ++i) {
        Row row = rows[i];
        InstanceRow found = instance_row(row);
        add_documents(found, row);
        page.items.push_back({std::move(found.row.instance), found.row.corrupt});
    }
    if (rows.size() > limit)
        page.next = to_string(page.items.back().instance.id);
    else if (scan.floor)
        page.next = to_string(*scan.floor);
    return page;
}

}  // namespace

Result<Parameters> search_parameters(const InstanceQuery& query,
                                     const std::optional<InstanceId>& floor) {
    if (query.cursor && !cursor_of(query))
        return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    Parameters parameters;
    if (query.statuses.empty())
        parameters.null();
    else
        parameters.array(query.statuses, [](Status status) { return name_of(status); });
    parameters.add(query.definition).add(query.business_key).add(parts_json(query));
    parameters.add(containment(query.contains)).add(containment(query.meta_contains));
    add_paths(parameters, query);
    parameters.add(query.created_from).add(query.created_before);
    parameters.add(only_if(query.only_open()));
    parameters.add(only_if(query.only_open() && filters_documents(query)));
    parameters.add(cursor_of(query)).add(floor).add(std::uint64_t{query.limit + 1});
    return parameters;
}

Reply<InstancePage> search(Connection& connection, const InstanceQuery& query) {
    if (query.limit == 0 || contradicts_itself(query)) return InstancePage{};
    const auto scan = plan_scan(connection, query);
    if (!scan) return std::unexpected(scan.error());
    const auto parameters = search_parameters(query, scan->floor);
    HF_ASSERT(parameters.has_value(), "the cursor was checked before");
    connection.queue_once(sql::text_of(sql::postgres_statements(), "search_instances"),
                          *parameters);
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    return page_of(results->front(), query.limit, *scan);
}

}  // namespace holdfast::postgres
