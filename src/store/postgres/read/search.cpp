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
constexpr std::size_t most_wanted_elements = 8;
// How many documents are read at once to be compared here: each may have several megabytes.
constexpr std::size_t compared_at_once = 8;

// PostgreSQL compares each wanted element of a list with all elements of a document: it gets the
// first few, and the rows that it finds are compared here with the whole part.
boost::json::value shortened(const boost::json::value& part) {
    if (const auto* object = part.if_object()) {
        boost::json::object copy;
        for (const auto& member : *object) copy[member.key()] = shortened(member.value());
        return copy;
    }
    const auto* array = part.if_array();
    if (!array) return part;
    boost::json::array copy;
    for (std::size_t i = 0; i < std::min(array->size(), most_wanted_elements); ++i)
        copy.push_back(shortened((*array)[i]));
    return copy;
}

bool has_long_list(const std::optional<boost::json::value>& part) {
    return part && shortened(*part) != *part;
}

// Every document contains {}, even one without a row.
std::optional<Jsonb> containment(const std::optional<boost::json::value>& part) {
    if (!part || (part->is_object() && part->get_object().empty())) return std::nullopt;
    return Jsonb{json::canonical(shortened(*part))};
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

void add_row_filters(Parameters& parameters, const InstanceQuery& query) {
    parameters.add(query.updated_from).add(query.updated_before);
    for (const Only one :
         {Only::incident, Only::quarantined, Only::paused, Only::stuck, Only::retrying})
        parameters.add(only_if(query.is_only(one)));
    parameters.add(query.parent).add(query.user).add(query.waits_for);
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
    return query.business_key || !query.business_parts.empty() || query.has_narrow_filter() ||
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

// A unit of effort is a tenth of what PostgreSQL gets: it shares its machine with more.
// Without a filter on documents nothing can take over, so it has more time.
std::string time_for(const InstanceQuery& query) {
    const std::uint64_t effort =
        filters_documents(query) ? query.budget.effort : 5 * query.budget.effort;
    return std::to_string(std::max<std::uint64_t>(effort / 10'000, 1)) + "ms";
}

std::optional<InstanceId> cursor_of(const InstanceQuery& query) {
    return query.cursor ? parse_id<InstanceId>(*query.cursor) : std::nullopt;
}

bool is_oldest_first(const InstanceQuery& query) { return query.order == PageOrder::oldest_first; }

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

// A scan of the next `rows` rows.
Reply<Scan> scan_of(Connection& connection, const InstanceQuery& query, std::uint64_t rows) {
    Parameters bound;
    bound.add(cursor_of(query)).add(std::uint64_t{rows - 1}).add(is_oldest_first(query));
    connection.queue_once(sql::text_of(sql::postgres_statements(), "search_floor"), bound);
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    Scan scan{.needed = true};
    if (results->front().size() == 1) scan.floor = results->front()[0].id<InstanceId>();
    return scan;
}

Reply<Scan> plan_scan(Connection& connection, const InstanceQuery& query) {
    if (is_narrow(query) || !(filters_documents(query) || query.filters_rows())) return Scan{};
    const auto indexed = has_indexed_path(connection, query);
    if (!indexed) return std::unexpected(indexed.error());
    if (*indexed) return Scan{};
    return scan_of(connection, query, most_scanned);
}

FoundInstance listed_instance(Row row, PageContent content) {
    InstanceRow found = instance_row(row);
    if (content == PageContent::documents) {
        add_documents(found, row);
    } else {
        drop_documents(found.row.instance);
    }
    hide_if_misplaced(found, found.row.instance.id);
    return {std::move(found.row.instance), found.row.corrupt, {}};
}

InstancePage page_of(const Rows& rows, const InstanceQuery& query, const Scan& scan) {
    InstancePage page;
    page.scanned = scan.needed;
    const std::size_t size = rows.page_size(query.limit);
    for (std::size_t i = 0; i < size; ++i)
        page.items.push_back(listed_instance(rows[i], query.content));
    if (rows.size() > size)
        page.next = to_string(page.items.back().instance.id);
    else if (scan.floor)
        page.next = to_string(*scan.floor);
    page.partial = page.next && rows.size() <= query.limit;
    return page;
}

Reply<InstancePage> run_search(Connection& connection, const InstanceQuery& query,
                               const Scan& scan) {
    const auto parameters = search_parameters(query, scan.floor);
    HF_ASSERT(parameters.has_value(), "the cursor was checked before");
    connection.queue_once(sql::text_of(sql::postgres_statements(), "search_settings"),
                          Parameters().add(time_for(query)));
    connection.queue_once(sql::text_of(sql::postgres_statements(), "search_instances"),
                          *parameters);
    auto results = connection.exchange(query.budget);
    if (!results) return std::unexpected(results.error());
    return page_of(results->back(), query, scan);
}

// Of the first rows that match a shortened filter, those that match the whole one.
Reply<InstancePage> search_and_compare(Connection& connection, const InstanceQuery& query,
                                       const Scan& scan) {
    InstanceQuery with_documents = query;
    with_documents.content = PageContent::documents;
    auto page = run_search(connection, with_documents, scan);
    if (!page) return page;
    const InstanceMatcher matcher(query);
    Effort effort;  // bounded by the bytes of the page: a comparison takes one pass
    const std::size_t read = page->items.size();
    std::erase_if(page->items, [&](const FoundInstance& found) {
        return !matcher.matches_documents(found.instance, effort);
    });
    if (query.content == PageContent::rows)
        for (FoundInstance& found : page->items) drop_documents(found.instance);
    page->effort = effort.spent();
    page->partial = page->next && (page->partial || page->items.size() < read);
    return page;
}

bool took_too_long(const Reply<InstancePage>& page, const PageBudget& budget) {
    return !page && page.error().kind == FailureKind::cancelled && !budget.stop.stop_requested();
}

// Compares the documents here, within a budget of effort: PostgreSQL compares every wanted element
// of a list with every element of a document, and rechecks all matches of an index before the
// first.
class ComparingHere {
public:
    ComparingHere(Connection& connection, const InstanceQuery& query, const Scan& scan)
        : connection_(connection),
          query_(query),
          scan_(scan),
          rows_(query),
          matcher_(query),
          effort_(query.budget.effort) {
        rows_.contains.reset();
        rows_.meta_contains.reset();
        rows_.paths.clear();
        rows_.content = PageContent::documents;
        rows_.limit = compared_at_once;
        rows_.budget.effort = PageBudget{}.effort;
        page_.scanned = true;
    }

    Reply<InstancePage> run() {
        while (true) {
            auto batch = run_search(connection_, rows_, scan_);
            if (!batch) return std::unexpected(batch.error());
            for (FoundInstance& found : batch->items)
                if (take(found)) return finish();
            if (!batch->next) break;
            rows_.cursor = batch->next;
            if (batch->partial) {
                page_.partial = true;
                break;
            }
        }
        if (!page_.partial) rows_.cursor.reset();
        return finish();
    }

private:
    // Whether the page ends before this one.
    bool take(FoundInstance& found) {
        effort_.spend_on_bytes(found.instance.state.text().size() +
                               found.instance.state_metadata.text().size());
        const bool match = matcher_.matches_documents(found.instance, effort_);
        page_.partial = effort_.is_exhausted() || bytes_ > query_.budget.bytes;
        if (page_.partial || (match && page_.items.size() == query_.limit)) return true;
        rows_.cursor = to_string(found.instance.id);
        if (match) bytes_ += bytes_of(found.instance, query_.content);
        if (match && query_.content == PageContent::rows) drop_documents(found.instance);
        if (match) page_.items.push_back(std::move(found));
        return false;
    }
    Reply<InstancePage> finish() {
        if (page_.partial && rows_.cursor == query_.cursor)
            return std::unexpected(Failure{FailureKind::refused, "", too_much_effort().message});
        page_.next = rows_.cursor;
        page_.effort = effort_.spent();
        return std::move(page_);
    }

    Connection& connection_;
    const InstanceQuery& query_;
    const Scan scan_;
    InstanceQuery rows_;  // its row filters alone
    const InstanceMatcher matcher_;
    Effort effort_;
    InstancePage page_;
    std::size_t bytes_ = 0;
};

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
    parameters.add(query.content == PageContent::documents).add(query.tenant);
    add_row_filters(parameters, query);
    parameters.add(is_oldest_first(query));
    if (query.ids)
        parameters.add(query.ids->first).add(query.ids->last);
    else
        parameters.null().null();
    parameters.add(query.due_before);
    return parameters;
}

Reply<InstancePage> search(Connection& connection, const InstanceQuery& query) {
    if (query.limit == 0 || contradicts_itself(query)) return InstancePage{};
    const auto scan = plan_scan(connection, query);
    if (!scan) return std::unexpected(scan.error());
    const bool shorten = has_long_list(query.contains) || has_long_list(query.meta_contains);
    auto page = shorten ? search_and_compare(connection, query, *scan)
                        : run_search(connection, query, *scan);
    if (!took_too_long(page, query.budget) || !filters_documents(query)) return page;
    const auto all = scan->needed ? scan : scan_of(connection, query, most_scanned);
    if (!all) return std::unexpected(all.error());
    return ComparingHere(connection, query, *all).run();
}

}  // namespace holdfast::postgres
