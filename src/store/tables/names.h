// The names of the columns, put into the statements of the .sql files.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::tables {

// Replaces what stands in braces by the columns of a described table:
//   {history}         version, type, ...
//   {h.history}       h.version, h.type, ...
//   {?3 history}      ?3, ?4, ...                           values (SQLite)
//   {history = ?3}    version = ?3, type = ?4, ...          (SQLite)
//   {$3 history}      $3::bigint[], $4::text[], ...         one array for each column (PostgreSQL)
//   {$3 as history}   unnest($3::bigint[]) as version, ...  the same as rows of a select list
//   {n -> history}    n.version, n.type, ...                such arrays as values (PostgreSQL)
std::string with_columns(std::string_view statement);

}  // namespace holdfast::tables
