// Disables a definition, or enables it again: while it is disabled nobody starts an instance of it,
// and nothing does. Its instances go on.
#pragma once

#include <variant>

#include "operations/definitions/define.h"
#include "operations/lifecycle/start.h"

namespace holdfast::op {

struct SwitchDefinition {
    static constexpr std::string_view name = "switchDefinition";
    using Outcome = std::variant<Defined, UnknownDefinition>;

    Cause cause;
    std::string key;
    bool disabled = false;

    std::size_t shard() const { return std::hash<std::string>{}(key); }
    static void describe(auto& op, auto& with) {
        with("key", op.key);
        with("disabled", op.disabled);
    }
};

void reads(const SwitchDefinition& op, ReadSet& reads);
SwitchDefinition::Outcome decide(const SwitchDefinition& op, View& view);

}  // namespace holdfast::op
