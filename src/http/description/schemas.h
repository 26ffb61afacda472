// The JSON of bodies and answers, by name, in a short notation that becomes JSON Schema.
//
// A schema is written as JSON: an object lists the members, `?` after a name means that it may be
// absent; `"...": "Other"` takes over the members of another schema. A list of strings is an
// enumeration. A text names types: `string`, `uint`, `boolean`, `object`, `any`, `null` or another
// schema, `A|B` is either, `A[]` a list. `{"$": ...}` is JSON Schema as it is. A schema whose name
// ends with `Request` takes no other members.
#pragma once

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::http {

struct SchemaText {
    std::string_view name;
    std::string_view text;
    std::string_view notation;
    std::string_view example = {};  // empty: made from the examples of its parts
};

std::span<const SchemaText> value_schemas();
std::span<const SchemaText> workflow_schemas();
std::span<const SchemaText> event_schemas();
std::span<const SchemaText> task_schemas();
std::span<const SchemaText> runner_schemas();
std::span<const SchemaText> node_schemas();
std::span<const SchemaText> repair_schemas();
std::span<const SchemaText> schedule_schemas();
std::span<const SchemaText> access_schemas();
std::span<const SchemaText> webhook_schemas();

// Null: there is none.
const SchemaText* find_schema(std::string_view name);

// Every schema by its name, each with its example, as `components.schemas` has them.
boost::json::object component_schemas();

// The names of an object's members, in order.
std::vector<std::string> member_names(std::string_view schema);

}  // namespace holdfast::http
