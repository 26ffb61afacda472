#include "operations/refusals.h"

#include "base/defect.h"
#include "model/codec/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

constexpr std::size_t largest_state = 1024 * 1024;

bool is_quarantined(View& view, const Instance& instance) {
    if (instance.quarantined) return true;
    if (!view.is_corrupt(instance.id)) return false;
    view.edit(instance.id).quarantined = true;
    return true;
}

Stale refuse_stale(View& view, const Instance& instance, Version expected, const Cause& cause,
                   std::vector<std::string> paths) {
    view.add(ConflictRow{.id = cause.operation,
                         .instance = instance.id,
                         .user = cause.user,
                         .expected = expected,
                         .actual = instance.version,
                         .paths = std::move(paths),
                         .resolution = Resolution::rejected,
                         .at = view.now()});
    return {.expected = expected,
            .actual = instance.version + (defect("conflict_invents_version") ? 1 : 0),
            .state = instance.state,
            .state_metadata = instance.state_metadata,
            .last_modified_at = instance.last_modified_at,
            .paths = {}};
}

std::optional<InvalidState> check_schema(const Definition* definition, const Document& state) {
    if (!state.text().starts_with('{'))
        return InvalidState{{{"", "the state must be a JSON object"}}};
    if (state.text().size() > largest_state)
        return InvalidState{{{"", "the state is larger than 1 MiB"}}};
    if (!definition || !definition->compiled) return std::nullopt;
    std::vector<SchemaViolation> violations = definition->compiled->check(state.value());
    if (violations.empty()) return std::nullopt;
    return InvalidState{std::move(violations)};
}

bj::object named(std::string_view outcome, bj::object members) {
    bj::object object{{"outcome", outcome}};
    for (auto& member : members) object.emplace(member.key(), std::move(member.value()));
    return object;
}

bj::value to_json(const std::optional<ClientKey>& key) {
    if (!key) return nullptr;
    return bj::object{{"key", key->key}, {"request", to_hex(key->request)}};
}

bj::object to_json(const NotFound&) { return named("notFound"); }

bj::object to_json(const Quarantined&) { return named("quarantined"); }

bj::object to_json(const Ended& ended) {
    return named("ended", {{"status", name_of(ended.status)}, {"version", ended.version}});
}

bj::object to_json(const Stale& stale) {
    bj::array paths;
    for (const std::string& path : stale.paths) paths.emplace_back(path);
    return named("stale", {{"expected", stale.expected},
                           {"actual", stale.actual},
                           {"state", stale.state.value()},
                           {"resolution", name_of(stale.resolution)},
                           {"paths", std::move(paths)}});
}

bj::object to_json(const InvalidState& invalid) {
    bj::array violations;
    for (const SchemaViolation& violation : invalid.violations)
        violations.push_back(bj::object{{"path", violation.path}, {"message", violation.message}});
    return named("invalidState", {{"violations", std::move(violations)}});
}

}  // namespace holdfast::op
