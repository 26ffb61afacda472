#include "model/schema/keywords.h"

#include <boost/json.hpp>

#include "base/json/patch.h"

namespace holdfast::schema {

std::string below(const std::string& path, std::string_view token) {
    return path + json::to_pointer({std::string(token)});
}

std::optional<std::vector<std::string>> strings_of(const bj::value& value) {
    const bj::array* array = value.if_array();
    if (!array) return std::nullopt;
    std::vector<std::string> texts;
    for (const bj::value& element : *array) {
        if (!element.is_string()) return std::nullopt;
        texts.emplace_back(element.get_string());
    }
    return texts;
}

std::optional<std::uint64_t> Keywords::size(std::string_view name) {
    const bj::value* value = find(name);
    if (!value) return std::nullopt;
    if (value->is_int64() && value->get_int64() >= 0)
        return static_cast<std::uint64_t>(value->get_int64());
    if (value->is_uint64()) return value->get_uint64();
    blame(name, "a non-negative integer");
    return std::nullopt;
}

std::optional<bj::value> Keywords::number(std::string_view name) {
    const bj::value* value = find(name);
    if (!value) return std::nullopt;
    if (value->is_number()) return *value;
    blame(name, "a number");
    return std::nullopt;
}

std::optional<std::string> Keywords::text(std::string_view name) {
    const bj::value* value = find(name);
    if (!value) return std::nullopt;
    if (value->is_string()) return std::string(value->get_string());
    blame(name, "a string");
    return std::nullopt;
}

std::optional<std::vector<std::string>> Keywords::texts(std::string_view name) {
    const bj::value* value = find(name);
    if (!value) return std::nullopt;
    auto texts = strings_of(*value);
    if (!texts) blame(name, "a list of strings");
    return texts;
}

const bj::array* Keywords::list(std::string_view name) {
    const bj::value* value = find(name);
    if (!value) return nullptr;
    const bj::array* array = value->if_array();
    if (array && !array->empty()) return array;
    blame(name, "a list with at least one element");
    return nullptr;
}

const bj::object* Keywords::map(std::string_view name) {
    const bj::value* value = find(name);
    if (!value) return nullptr;
    const bj::object* object = value->if_object();
    if (!object) blame(name, "an object");
    return object;
}

bool Keywords::flag(std::string_view name) {
    const bj::value* value = find(name);
    if (!value) return false;
    if (value->is_bool()) return value->get_bool();
    blame(name, "true or false");
    return false;
}

void Keywords::blame(std::string_view name, std::string_view rule) {
    if (problem_) return;
    const std::string path = path_of(name);
    problem_ = Error{ErrorCode::invalid_argument,
                     "the schema is not valid: " + path + " must be " + std::string(rule),
                     {{"path", path}}};
}

}  // namespace holdfast::schema
