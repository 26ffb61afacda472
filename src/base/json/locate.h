// Computes JSON Pointers for error messages: the parser does not track paths.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::json {

// The JSON Pointer of the value at `offset`. The text before `offset` must be a well-formed prefix.
std::string pointer_at(std::string_view text, std::size_t offset);

struct DuplicateKey {
    std::size_t offset;  // of the second occurrence
    std::string pointer;
};

// The first key that appears twice in its object. The text must be well-formed.
std::optional<DuplicateKey> find_duplicate_key(std::string_view text);

}  // namespace holdfast::json
