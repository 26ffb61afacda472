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

// What a start does if a workflow of the definition has its business key already.
enum class OnOpen {
    start,     // it starts one more
    reject,    // it is refused
    existing,  // it answers with the open one
    cancel,    // it cancels the open ones first
};
// What it does if the newest one under the key has ended.
enum class OnClosed {
    start,
    reject,
    after_failure,  // it starts unless that one has succeeded
};
std::string_view name_of(OnOpen on_open);
std::optional<OnOpen> parse_on_open(std::string_view text);
std::string_view name_of(OnClosed on_closed);
std::optional<OnClosed> parse_on_closed(std::string_view text);

// Nothing was started.
struct StartedBefore {
    static constexpr std::string_view name = "startedBefore";

    Instance instance;  // the open one

    static void describe(auto& outcome, auto& with) { with("instance", outcome.instance); }
};
struct BusinessKeyTaken {
    static constexpr std::string_view name = "businessKeyTaken";

    InstanceId instance;
    Status status = Status::running;

    static void describe(auto& outcome, auto& with) {
        with("instance", outcome.instance);
        with("status", outcome.status);
    }
};

struct Start {
    static constexpr std::string_view name = "start";
    using Outcome = std::variant<Started, UnknownDefinition, InvalidState, NotStartable,
                                 DisabledDefinition, StartedBefore, BusinessKeyTaken>;

    Cause cause;  // the operation's id becomes the instance's id
    std::optional<ClientKey> client_key;
    std::string definition;
    BusinessReference business;
    Document state;
    Document state_metadata;
    Document arguments;  // of a program: recorded at index 0 of its journal
    OnOpen on_open = OnOpen::start;
    OnClosed on_closed = OnClosed::start;
    std::uint64_t priority = 0;  // of its turn, up to highest_priority

    InstanceId instance() const { return {cause.operation.value}; }
    // Whether others under its business key matter.
    bool is_unique() const {
        return !business.key.empty() && (on_open != OnOpen::start || on_closed != OnClosed::start);
    }

    static void describe(auto& op, auto& with) {
        with("definition", op.definition);
        with("businessReference", op.business);
        with("state", op.state);
        with("stateMetadata", op.state_metadata);
        with("arguments", op.arguments);
        with.later("onOpen", op.on_open);
        with.later("onClosed", op.on_closed);
        with.later("priority", op.priority);
    }
};

// Adds a new instance of a definition, for its tenant, and its history row; its program begins, or
// waits for its turn.
Instance& begin_instance(View& view, const Definition& definition, Instance instance,
                         const Stimulus& stimulus, const Cause& cause);

void reads(const Start& op, ReadSet& reads);
Start::Outcome decide(const Start& op, View& view);

}  // namespace holdfast::op
