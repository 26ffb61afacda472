// Starts an instance on the newest version of its definition.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "program/stimulus.h"
#include "store/view.h"

namespace holdfast::op {

struct Started {
    static constexpr std::string_view name = "started";

    Instance instance;

    static void describe(auto& outcome, auto& with) { with("instance", outcome.instance); }
};
struct UnknownDefinition {
    static constexpr std::string_view name = "unknownDefinition";

    std::string key;

    static void describe(auto& outcome, auto& with) { with("definition", outcome.key); }
};

// Only events and timers start its instances.
struct NotStartable {
    static constexpr std::string_view name = "notStartable";

    std::string key;

    static void describe(auto& outcome, auto& with) { with("definition", outcome.key); }
};

// Nobody may start an instance until the definition is enabled again.
struct DisabledDefinition {
    static constexpr std::string_view name = "disabledDefinition";

    std::string key;

    static void describe(auto& outcome, auto& with) { with("definition", outcome.key); }
};

struct Start {
    static constexpr std::string_view name = "start";
    using Outcome =
        std::variant<Started, UnknownDefinition, InvalidState, NotStartable, DisabledDefinition>;

    Cause cause;  // the operation's id becomes the instance's id
    std::optional<ClientKey> client_key;
    std::string definition;
    BusinessReference business;
    Document state;
    Document state_metadata;
    Document arguments;  // of a program: recorded at index 0 of its journal

    InstanceId instance() const { return {cause.operation.value}; }

    static void describe(auto& op, auto& with) {
        with("definition", op.definition);
        with("businessReference", op.business);
        with("state", op.state);
        with("stateMetadata", op.state_metadata);
        with("arguments", op.arguments);
    }
};

// Adds a new instance of a definition, for its tenant, and its history row; its program begins.
Instance& begin_instance(View& view, const Definition& definition, Instance instance,
                         const Stimulus& stimulus, const Cause& cause);

void reads(const Start& op, ReadSet& reads);
Start::Outcome decide(const Start& op, View& view);

}  // namespace holdfast::op
