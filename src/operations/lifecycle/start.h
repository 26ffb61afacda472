// Starts an instance on the newest version of its definition.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Started {
    Instance instance;
};
struct UnknownDefinition {
    std::string key;
};

struct Start {
    static constexpr std::string_view name = "start";
    using Outcome = std::variant<Started, UnknownDefinition, InvalidState>;

    Cause cause;  // the operation's id becomes the instance's id
    std::optional<ClientKey> client_key;
    std::string definition;
    BusinessReference business;
    Document state;
    Document state_metadata;
    Document arguments;  // of a program: recorded at index 0 of its journal

    InstanceId instance() const { return {cause.operation.value}; }
};

// Adds a new instance of a definition and its history row. The journal of a program begins with its
// arguments.
Instance& begin_instance(View& view, const Definition& definition, Instance instance,
                         const Document& arguments, const Cause& cause);

void reads(const Start& op, ReadSet& reads);
Start::Outcome decide(const Start& op, View& view);
boost::json::object to_json(const Start& op);
boost::json::object to_json(const Started& outcome);
boost::json::object to_json(const UnknownDefinition& outcome);
Result<Started> started_from_json(const boost::json::value& value);

}  // namespace holdfast::op
