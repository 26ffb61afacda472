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

    Cause cause;  // the new instance takes the operation's id as its own
    std::optional<ClientKey> client_key;
    std::string definition;
    BusinessReference business;
    Document state;
    Document state_metadata;
    Document arguments;  // of a program: its journal begins with them

    InstanceId instance() const { return {cause.operation.value}; }
};

// A new instance of a definition, with the row that says so in its history. A program begins its
// journal with its arguments.
Instance& begin_instance(View& view, const Definition& definition, Instance instance,
                         const Document& arguments, const Cause& cause);

void reads(const Start& op, ReadSet& reads);
Start::Outcome decide(const Start& op, View& view);
boost::json::object to_json(const Start& op);
boost::json::object to_json(const Started& outcome);
boost::json::object to_json(const UnknownDefinition& outcome);
Result<Started> started_from_json(const boost::json::value& value);

}  // namespace holdfast::op
