// Unicode blocks by the names that patterns use after \p{Is.
#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast::feel {

struct CodeSpan {
    std::uint32_t first;
    std::uint32_t last;
};

// Null: unknown block.
const CodeSpan* find_block(std::string_view name);

}  // namespace holdfast::feel
