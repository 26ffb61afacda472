#include "http/input/list_query.h"

#include <algorithm>
#include <set>

#include "base/json/parse.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"

namespace holdfast::http {
namespace {

Result<std::vector<Status>> read_statuses(std::string_view text) {
    std::vector<Status> statuses;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string_view name = text.substr(at, comma - at);
        at = comma + 1;
        if (name == "open") {
            statuses.insert(statuses.end(), {Status::running, Status::suspended});
        } else if (const auto status = parse_status(name)) {
            statuses.push_back(*status);
        } else {
            return fail(ErrorCode::invalid_argument,
                        "status must be open, running, suspended, succeeded, failed or cancelled");
        }
    }
    return statuses;
}

Result<std::vector<Only>> read_only(std::string_view text) {
    std::vector<Only> all;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const auto only = parse_only(text.substr(at, comma - at));
        if (!only)
            return fail(ErrorCode::invalid_argument,
                        "only must be incident, paused, quarantined, retrying or stuck");
        all.push_back(*only);
        at = comma + 1;
    }
    return all;
}

Result<InstanceId> read_parent(const std::string& text) {
    const auto id = parse_id<InstanceId>(text);
    if (!id) return fail(ErrorCode::invalid_argument, "parent must be a workflow id (a UUID)");
    return *id;
}

// The beginning of an id: shorter ones would fit all that started within minutes.
Result<IdRange> read_id_prefix(const std::string& text) {
    constexpr std::string_view pattern = "00000000-0000-0000-0000-000000000000";
    const auto error = fail(ErrorCode::invalid_argument,
                            "idPrefix must be the first 8 to 36 characters of a workflow id");
    if (text.size() < 8 || text.size() > pattern.size()) return error;
    std::string first(pattern);
    std::string last(pattern);
    std::ranges::replace(last, '0', 'f');
    first.replace(0, text.size(), text);
    last.replace(0, text.size(), text);
    const auto begin = parse_id<InstanceId>(first);
    const auto end = parse_id<InstanceId>(last);
    if (!begin || !end) return error;
    return IdRange{*begin, *end};
}

// An empty key means that an instance has none; instances without a key cannot be searched for.
Result<std::string> read_business_key(const std::string& text) {
    if (text.empty()) return fail(ErrorCode::invalid_argument, "businessKey must not be empty");
    return text;
}

// Assigns the value to `target`, or returns the error.
template <class T, class Target>
Result<void> take(Result<T> value, Target& target) {
    if (!value) return std::unexpected(value.error());
    target = *std::move(value);
    return {};
}

Result<void> read_prefixed(const std::string& name, const std::string& value,
                           InstanceQuery& query) {
    if (name.starts_with("path.")) {
        HF_TRY(auto path, json::parse_path(std::string_view(name).substr(5)));
        if (query.paths.size() == most_path_filters)
            return fail(ErrorCode::invalid_argument, "a query takes at most 4 path. filters");
        query.paths.emplace_back(std::move(path), value);
        return {};
    }
    HF_TRY(auto part, read_name(std::string_view(name).substr(sizeof "businessPart." - 1),
                                "the name of a business part"));
    query.business_parts.emplace_back(std::move(part), value);
    return {};
}

Result<boost::json::value> read_containment(const std::string& text) {
    HF_TRY(auto part, json::parse(text));
    HF_CHECK(json::check_containment(part));
    return part;
}

Result<void> read_parameter(const std::string& name, const std::string& value,
                            InstanceQuery& query) {
    if (name == "status") return take(read_statuses(value), query.statuses);
    if (name == "definition") return take(read_name(value, "a definition key"), query.definition);
    if (name == "businessKey") return take(read_business_key(value), query.business_key);
    if (name == "contains") return take(read_containment(value), query.contains);
    if (name == "metaContains") return take(read_containment(value), query.meta_contains);
    if (name == "createdFrom") return take(read_moment(value, name), query.created_from);
    if (name == "createdBefore") return take(read_moment(value, name), query.created_before);
    if (name == "updatedFrom") return take(read_moment(value, name), query.updated_from);
    if (name == "updatedBefore") return take(read_moment(value, name), query.updated_before);
    if (name == "dueBefore") return take(read_moment(value, name), query.due_before);
    if (name == "only") return take(read_only(value), query.only);
    if (name == "parent") return take(read_parent(value), query.parent);
    if (name == "idPrefix") return take(read_id_prefix(value), query.ids);
    if (name == "startedBy") return take(Result<std::string>(value), query.user);
    if (name == "waitsFor") return take(read_label(value, "waitsFor"), query.waits_for);
    if (name == "order" || name == "include" || name == "limit" || name == "cursor") return {};
    return read_prefixed(name, value, query);
}

// PostgreSQL text cannot contain NUL, so a filter with NUL can never match.
Result<void> check_text(const std::string& name, const std::string& value) {
    if (value.find('\0') == std::string::npos) return {};
    return fail(ErrorCode::invalid_argument, "parameter '" + name + "' must not contain NUL");
}

constexpr std::string_view plain_filters[] = {
    "status",      "definition",    "businessKey", "contains",      "metaContains",
    "createdFrom", "createdBefore", "updatedFrom", "updatedBefore", "only",
    "parent",      "idPrefix",      "startedBy",   "waitsFor",      "dueBefore"};

}  // namespace

Result<InstanceQuery> read_filters(const std::map<std::string, std::string>& filters) {
    InstanceQuery query{.content = PageContent::rows};
    for (const auto& [name, value] : filters) {
        if (std::ranges::find(plain_filters, name) == std::end(plain_filters) &&
            !name.starts_with("path.") && !name.starts_with("businessPart."))
            return fail(ErrorCode::invalid_argument,
                        "the list of workflows has no filter '" + name + "'");
        HF_CHECK(check_text(name, value));
        HF_CHECK(read_parameter(name, value, query));
    }
    return query;
}

Result<ListQuery> read_list_query(const Request& request) {
    ListQuery list;
    list.query.content =
        request.query_value("include") ? PageContent::documents : PageContent::rows;
    if (request.query_value("order") == "oldest") list.query.order = PageOrder::oldest_first;
    std::set<std::string> seen;
    for (const auto& [name, value] : request.query) {
        seen.insert(name);
        HF_CHECK(check_text(name, value));
        HF_CHECK(read_parameter(name, value, list.query));
    }
    for (const std::string& name : seen)
        if (name != "include" && name != "limit" && name != "cursor")
            list.filters += name + '=' + std::string(*request.query_value(name)) + '\n';
    list.query.limit = number_of(request, "limit");
    if (const auto cursor = request.query_value("cursor"))
        HF_CHECK(take(read_cursor(*cursor, list.filters), list.query.cursor));
    return list;
}

}  // namespace holdfast::http
