// The kinds of flow nodes: events, tasks, gateways, sub-processes, call activities.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bpmn/process/triggers.h"

namespace holdfast::bpmn {

struct Event {
    enum class Position : std::uint8_t {
        start,
        intermediate_catch,
        intermediate_throw,
        boundary,
        end,
    };

    Position position = Position::start;
    std::vector<Trigger> triggers;
    bool all_triggers = false;  // parallel multiple: every trigger has to occur
    bool interrupts = true;     // boundary events and starts of event sub-processes
    std::optional<FlowNodeId> attached_to;
    std::vector<FlowNodeId> link_sources;  // of a catching link: the events that lead to it
    std::vector<Mapping> outputs;          // catch: what arrived, into variables
    std::vector<Mapping> inputs;           // throw
};

struct Task {
    enum class Kind : std::uint8_t {
        plain,
        user,
        service,
        script,
        send,
        receive,
        manual,
        business_rule,
    };

    Kind kind = Kind::plain;
    std::optional<Job> job;  // service, send, business rule
    std::optional<Script> script;
    std::optional<Decision> decision;
    Assignment assignment;             // user
    std::optional<MessageId> message;  // send, receive; none: a receive task is told to go on
    bool instantiates = false;         // a receive task that starts the process
    // A service task that is an expression: evaluated in place.
    std::optional<feel::Expression> expression;
    std::string result_variable;
};

struct Gateway {
    enum class Kind : std::uint8_t { exclusive, parallel, inclusive, event_based, complex };

    Kind kind = Kind::exclusive;
    bool instantiates = false;                   // event based: its events start the process
    bool all_events = false;                     // instantiating: every one has to occur
    std::optional<feel::Expression> activation;  // complex: when it goes on
};

struct SubProcess {
    enum class Kind : std::uint8_t { embedded, event, transaction, ad_hoc };

    Kind kind = Kind::embedded;
    ScopeId inside;
    // Of an ad-hoc sub-process:
    bool sequential = false;
    bool cancels_remaining = true;
    std::optional<feel::Expression> completion;
    std::optional<feel::Expression> active_elements;  // Zeebe: ids of what starts; absent: all
};

struct CallActivity {
    TextOrExpression called;  // the id of a process or of a global task
    enum class Binding : std::uint8_t { latest, deployment, version, version_tag };
    Binding binding = Binding::latest;
    std::string binding_value;
};

// While the condition holds; at most `maximum` times.
struct StandardLoop {
    std::optional<feel::Expression> condition;
    bool test_before = false;
    std::optional<std::uint32_t> maximum;
};

struct MultiInstance {
    enum class Behavior : std::uint8_t { none, one, all, complex };

    bool sequential = false;
    std::optional<feel::Expression> cardinality;
    std::optional<feel::Expression> collection;
    std::string element_variable;
    std::string output_collection;
    std::optional<feel::Expression> output_element;
    std::optional<feel::Expression> completion;
    Behavior behavior = Behavior::all;
    std::optional<Trigger> thrown;  // with behavior none and one
};

using Loop = std::variant<std::monostate, StandardLoop, MultiInstance>;

// What tasks, sub-processes and call activities have in common.
struct Activity {
    Loop loop;
    Mappings mappings;
    std::vector<Variable> properties;
    std::vector<FlowNodeId> boundary_events;
    // Runs when this activity is compensated; by a boundary event with an association.
    std::optional<FlowNodeId> compensation_handler;
    bool for_compensation = false;  // outside of the normal flow
    std::uint32_t start_quantity = 1;
    std::uint32_t completion_quantity = 1;
};

}  // namespace holdfast::bpmn
