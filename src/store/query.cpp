#include "store/query.h"

#include <algorithm>

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<Only> onlys[] = {{Only::incident, "incident"},
                                 {Only::paused, "paused"},
                                 {Only::quarantined, "quarantined"},
                                 {Only::retrying, "retrying"},
                                 {Only::stuck, "stuck"}};

bool is(const Instance& instance, Only only) {
    switch (only) {
        case Only::incident: return instance.incident;
        case Only::paused: return instance.paused;
        case Only::quarantined: return instance.quarantined;
        case Only::stuck:
            return is_open(instance.status) && (instance.incident || instance.quarantined);
        case Only::retrying: break;
    }
    return instance.program.retry.has_value() ||
           std::ranges::any_of(instance.waits,
                               [](const Waiting& waiting) { return waiting.wait.retry; });
}

bool waits_for(const Instance& instance, const std::string& name) {
    return std::ranges::any_of(registered_waits(instance), [&](const Waiting& waiting) {
        return std::ranges::find(waiting.wait.names, name, &EventKey::name) !=
               waiting.wait.names.end();
    });
}

bool is_due_before(const Instance& instance, Moment moment) {
    return std::ranges::any_of(registered_waits(instance), [&](const Waiting& waiting) {
        return waiting.wait.until && *waiting.wait.until < moment;
    });
}

bool business_matches(const auto& query, const BusinessReference& business) {
    if (query.business_key && business.key != *query.business_key) return false;
    return std::ranges::all_of(query.business_parts, [&](const auto& wanted) {
        const auto part = business.parts.find(wanted.first);
        return part != business.parts.end() && part->second == wanted.second;
    });
}

}  // namespace

std::string_view name_of(Only only) { return name_in(onlys, only); }
std::optional<Only> parse_only(std::string_view text) { return find_in(onlys, text); }

bool InstanceQuery::is_only(Only one) const { return std::ranges::find(only, one) != only.end(); }

bool InstanceQuery::has_narrow_filter() const {
    return parent || ids || waits_for || due_before ||
           std::ranges::any_of(only, [](Only one) { return one != Only::retrying; });
}

bool InstanceQuery::only_open() const {
    return !statuses.empty() &&
           std::ranges::all_of(statuses, [](Status status) { return is_open(status); });
}

bool InstanceQuery::filters_rows() const {
    return (!statuses.empty() && !only_open()) || created_from || created_before || updated_from ||
           updated_before || user || !only.empty() || parent || ids || waits_for || due_before;
}

bool InstanceQuery::may_take_long() const {
    return contains || meta_contains || !paths.empty() || filters_rows() ||
           content == PageContent::documents;
}

InstanceMatcher::InstanceMatcher(const InstanceQuery& query) : query_(query) {
    if (query.contains) contains_.emplace(*query.contains);
    if (query.meta_contains) meta_contains_.emplace(*query.meta_contains);
}

bool InstanceMatcher::needs_documents() const {
    return contains_ || meta_contains_ || !query_.paths.empty();
}

bool InstanceMatcher::matches_row(const Instance& instance) const {
    if (!query_.statuses.empty() &&
        std::ranges::find(query_.statuses, instance.status) == query_.statuses.end())
        return false;
    if (query_.tenant && instance.tenant != *query_.tenant) return false;
    if (query_.definition && instance.definition.key != *query_.definition) return false;
    if (query_.created_from && instance.created_at < *query_.created_from) return false;
    if (query_.created_before && instance.created_at >= *query_.created_before) return false;
    if (query_.updated_from && instance.updated_at < *query_.updated_from) return false;
    if (query_.updated_before && instance.updated_at >= *query_.updated_before) return false;
    if (query_.parent && instance.parent != query_.parent) return false;
    if (query_.ids && (instance.id < query_.ids->first || query_.ids->last < instance.id))
        return false;
    if (query_.user && instance.started_by != *query_.user) return false;
    if (query_.waits_for && !waits_for(instance, *query_.waits_for)) return false;
    if (query_.due_before && !is_due_before(instance, *query_.due_before)) return false;
    return std::ranges::all_of(query_.only, [&](Only one) { return is(instance, one); }) &&
           business_matches(query_, instance.business);
}

bool InstanceMatcher::matches_documents(const Instance& instance, Effort& effort) const {
    if (meta_contains_) {
        if (!effort.spend_on_bytes(instance.state_metadata.text().size())) return false;
        if (!meta_contains_->is_in(instance.state_metadata.value(), effort)) return false;
    }
    if (!contains_ && query_.paths.empty()) return true;
    if (!effort.spend_on_bytes(instance.state.text().size())) return false;
    const boost::json::value state = instance.state.value();
    if (contains_ && !contains_->is_in(state, effort)) return false;
    return std::ranges::all_of(query_.paths, [&](const auto& wanted) {
        return json::text_at(state, wanted.first) == wanted.second;
    });
}

Error stopped_read() {
    return {ErrorCode::unavailable,
            "the read was stopped, because its client ended its side of the connection; keep it "
            "open until the response is there",
            {}};
}

Error too_much_effort() {
    return {ErrorCode::invalid_argument,
            "comparing this filter with a single workflow takes too long; make the filter smaller",
            {}};
}

void drop_documents(Instance& instance) {
    for (Document* document : {&instance.state, &instance.state_metadata}) {
        *document = Document::trusted("{}", document->checksum());
        document->mark_unread();
    }
}

std::size_t bytes_of(const Instance& instance, PageContent content) {
    constexpr std::size_t row = 1'000;
    std::size_t bytes = row + (instance.result ? instance.result->text().size() : 0);
    if (content == PageContent::documents)
        bytes += instance.state.text().size() + instance.state_metadata.text().size();
    return bytes;
}

std::size_t bytes_of(const HumanTask& task) {
    constexpr std::size_t row = 1'000;
    return row + task.spec.payload.text().size() +
           (task.outputs ? task.outputs->text().size() : 0) +
           (task.error ? task.error->text().size() : 0);
}

bool TaskQuery::only_open() const {
    return !states.empty() &&
           std::ranges::all_of(states, [](TaskState state) { return is_open(state); });
}

bool matches(const TaskQuery& query, const HumanTask& task) {
    const TaskSpec& spec = task.spec;
    const auto is = [](const std::optional<std::string>& wanted, const auto& found) {
        return !wanted || found == *wanted;
    };
    const auto has = [](const std::vector<std::string>& list,
                        const std::optional<std::string>& wanted) {
        return !wanted || std::ranges::find(list, *wanted) != list.end();
    };
    if (query.tenant && task.tenant != *query.tenant) return false;
    if (query.instance && task.instance != *query.instance) return false;
    if (query.due_before && !(spec.due_at && *spec.due_at < *query.due_before)) return false;
    if (!query.states.empty() && std::ranges::find(query.states, task.state) == query.states.end())
        return false;
    return is(query.assignee, spec.assignee) && is(query.holder, task.holder) &&
           is(query.definition, task.definition) && business_matches(query, task.business) &&
           is(query.queue, spec.queue) && has(spec.candidate_users, query.candidate_user) &&
           has(spec.candidate_groups, query.candidate_group);
}

}  // namespace holdfast
