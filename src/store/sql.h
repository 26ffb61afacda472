// The SQL that the build embedded: numbered migrations and named statements, by dialect.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace holdfast::sql {

struct Statement {
    std::string_view name;
    std::string_view text;
};

struct Migration {
    int number;
    std::string_view name;
    std::string_view text;
};

std::span<const Statement> sqlite_statements();
std::span<const Statement> postgres_statements();
std::span<const Migration> sqlite_migrations();
std::span<const Migration> postgres_migrations();

// The text of one statement, with the columns of its tables; asserts that it exists.
const std::string& text_of(std::span<const Statement> statements, std::string_view name);

}  // namespace holdfast::sql
