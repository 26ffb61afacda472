// FEEL types, for `instance of` and typed parameters.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "feel/values/value.h"

namespace holdfast::feel {

struct Type {
    enum class Form { any, null, simple, list, context, range, function };

    Form form = Form::any;
    Kind kind = Kind::null;          // simple
    std::vector<Type> inner;         // list and range: one; function: parameters; context: members
    std::vector<std::string> names;  // of the members of a context, as many as `inner`

    static Type any() { return {}; }
    static Type simple(Kind kind) { return {Form::simple, kind, {}, {}}; }
};

// null is an instance of Null only.
bool is_instance(const Value& value, const Type& type);

// Converts the value to the type: itself, the only item of a list, a list of one item, or a date
// as midnight UTC. null conforms to every type. Absent: it does not conform.
std::optional<Value> coerced(const Value& value, const Type& type);

}  // namespace holdfast::feel
