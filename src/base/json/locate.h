// Says where in a JSON text something is. Only for error messages: the parser does not track paths.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::json {

// The JSON Pointer of the value at `offset`. The text before `offset` is well-formed as far as it
// goes.
std::string pointer_at(std::string_view text, std::size_t offset);

struct DuplicateKey {
    std::size_t offset;  // of the second occurrence
    std::string pointer;
};

// The first key that its object already has. The text is well-formed.
std::optional<DuplicateKey> find_duplicate_key(std::string_view text);

}  // namespace holdfast::json
