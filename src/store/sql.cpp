#include "store/sql.h"

#include "base/assert.h"

namespace holdfast::sql {

std::string_view text_of(std::span<const Statement> statements, std::string_view name) {
    for (const Statement& statement : statements)
        if (statement.name == name) return statement.text;
    HF_ASSERT(false, "every statement that is used is named in the .sql files");
    return {};
}

}  // namespace holdfast::sql
