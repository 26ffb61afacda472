#include "client/target.h"

namespace holdfast::client {

std::string percent_encoded(std::string_view text) {
    static constexpr std::string_view hex = "0123456789ABCDEF";
    static constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string encoded;
    for (const char c : text) {
        if (plain.contains(c)) {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded += {'%', hex[byte >> 4], hex[byte & 15]};
        }
    }
    return encoded;
}

Target::Target(std::initializer_list<std::string_view> segments) {
    for (const std::string_view segment : segments) text_ += '/' + percent_encoded(segment);
}

Target& Target::with(std::string_view name, std::string_view value) {
    text_ += separator_ + percent_encoded(name) + '=' + percent_encoded(value);
    separator_ = '&';
    return *this;
}

Target& Target::with_any(std::string_view name, const std::optional<std::string>& value) {
    return value ? with(name, *value) : *this;
}

Target& Target::with_any(std::string_view name, const std::optional<std::size_t>& value) {
    return value ? with(name, std::to_string(*value)) : *this;
}

}  // namespace holdfast::client
