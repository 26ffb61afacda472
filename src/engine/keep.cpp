// How a run is kept between reactions. An activity instance is a row of `active` or `completed`;
// what its family remembers and its variables are one more row, if there is anything.
#include "base/json/canonical.h"
#include "engine/process_state.h"
#include "engine/run.h"

namespace holdfast::engine {
namespace {

constexpr std::string_view role_names[] = {"work",  "arrived", "listener", "loop",
                                           "stuck", "done",    "resting"};

Live::Role role_of(std::string_view name) {
    const auto found = std::ranges::find(role_names, name);
    return static_cast<Live::Role>(found - std::begin(role_names));
}

bj::object object_of(const Document& document) {
    bj::value value = document.value();
    return value.is_object() ? std::move(value.get_object()) : bj::object{};
}

bj::object row_of(const Live& live) {
    bj::object row;
    if (live.parent) row["in"] = to_string(*live.parent);
    if (live.role != Live::Role::work)
        row["role"] = role_names[static_cast<std::size_t>(live.role)];
    if (!live.memo.empty()) row["memo"] = live.memo;
    if (live.variables) row["variables"] = *live.variables;
    return row;
}

// Those that were there stay where they are, so that only what is new is written.
void keep_order(const Children& before, std::vector<VariableScope>& rows) {
    std::map<ScopeId, std::size_t> places;
    for (const VariableScope& row : before.variables) places.emplace(row.id, places.size());
    std::ranges::stable_sort(rows, {}, [&](const VariableScope& row) {
        const auto found = places.find(row.id);
        return found == places.end() ? places.size() : found->second;
    });
}

}  // namespace

void Run::load() {
    root_ = variables_of(instance_.state);
    for (const holdfast::Activity& active : instance_.children.active) {
        // A version of the definition is fixed, so its elements are.
        const auto node = process_.find(active.activity);
        if (!node) continue;
        lives_.push_back({.id = active.id, .node = *node});
        by_id_[active.id] = std::prev(lives_.end());
    }
    completed_ = instance_.children.completed;
    for (const VariableScope& row : instance_.children.variables) load_row(row);
    had_trouble_ = has_trouble();
}

void Run::load_row(const VariableScope& row) {
    const ActivityInstanceId id{row.id.value};
    bj::object content = object_of(row.variables);
    // The row of the process itself.
    if (row.id.value == instance_.id.value)
        if (const bj::value* depth = content.if_contains("depth"))
            depth_ = depth->to_number<std::uint32_t>();
    Live* live = find(id);
    if (!live) return;
    if (const bj::value* in = content.if_contains("in"))
        live->parent = parse_id<ActivityInstanceId>(in->as_string());
    if (const bj::value* role = content.if_contains("role"))
        live->role = role_of(role->as_string());
    if (bj::value* memo = content.if_contains("memo")) live->memo = std::move(memo->as_object());
    if (bj::value* variables = content.if_contains("variables"))
        live->variables = std::move(variables->as_object());
}

Children Run::children() const {
    Children children{.completed = completed_};
    if (children.completed.size() > most_completed)
        children.completed.erase(children.completed.begin(),
                                 children.completed.end() - most_completed / 2);
    if (depth_ > 0 && !ended_)
        children.variables.push_back(
            {ScopeId{instance_.id.value}, Document::of(bj::object{{"depth", depth_}})});
    for (const Live& live : lives_) {
        if (ended_ && live.role == Live::Role::done)
            children.completed.push_back({live.id, node_of(live).id});
        if (ended_) continue;
        children.active.push_back({live.id, node_of(live).id});
        bj::object row = row_of(live);
        if (!row.empty())
            children.variables.push_back({ScopeId{live.id.value}, Document::of(std::move(row))});
    }
    keep_order(instance_.children, children.variables);
    return children;
}

Reaction Run::keep_rows() {
    Reaction reaction;
    reaction.incident = reaction_.incident;
    Children rows = children();
    if (rows != instance_.children) reaction.rows = std::move(rows);
    return reaction;
}

// The oldest activity or event that waits; one inside of a sub-process before the sub-process.
std::optional<std::string> Run::current_step() const {
    if (ended_) return std::nullopt;
    const Live* around = nullptr;
    for (const Live& live : lives_) {
        if (live.role == Live::Role::done || live.role == Live::Role::listener) continue;
        const bool is_around = live.role == Live::Role::loop || node_of(live).sub_process();
        if (!is_around) return node_of(live).id;
        if (!around) around = &live;
    }
    return around ? std::optional(node_of(*around).id) : std::nullopt;
}

Reaction Run::finish(const std::string& happened) {
    bj::array active;
    for (const Live& live : lives_)
        if (live.role != Live::Role::done && active.size() < 100)
            active.emplace_back(node_of(live).id);
    Document state = state_with(instance_.state, root_, current_step());
    if (state != instance_.state) {
        reaction_.history.push_back({HistoryType::state_changed, state.text()});
        reaction_.state = std::move(state);
    }
    note(happened, bj::object{{"active", ended_ ? bj::array{} : std::move(active)}});
    Children rows = children();
    if (rows != instance_.children) reaction_.rows = std::move(rows);
    if (instance_.incident && had_trouble_ && !has_trouble()) reaction_.settles_incident = true;
    if (!ended_) return std::move(reaction_);
    reaction_.begin.clear();
    if (error_) {
        reaction_.ending =
            Reaction::Ending{.status = Status::failed,
                             .result = Document::of(*error_),
                             .type = HistoryType::failed,
                             .payload = json::canonical(bj::object{{"error", *error_}})};
        return std::move(reaction_);
    }
    reaction_.ending = Reaction::Ending{.status = Status::succeeded,
                                        .result = Document::of(root_),
                                        .type = HistoryType::succeeded,
                                        .payload = json::canonical(bj::object{{"result", root_}})};
    return std::move(reaction_);
}

}  // namespace holdfast::engine
