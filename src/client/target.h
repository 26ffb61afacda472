// Builds request targets; every name and value is percent-encoded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::client {

std::string percent_encoded(std::string_view text);

class Target {
public:
    // "/api/v1" and the given segments.
    explicit Target(std::initializer_list<std::string_view> segments);

    Target& with(std::string_view name, std::string_view value);
    // Adds nothing if the value is absent.
    Target& with_any(std::string_view name, const std::optional<std::string>& value);
    Target& with_any(std::string_view name, const std::optional<std::size_t>& value);

    std::string text() && { return std::move(text_); }

private:
    std::string text_ = "/api/v1";
    char separator_ = '?';
};

}  // namespace holdfast::client
