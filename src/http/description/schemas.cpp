#include "http/description/schemas.h"

#include <algorithm>
#include <boost/json.hpp>
#include <functional>

#include "base/assert.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::string_view components = "#/components/schemas/";

constexpr std::span<const SchemaText> (*lists[])() = {
    value_schemas, workflow_schemas, event_schemas,    task_schemas,   runner_schemas,
    node_schemas,  repair_schemas,   schedule_schemas, access_schemas, webhook_schemas};

const SchemaText& known(std::string_view name) {
    const SchemaText* found = find_schema(name);
    HF_ASSERT(found, "a schema names schemas that exist");
    return *found;
}

bj::value parsed(std::string_view notation) {
    if (notation.starts_with('{') || notation.starts_with('[')) return bj::parse(notation);
    return bj::value(notation);
}

bool is_component(std::string_view type) { return type.front() >= 'A' && type.front() <= 'Z'; }

// The members with those that were taken over.
bj::object members_of(const bj::object& notation) {
    bj::object members;
    for (const auto& [name, type] : notation) {
        if (name == "...") {
            const bj::value other = parsed(known(type.as_string()).notation);
            for (const auto& [inner, inner_type] : members_of(other.as_object()))
                members[inner] = inner_type;
        } else {
            members[name] = type;
        }
    }
    return members;
}

bj::value type_schema(std::string_view type) {
    if (type.ends_with("[]"))
        return bj::object{{"type", "array"},
                          {"items", type_schema(type.substr(0, type.size() - 2))}};
    if (is_component(type))
        return bj::object{{"$ref", std::string(components) += known(type).name}};
    if (type == "any") return bj::object{};
    if (type == "uint") return bj::object{{"type", "integer"}, {"minimum", 0}};
    return bj::object{{"type", type}};
}

std::vector<std::string_view> alternatives(std::string_view text) {
    std::vector<std::string_view> types;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('|', at), text.size());
        types.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return types;
}

bj::value either_schema(std::string_view text) {
    const auto types = alternatives(text);
    if (types.size() == 1) return type_schema(types[0]);
    bj::array each;
    for (const std::string_view type : types) each.push_back(type_schema(type));
    return bj::object{{"anyOf", std::move(each)}};
}

bj::value schema_of(const bj::value& notation);

bj::value object_schema(const bj::object& notation) {
    bj::object properties;
    bj::array required;
    for (const auto& [name, type] : members_of(notation)) {
        const bool optional = name.ends_with('?');
        const std::string plain(name.substr(0, name.size() - (optional ? 1 : 0)));
        properties[plain] = schema_of(type);
        if (!optional) required.emplace_back(plain);
    }
    bj::object schema{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
}

bj::value schema_of(const bj::value& notation) {
    if (const bj::string* text = notation.if_string()) return either_schema(*text);
    if (const bj::array* values = notation.if_array())
        return bj::object{{"type", "string"}, {"enum", *values}};
    const bj::object& object = notation.as_object();
    if (const bj::value* raw = object.if_contains("$")) return *raw;
    return object_schema(object);
}

bj::value example_of(const bj::value& notation);

bj::value example_of(const SchemaText& schema) {
    if (!schema.example.empty()) return bj::parse(schema.example);
    return example_of(parsed(schema.notation));
}

bj::value example_of_type(std::string_view type) {
    if (type.ends_with("[]")) return bj::array{example_of_type(type.substr(0, type.size() - 2))};
    if (is_component(type)) return example_of(known(type));
    if (type == "string") return "text";
    if (type == "uint") return 1;
    if (type == "boolean") return false;
    if (type == "null") return nullptr;
    return bj::object{};
}

bj::value example_of(const bj::value& notation) {
    if (const bj::string* text = notation.if_string())
        return example_of_type(alternatives(*text).front());
    if (const bj::array* values = notation.if_array()) return values->front();
    bj::object example;
    for (const auto& [name, type] : members_of(notation.as_object()))
        if (!name.ends_with('?')) example[name] = example_of(type);
    return example;
}

}  // namespace

const SchemaText* find_schema(std::string_view name) {
    for (const auto list : lists) {
        const auto schemas = list();
        const auto found = std::ranges::find(schemas, name, &SchemaText::name);
        if (found != schemas.end()) return &*found;
    }
    return nullptr;
}

bj::object component_schemas() {
    bj::object all;
    for (const auto list : lists)
        for (const SchemaText& one : list()) {
            HF_ASSERT(!all.contains(one.name), "a schema has one notation");
            bj::value schema = schema_of(parsed(one.notation));
            bj::object& object = schema.as_object();
            if (one.name.ends_with("Request") && object.contains("properties"))
                object["additionalProperties"] = false;
            if (!object.contains("$ref")) {
                object["description"] = one.text;
                object["examples"] = bj::array{example_of(one)};
            }
            all[one.name] = std::move(schema);
        }
    return all;
}

std::vector<std::string> member_names(std::string_view schema) {
    const bj::value notation = parsed(known(schema).notation);
    std::vector<std::string> names;
    for (const auto& [name, type] : members_of(notation.as_object()))
        names.emplace_back(name.substr(0, name.size() - (name.ends_with('?') ? 1 : 0)));
    return names;
}

}  // namespace holdfast::http
