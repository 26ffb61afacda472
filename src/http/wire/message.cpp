#include "http/wire/message.h"

#include <algorithm>

#include "base/assert.h"
#include "http/wire/ascii.h"

namespace holdfast::http {

std::string_view name_of(Method method) {
    switch (method) {
        case Method::get: return "GET";
        case Method::post: return "POST";
        case Method::put: return "PUT";
        case Method::patch: return "PATCH";
        case Method::del: return "DELETE";
        case Method::head: return "HEAD";
        case Method::other: return "OTHER";
    }
    return "OTHER";
}

std::optional<std::string_view> Headers::find(std::string_view name) const {
    for (const auto& [field, value] : fields_)
        if (same_ignoring_case(field, name)) return value;
    return std::nullopt;
}

std::size_t Headers::count(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        fields_, [name](const auto& field) { return same_ignoring_case(field.first, name); }));
}

std::optional<std::string_view> Request::query_value(std::string_view name) const {
    for (const auto& [key, value] : query)
        if (key == name) return value;
    return std::nullopt;
}

const std::string& Request::param(std::string_view name) const {
    const auto found =
        std::ranges::find_if(params, [name](const auto& entry) { return entry.first == name; });
    HF_ASSERT(found != params.end(),
              "a route's pattern declares every parameter that its handler reads");
    return found->second;
}

}  // namespace holdfast::http
