#include "operations/refusals.h"

namespace holdfast::op {

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
                         .caller = cause.caller,
                         .expected = expected,
                         .actual = instance.version,
                         .paths = std::move(paths),
                         .resolution = Resolution::rejected,
                         .at = view.now()});
    return {.expected = expected,
            .actual = instance.version,
            .state = instance.state,
            .state_metadata = instance.state_metadata,
            .last_modified_at = instance.last_modified_at,
            .paths = {}};
}

std::optional<InvalidState> check_schema(View& view, const Definition* definition,
                                         const Document& state) {
    if (!state.text().starts_with('{'))
        return InvalidState{{{"", "the state must be a JSON object"}}};
    if (state.text().size() > largest_state)
        return InvalidState{{{"", "the state is larger than 1 MiB"}}};
    if (!definition || !definition->compiled) return std::nullopt;
    // Which version of which definition it was, and which state: the result holds for no others.
    const Digest key = computation_key(
        "schema " + definition->ref.key + ' ' + std::to_string(definition->ref.version),
        {definition->checksum, state.checksum()});
    auto violations = view.computed<std::vector<SchemaViolation>>(
        key, [schema = definition->compiled, state](Effort& effort) {
            if (effort.spend_on_bytes(state.text().size()))
                return schema->check(*state.shared_value(), effort);
            return std::vector<SchemaViolation>{};
        });
    if (violations.empty()) return std::nullopt;
    return InvalidState{std::move(violations)};
}

}  // namespace holdfast::op
